# SPDX-License-Identifier: Apache-2.0

# Provides Kokkos::kokkos and Kokkos_VERSION in one of three ways, tried in this order:
#   system    an installed Kokkos (Spack, module, prefix, distribution)
#   archive   the upstream release archive, checked by SHA-256
#   registry  the Python package registry, for networks that reach nothing else: the source distribution
#             of pygenten carries the complete sources of Kokkos 4.7.00 (and Kokkos Kernels 4.4.00)
# Prints why a way failed and which one is used; docs/decisions says why there are three.
set(KOLAM_KOKKOS_SOURCE auto CACHE STRING "Where Kokkos comes from: auto, system, archive or registry")
set(ways system archive registry)
set_property(CACHE KOLAM_KOKKOS_SOURCE PROPERTY STRINGS auto ${ways})

include(${CMAKE_CURRENT_LIST_DIR}/kokkos_sources.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/kokkos_configuration.cmake)

if(KOLAM_KOKKOS_SOURCE IN_LIST ways)
  set(ways ${KOLAM_KOKKOS_SOURCE})
elseif(NOT KOLAM_KOKKOS_SOURCE STREQUAL "auto")
  message(FATAL_ERROR "KOLAM_KOKKOS_SOURCE is '${KOLAM_KOKKOS_SOURCE}'; "
    "it must be auto, system, archive or registry.")
endif()

set(tried "")
set(KOLAM_KOKKOS_ORIGIN "")
if(TARGET Kokkos::kokkos)
  if(NOT KOLAM_KOKKOS_SOURCE STREQUAL "auto")
    message(FATAL_ERROR "KOLAM_KOKKOS_SOURCE is '${KOLAM_KOKKOS_SOURCE}', but the parent project "
      "provides Kokkos::kokkos already, and kolam must use that one. Leave the option at auto.")
  endif()
  set(KOLAM_KOKKOS_ORIGIN "parent project")
  if(NOT Kokkos_VERSION)  # the parent builds Kokkos and did not find it as a package
    get_target_property(kokkos_folder Kokkos::kokkos SOURCE_DIR)
    get_directory_property(Kokkos_VERSION DIRECTORY ${kokkos_folder} DEFINITION Kokkos_VERSION)
  endif()
elseif("system" IN_LIST ways)
  # QUIET: about a Kokkos that is too old or absent kolam prints one line, not CMake's warning.
  find_package(Kokkos 4.7...<6 CONFIG QUIET)
  if(Kokkos_FOUND)
    set(KOLAM_KOKKOS_ORIGIN "system (${Kokkos_DIR})")
  else()
    set(reason "no KokkosConfig.cmake in CMAKE_PREFIX_PATH or Kokkos_ROOT")
    if(Kokkos_CONSIDERED_CONFIGS)
      set(reason "kolam needs 4.7 or newer, below 6, and")
      foreach(config version IN ZIP_LISTS Kokkos_CONSIDERED_CONFIGS Kokkos_CONSIDERED_VERSIONS)
        string(APPEND reason " ${config} is ${version}")
      endforeach()
    endif()
    message(STATUS "Kokkos: not system: ${reason}")
    list(APPEND tried "  system: ${reason}\n    (name its prefix in CMAKE_PREFIX_PATH, or skip this with -DKOLAM_KOKKOS_SOURCE=archive or registry)\n")
  endif()
endif()

if(NOT KOLAM_KOKKOS_ORIGIN)
  list(REMOVE_ITEM ways system)
  # Sources that are unpacked already come first, so that configuring again needs no network.
  foreach(step "CACHED_ONLY" "")
    foreach(way IN LISTS ways)
      if(NOT kokkos_folder)
        cmake_language(CALL kolam_${way}_sources kokkos kokkos_folder reason ${step})
        if(kokkos_folder)
          set(KOLAM_KOKKOS_ORIGIN ${way})
        elseif(NOT step)
          message(STATUS "Kokkos: not ${way}: ${reason}")
          list(APPEND tried "  ${way}: ${reason}\n")
        endif()
      endif()
    endforeach()
  endforeach()
  if(NOT kokkos_folder)
    list(JOIN tried "" tried)
    message(FATAL_ERROR "kolam found no Kokkos (4.7 or newer, below 6). Tried:\n${tried}"
      "-DKOLAM_KOKKOS_SOURCE=system|archive|registry tries one of them only.")
  endif()
  kolam_configure_kokkos("${KOLAM_KOKKOS_ORIGIN}")
  add_subdirectory(${kokkos_folder} ${PROJECT_BINARY_DIR}/kokkos SYSTEM)
  get_directory_property(Kokkos_VERSION DIRECTORY ${kokkos_folder} DEFINITION Kokkos_VERSION)
endif()

kolam_check_kokkos()
message(STATUS "Kokkos: ${Kokkos_VERSION} from ${KOLAM_KOKKOS_ORIGIN}")
