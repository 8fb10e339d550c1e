# SPDX-License-Identifier: Apache-2.0

# Downloads the sources of Kokkos and Kokkos Kernels into a cache that all build folders share. Each function
#   kolam_<way>_sources(<kokkos or kokkos-kernels> <folder variable> <reason variable> [CACHED_ONLY])
# sets the folder variable to the unpacked sources, or leaves it empty and sets the other variable to the reason.

set(KOLAM_KOKKOS_ARCHIVE_URL
  "https://github.com/kokkos/kokkos/releases/download/5.2.2/kokkos-5.2.2.tar.gz"
  CACHE STRING "URL of a Kokkos release archive (a mirror, or another version with its SHA256)")
set(KOLAM_KOKKOS_ARCHIVE_SHA256
  d6557aaef39302282a15f9c770433d1fcdf4e961dfd6d9ed726b9d0d0f546b9f
  CACHE STRING "SHA-256 of KOLAM_KOKKOS_ARCHIVE_URL")
set(KOLAM_KOKKOS_KERNELS_ARCHIVE_URL
  "https://github.com/kokkos/kokkos-kernels/archive/refs/tags/5.2.0.tar.gz"
  CACHE STRING "URL of a Kokkos Kernels archive (of the same major and minor version as Kokkos)")
set(KOLAM_KOKKOS_KERNELS_ARCHIVE_SHA256
  083da4c4f69f0b4169c4b295c6dd09642aabbab455caff8d9614d178346e750f
  CACHE STRING "SHA-256 of KOLAM_KOKKOS_KERNELS_ARCHIVE_URL")
set(shared_cache ${PROJECT_SOURCE_DIR}/build/_deps)
if(NOT PROJECT_IS_TOP_LEVEL)
  set(shared_cache ${CMAKE_BINARY_DIR}/_deps/kolam)
endif()
set(KOLAM_DOWNLOAD_CACHE ${shared_cache} CACHE PATH "Folder for downloaded sources, shared by builds")
mark_as_advanced(KOLAM_KOKKOS_ARCHIVE_URL KOLAM_KOKKOS_ARCHIVE_SHA256 KOLAM_DOWNLOAD_CACHE
  KOLAM_KOKKOS_KERNELS_ARCHIVE_URL KOLAM_KOKKOS_KERNELS_ARCHIVE_SHA256)

# With `auto` a dead network must cost only seconds; a source chosen by name may take longer on a slow one.
set(download_limit 10)
if(NOT KOLAM_KOKKOS_SOURCE STREQUAL "auto")
  set(download_limit 300)
endif()

function(kolam_archive_sources package folder_variable reason_variable)
  string(TOUPPER "KOLAM_${package}_ARCHIVE" archive)
  string(REPLACE "-" "_" archive ${archive})
  set(url ${${archive}_URL})
  set(expected_hash ${${archive}_SHA256})
  set(${folder_variable} "" PARENT_SCOPE)
  string(SUBSTRING "${expected_hash}" 0 12 short_hash)
  set(folder ${KOLAM_DOWNLOAD_CACHE}/${package}-${short_hash})
  kolam_lock_cache()
  if(NOT EXISTS ${folder} AND NOT ARGN)
    set(work ${KOLAM_DOWNLOAD_CACHE}/unpack)
    file(REMOVE_RECURSE ${work})
    message(STATUS "Downloading ${url}")
    file(DOWNLOAD ${url} ${work}/archive.tar.gz STATUS status
      TIMEOUT ${download_limit} INACTIVITY_TIMEOUT 5)
    list(GET status 0 failed)
    if(failed)
      list(GET status 1 reason)
      set(${reason_variable} "${url}: ${reason}\n    (another URL: -D${archive}_URL=..., or skip this with -DKOLAM_KOKKOS_SOURCE=system or registry)" PARENT_SCOPE)
      return()
    endif()
    file(SHA256 ${work}/archive.tar.gz hash)
    if(NOT hash STREQUAL expected_hash)
      set(${reason_variable} "${url}: its SHA-256 is ${hash}, not ${expected_hash}\n    (set ${archive}_SHA256 if this archive is the one you want)" PARENT_SCOPE)
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

