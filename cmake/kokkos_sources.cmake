# SPDX-License-Identifier: Apache-2.0

# Downloads the sources of Kokkos into a cache that all build folders share. Each function
#   kolam_kokkos_<way>(<folder variable> <reason variable> [CACHED_ONLY])
# sets the folder of the unpacked sources, or leaves it empty and says why in the other variable.

set(KOLAM_KOKKOS_ARCHIVE_URL
  "https://github.com/kokkos/kokkos/releases/download/5.0.2/kokkos-5.0.2.tar.gz"
  CACHE STRING "Release archive of Kokkos (a mirror's, or another version's with its SHA256)")
set(KOLAM_KOKKOS_ARCHIVE_SHA256
  188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e
  CACHE STRING "SHA-256 of KOLAM_KOKKOS_ARCHIVE_URL")
set(shared_cache ${PROJECT_SOURCE_DIR}/build/_deps)
if(NOT PROJECT_IS_TOP_LEVEL)
  set(shared_cache ${CMAKE_BINARY_DIR}/_deps/kolam)
endif()
set(KOLAM_DOWNLOAD_CACHE ${shared_cache} CACHE PATH "Folder for downloaded sources, shared by builds")
mark_as_advanced(KOLAM_KOKKOS_ARCHIVE_URL KOLAM_KOKKOS_ARCHIVE_SHA256 KOLAM_DOWNLOAD_CACHE)

# In `auto` a dead network must cost seconds; who asks for one way by name has time for a slow one.
set(download_limit 10)
if(NOT KOLAM_KOKKOS_SOURCE STREQUAL "auto")
  set(download_limit 300)
endif()

