# SPDX-License-Identifier: Apache-2.0

# ThreadSanitizer does not see OpenMP's barriers; Archer, a tool that libomp loads, tells it.
# Without Archer every parallel loop would be reported, so its absence is an error.
if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize=thread")
  return()
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=libarcher.so
  OUTPUT_VARIABLE archer_hint OUTPUT_STRIP_TRAILING_WHITESPACE)
get_filename_component(archer_hint "${archer_hint}" DIRECTORY)
file(GLOB archer_folders /usr/lib/llvm-*/lib)
find_library(KOLAM_ARCHER archer HINTS ${archer_hint} PATHS ${archer_folders})
if(NOT KOLAM_ARCHER)
  message(FATAL_ERROR "ThreadSanitizer with OpenMP needs libarcher.so and it was not found near "
    "${CMAKE_CXX_COMPILER}. Install it (Debian and Ubuntu: apt-get install libomp-dev), or name it: "
    "-DKOLAM_ARCHER=/path/libarcher.so")
endif()
# KMP_DUPLICATE_LIB_OK: a program that dies leaves its libomp registration in /dev/shm, blank if it died while writing
# it. In a later process with the same id, libomp would then refuse to start, as if it were linked twice.
list(APPEND test_environment
  OMP_TOOL_LIBRARIES=${KOLAM_ARCHER}
  "TSAN_OPTIONS=ignore_noninstrumented_modules=1 halt_on_error=1 allocator_may_return_null=1 suppressions='${CMAKE_CURRENT_LIST_DIR}/thread_sanitizer.supp'"
  KMP_DUPLICATE_LIB_OK=TRUE)
