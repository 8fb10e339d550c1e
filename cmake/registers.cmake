# SPDX-License-Identifier: Apache-2.0

# Finds the width of the SIMD registers that kolam is compiled for. Element data are laid out by SIMD lanes,
# as many as a register holds, so the width is part of the library's binary interface. A test program finds
# it once, because a compiler wrapper may silently add -march. The width is written to
# <kolam/core/detail/registers.hpp>, and the instruction sets that it needs become public options of
# kolam::core and kolam.pc. They are single extensions (-mavx2): a user's -march does not disable them, and
# they disable nothing of it. docs/decisions/0030 says why.

# kolam_find_registers(<target> <bytes variable> <flags variable>): sets the register width and the options of
# the extensions that the compiler enables with its own flags and those that <target> exports.
function(kolam_find_registers target bytes_variable flags_variable)
  set(extensions AVX AVX2 FMA AVX512F AVX512CD AVX512BW AVX512DQ AVX512VL)
  get_target_property(exported ${target} INTERFACE_COMPILE_OPTIONS)
  get_directory_property(of_folder COMPILE_OPTIONS)
  string(REGEX MATCHALL "[;:](-m[a-z]|-x[A-Z])[^;>]*" flags ";${exported};${of_folder}")
  list(TRANSFORM flags REPLACE "^[;:]" "")

  set(text "extern const char kolam_extensions[];\nconst char kolam_extensions[] = \"kolam is compiled for:\"\n")
  foreach(extension IN LISTS extensions)
    string(APPEND text "#ifdef __${extension}__\n\" ${extension}\"\n#endif\n")
  endforeach()
  string(APPEND text "\".\";\nint main(int argc, char**) { return kolam_extensions[argc]; }\n")
  set(source ${PROJECT_BINARY_DIR}/CMakeFiles/kolam_registers.cpp)
  set(program ${PROJECT_BINARY_DIR}/CMakeFiles/kolam_registers)
  file(WRITE ${source} "${text}")
  set(CMAKE_TRY_COMPILE_CONFIGURATION ${CMAKE_BUILD_TYPE})
  unset(compiled CACHE)  # the flags may have changed
  try_compile(compiled ${PROJECT_BINARY_DIR}/CMakeFiles SOURCES ${source} COMPILE_DEFINITIONS ${flags}
    OUTPUT_VARIABLE output COPY_FILE ${program})
  set(found "")
  if(compiled)
    file(STRINGS ${program} found REGEX "kolam is compiled for:")
  endif()
  unset(compiled CACHE)
  if(NOT found MATCHES "kolam is compiled for:([ A-Z0-9]*)\\.")
    list(JOIN flags " " flags)
    message(FATAL_ERROR "The registers that kolam is compiled for could not be found: ${CMAKE_CXX_COMPILER} did not "
      "compile a program with '${CMAKE_CXX_FLAGS} ${flags}'. Set CMAKE_CXX_FLAGS to what it accepts. It says:\n${output}")
  endif()
  string(STRIP "${CMAKE_MATCH_1}" found)
  string(REPLACE " " ";" found "${found}")

  set(bytes 16)
  if("AVX512F" IN_LIST found)
    set(bytes 64)
  elseif("AVX" IN_LIST found)
    set(bytes 32)
  endif()
  string(TOLOWER "${found}" flags)
  list(TRANSFORM flags PREPEND -m)
  set(${bytes_variable} ${bytes} PARENT_SCOPE)
  set(${flags_variable} "${flags}" PARENT_SCOPE)
endfunction()

# kolam_export_registers(<target>): gives <target> the header and the public options.
function(kolam_export_registers target)
  kolam_find_registers(Kokkos::kokkoscore KOLAM_REGISTER_BYTES flags)
  set(KOLAM_REGISTER_MACRO_16 "1")
  set(KOLAM_REGISTER_MACRO_32 "defined(__AVX__)")
  set(KOLAM_REGISTER_MACRO_64 "defined(__AVX512F__)")
  set(KOLAM_REGISTER_MACRO "${KOLAM_REGISTER_MACRO_${KOLAM_REGISTER_BYTES}}")
  list(JOIN flags " " KOLAM_REGISTER_FLAGS)
  message(STATUS "Registers: ${KOLAM_REGISTER_BYTES} bytes, public options: ${KOLAM_REGISTER_FLAGS}")
  set(generated ${PROJECT_BINARY_DIR}/generated/registers)
  configure_file(${CMAKE_CURRENT_FUNCTION_LIST_DIR}/registers.hpp.in
    ${generated}/kolam/core/detail/registers.hpp @ONLY)
  target_include_directories(${target} PUBLIC $<BUILD_INTERFACE:${generated}>)
  if(flags)
    target_compile_options(${target} PUBLIC "$<$<COMPILE_LANGUAGE:CXX>:${flags}>")
  endif()
  install(DIRECTORY ${generated}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endfunction()