function(kolam_registry_sources package folder_variable reason_variable)
  set(${folder_variable} "" PARENT_SCOPE)
  set(kokkos ${KOLAM_DOWNLOAD_CACHE}/kokkos-4.7.00)
  set(kokkos-kernels ${KOLAM_DOWNLOAD_CACHE}/kokkos-kernels-4.4.00)
  set(folder ${${package}})
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
    message(STATUS "Downloading pygenten 0.1.5 with pip: it carries Kokkos and Kokkos Kernels")
    # --no-binary pygenten, not :all:, which would build pip's build tools from source too.
    execute_process(
      COMMAND ${KOLAM_PYTHON} -m pip download --timeout 8 --retries 1 --disable-pip-version-check
              --require-hashes --no-deps --no-binary pygenten -r requirements.txt -d .
      WORKING_DIRECTORY ${work} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
    if(failed)
      # (If the registry cannot be reached, an earlier line of pip says so, not the last one.)
      if(NOT log MATCHES "(Could not fetch URL[^\n]*)")
        string(REGEX MATCH "([^\n]*)\n?$" last_line "${log}")
      endif()
      string(STRIP "${CMAKE_MATCH_1}" last_line)
      set(${reason_variable} "pip download pygenten==0.1.5 ended with ${failed}: ${last_line}\n    (skip this with -DKOLAM_KOKKOS_SOURCE=system or archive)" PARENT_SCOPE)
      return()
    endif()
    set(packages ${work}/pygenten-0.1.5/tpls)
    file(ARCHIVE_EXTRACT INPUT ${work}/pygenten-0.1.5.tar.gz DESTINATION ${work}
      PATTERNS pygenten-0.1.5/tpls/kokkos/* pygenten-0.1.5/tpls/kokkos-kernels/*)
    kolam_correct_kokkos_4700(${packages}/kokkos)
    kolam_correct_kokkos_kernels_4400(${packages}/kokkos-kernels)
    foreach(unpacked IN ITEMS kokkos kokkos-kernels)
      if(NOT EXISTS ${${unpacked}})
        file(RENAME ${packages}/${unpacked} ${${unpacked}})
      endif()
    endforeach()
    file(REMOVE_RECURSE ${work})
  endif()
  if(EXISTS ${folder})
    set(${folder_variable} ${folder} PARENT_SCOPE)
  endif()
endfunction()

# CUDA 13 changed the arguments of two calls. Applies upstream's corrections from 4.7.01; an #if
# chooses, so that one copy serves every build.
function(kolam_correct_kokkos_4700 folder)
  set(cuda_13 "#if CUDART_VERSION >= 13000\n    return <after>;\n#else\n    return <before>;\n#endif")
  set(corrections
    "cudaGraphAddDependencies(graph, from, to, numDependencies)" "cudaGraphAddDependencies(graph, from, to, nullptr, numDependencies)"
    "cudaMemPrefetchAsync(devPtr, count, dstDevice, m_stream)" "cudaMemPrefetchAsync(devPtr, count, cudaMemLocation{dstDevice == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice, dstDevice}, 0, m_stream)")
  while(corrections)
    list(POP_FRONT corrections before after)
    string(REPLACE "<after>" "${after}" text "${cuda_13}")
    string(REPLACE "<before>" "${before}" text "${text}")
    kolam_correct(${folder}/core/src/Cuda/Kokkos_Cuda_Instance.hpp "    return ${before};" "${text}")
  endwhile()
endfunction()

# Replaces two uses of things that Kokkos 4.7 has only with its deprecated code: the old name of a function,
# and a header that does not compile without it.
function(kolam_correct_kokkos_kernels_4400 folder)
  set(graph "#include \"Kokkos_StaticCrsGraph.hpp\"")
  foreach(matrix IN ITEMS Crs Bsr)
    set(file ${folder}/sparse/src/KokkosSparse_${matrix}Matrix.hpp)
    kolam_correct(${file} "Kokkos::atomic_assign(" "Kokkos::atomic_store(")
    kolam_correct(${file} "${graph}" "#include <Kokkos_Core.hpp>
#ifdef KOKKOS_ENABLE_DEPRECATED_CODE_4
${graph}
#else
#define KOKKOS_ENABLE_DEPRECATED_CODE_4
${graph}
#undef KOKKOS_ENABLE_DEPRECATED_CODE_4
#endif")
  endforeach()
endfunction()

function(kolam_correct file before after)
  file(READ ${file} text)
  string(FIND "${text}" "${before}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "A correction of the registry's Kokkos does not apply: ${file} has no "
      "'${before}'. Use another Kokkos (-DKOLAM_KOKKOS_SOURCE=system or archive).")
  endif()
  string(REPLACE "${before}" "${after}" text "${text}")
  file(WRITE ${file} "${text}")
endfunction()

# Locks the cache until the calling function returns, so that two configures do not unpack at the same time.
macro(kolam_lock_cache)
  file(MAKE_DIRECTORY ${KOLAM_DOWNLOAD_CACHE})
  file(LOCK ${KOLAM_DOWNLOAD_CACHE} DIRECTORY GUARD FUNCTION TIMEOUT 300)
endmacro()