function(kolam_kokkos_archive folder_variable reason_variable)
  set(${folder_variable} "" PARENT_SCOPE)
  string(SUBSTRING "${KOLAM_KOKKOS_ARCHIVE_SHA256}" 0 12 short_hash)
  set(folder ${KOLAM_DOWNLOAD_CACHE}/kokkos-${short_hash})
  kolam_lock_cache()
  if(NOT EXISTS ${folder} AND NOT ARGN)
    set(work ${KOLAM_DOWNLOAD_CACHE}/unpack)
    file(REMOVE_RECURSE ${work})
    message(STATUS "Kokkos: downloading ${KOLAM_KOKKOS_ARCHIVE_URL}")
    file(DOWNLOAD ${KOLAM_KOKKOS_ARCHIVE_URL} ${work}/archive.tar.gz STATUS status
      TIMEOUT ${download_limit} INACTIVITY_TIMEOUT 5)
    list(GET status 0 failed)
    if(failed)
      list(GET status 1 reason)
      set(${reason_variable} "${KOLAM_KOKKOS_ARCHIVE_URL}: ${reason}\n    (another URL: -DKOLAM_KOKKOS_ARCHIVE_URL=..., or skip this with -DKOLAM_KOKKOS_SOURCE=system or registry)" PARENT_SCOPE)
      return()
    endif()
    file(SHA256 ${work}/archive.tar.gz hash)
    if(NOT hash STREQUAL KOLAM_KOKKOS_ARCHIVE_SHA256)
      set(${reason_variable} "${KOLAM_KOKKOS_ARCHIVE_URL}: its SHA-256 is ${hash}, not ${KOLAM_KOKKOS_ARCHIVE_SHA256}\n    (set KOLAM_KOKKOS_ARCHIVE_SHA256 if this archive is the one you want)" PARENT_SCOPE)
      return()
    endif()
    file(ARCHIVE_EXTRACT INPUT ${work}/archive.tar.gz DESTINATION ${work}/sources)
    file(GLOB unpacked ${work}/sources/*)
    file(RENAME ${unpacked} ${folder})
    file(REMOVE_RECURSE ${work})
  endif()
  if(EXISTS ${folder})
    set(${folder_variable} ${folder} PARENT_SCOPE)
  endif()
endfunction()

function(kolam_kokkos_registry folder_variable reason_variable)
  set(${folder_variable} "" PARENT_SCOPE)
  set(folder ${KOLAM_DOWNLOAD_CACHE}/kokkos-4.7.00)
  kolam_lock_cache()
  if(NOT EXISTS ${folder} AND NOT ARGN)
    set(work ${KOLAM_DOWNLOAD_CACHE}/unpack)
    file(REMOVE_RECURSE ${work})
    find_program(KOLAM_PYTHON python3 DOC "Python with pip, for KOLAM_KOKKOS_SOURCE=registry")
    mark_as_advanced(KOLAM_PYTHON)
    if(NOT KOLAM_PYTHON)
      set(${reason_variable} "python3 is not on PATH (Debian and Ubuntu: apt-get install python3-pip)" PARENT_SCOPE)
      return()
    endif()
    file(WRITE ${work}/requirements.txt "pygenten==0.1.5 \
--hash=sha256:e620f05c742905e2db705d875f1cac92ef0ed453f9e6734e9beda26cc0f9cce7\n")
    message(STATUS "Kokkos: downloading pygenten 0.1.5 with pip")
    # --no-binary pygenten, not :all:, which would build pip's build tools from source too.
    execute_process(
      COMMAND ${KOLAM_PYTHON} -m pip download --timeout 8 --retries 1 --disable-pip-version-check
              --require-hashes --no-deps --no-binary pygenten -r requirements.txt -d .
      WORKING_DIRECTORY ${work} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
    if(failed)
      # (pip's last line does not say so if the registry cannot be reached.)
      if(NOT log MATCHES "(Could not fetch URL[^\n]*)")
        string(REGEX MATCH "([^\n]*)\n?$" last_line "${log}")
      endif()
      string(STRIP "${CMAKE_MATCH_1}" last_line)
      set(${reason_variable} "pip download pygenten==0.1.5 ended with ${failed}: ${last_line}\n    (skip this with -DKOLAM_KOKKOS_SOURCE=system or archive)" PARENT_SCOPE)
      return()
    endif()
    file(ARCHIVE_EXTRACT INPUT ${work}/pygenten-0.1.5.tar.gz DESTINATION ${work}
      PATTERNS pygenten-0.1.5/tpls/kokkos/*)
    kolam_correct_kokkos_4700(${work}/pygenten-0.1.5/tpls/kokkos)
    file(RENAME ${work}/pygenten-0.1.5/tpls/kokkos ${folder})
    file(REMOVE_RECURSE ${work})
  endif()
  if(EXISTS ${folder})
    set(${folder_variable} ${folder} PARENT_SCOPE)
  endif()
endfunction()

# Two calls changed their arguments in CUDA 13; upstream's corrections of 4.7.01. They sit behind
# the preprocessor, so that one copy serves every build.
function(kolam_correct_kokkos_4700 folder)
  set(file ${folder}/core/src/Cuda/Kokkos_Cuda_Instance.hpp)
  file(READ ${file} text)
  foreach(correction IN ITEMS
      "cudaGraphAddDependencies(graph, from, to, numDependencies)|cudaGraphAddDependencies(graph, from, to, nullptr, numDependencies)"
      "cudaMemPrefetchAsync(devPtr, count, dstDevice, m_stream)|cudaMemPrefetchAsync(devPtr, count, cudaMemLocation{dstDevice == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, dstDevice}, 0, m_stream)")
    string(REPLACE "|" ";" correction "${correction}")
    list(GET correction 0 before)
    list(GET correction 1 after)
    string(FIND "${text}" "    return ${before}" position)
    if(position EQUAL -1)
      message(FATAL_ERROR "The correction of Kokkos 4.7.00 for CUDA 13 does not apply: ${file} has no "
        "'return ${before}'. Use another Kokkos (-DKOLAM_KOKKOS_SOURCE=system or archive).")
    endif()
    string(REPLACE "    return ${before};"
      "#if CUDART_VERSION >= 13000\n    return ${after};\n#else\n    return ${before};\n#endif"
      text "${text}")
  endforeach()
  file(WRITE ${file} "${text}")
endfunction()

# Until the calling function returns: two configures at once must not unpack into one another.
macro(kolam_lock_cache)
  file(MAKE_DIRECTORY ${KOLAM_DOWNLOAD_CACHE})
  file(LOCK ${KOLAM_DOWNLOAD_CACHE} DIRECTORY GUARD FUNCTION TIMEOUT 300)
endmacro()
