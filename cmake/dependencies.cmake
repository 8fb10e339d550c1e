# SPDX-License-Identifier: Apache-2.0

# kolam_find(<package> <Debian package> [find_package arguments...])
# Finds a required package; if it is absent, the error says how to install it.
macro(kolam_find package debian)
  find_package(${package} ${ARGN} QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR
      "kolam needs ${package} (${ARGN}) and CMake did not find it. Install it (Debian and Ubuntu: "
      "apt-get install ${debian}; or run scripts/setup), or name its prefix in CMAKE_PREFIX_PATH.")
  endif()
endmacro()

# kolam_auto_on_off(<NAME> <purpose>): defines the cache variable KOLAM_<NAME>, and sets kolam_<name> to its value in
# lower case.
macro(kolam_auto_on_off name text)
  set(KOLAM_${name} auto CACHE STRING "${text}: auto (if found), on or off")
  set_property(CACHE KOLAM_${name} PROPERTY STRINGS auto on off)
  string(TOLOWER ${name} kolam_option)
  string(TOLOWER "${KOLAM_${name}}" kolam_${kolam_option})
  if(NOT kolam_${kolam_option} MATCHES "^(auto|on|off)$")
    message(FATAL_ERROR "KOLAM_${name} is '${KOLAM_${name}}'; it must be auto, on or off.")
  endif()
endmacro()

# nvcc_wrapper, through which Kokkos calls nvcc, splits paths at spaces.
macro(kolam_refuse_spaces_for_nvcc)
  if(Kokkos_ENABLE_CUDA AND "${PROJECT_SOURCE_DIR}${PROJECT_BINARY_DIR}${KOLAM_DOWNLOAD_CACHE}" MATCHES " ")
    message(FATAL_ERROR "Kokkos builds for CUDA only in paths without spaces. Build through a link: "
      "ln -s \"${PROJECT_SOURCE_DIR}\" /tmp/kolam && cd /tmp/kolam (scripts/demo makes such a link).")
  endif()
endmacro()
kolam_refuse_spaces_for_nvcc()
include(${CMAKE_CURRENT_LIST_DIR}/kokkos.cmake)
kolam_refuse_spaces_for_nvcc()  # again: find_package has set Kokkos_ENABLE_CUDA of an installed Kokkos
include(${CMAKE_CURRENT_LIST_DIR}/kokkos_kernels.cmake)

kolam_find(fmt libfmt-dev 9 CONFIG)
if(Kokkos_ENABLE_CUDA)
  # fmt 9 assumes that nvcc has no constexpr, and nvcc does not evaluate fmt's consteval check of
  # format strings. CPU builds check them.
  set_property(TARGET fmt::fmt APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS "FMT_USE_CONSTEXPR=1;FMT_CONSTEVAL=")
endif()
kolam_find(nlohmann_json nlohmann-json3-dev 3.9 CONFIG)
kolam_find(PNG libpng-dev MODULE)
include(${CMAKE_CURRENT_LIST_DIR}/mpi.cmake)
kolam_find(ZLIB zlib1g-dev MODULE)  # libpng needs it anyway
kolam_find(EXPAT libexpat1-dev MODULE)  # VTU files

# HDF5 is for checkpoints and VTKHDF files; without it their functions throw.
kolam_auto_on_off(HDF5 "HDF5 for checkpoints and VTKHDF files")
include(${CMAKE_CURRENT_LIST_DIR}/hdf5.cmake)
set(KOLAM_HDF5_VERSION "")
if(NOT kolam_hdf5 STREQUAL "off")
  kolam_find_hdf5(KOLAM_HDF5_VERSION)
  if(NOT KOLAM_HDF5_VERSION AND kolam_hdf5 STREQUAL "on")
    message(FATAL_ERROR
      "KOLAM_HDF5 is on, and CMake found no HDF5 1.10.2 or newer with its C library. Install it (Debian and "
      "Ubuntu: apt-get install libhdf5-dev, or libhdf5-openmpi-dev; or run scripts/setup), name its prefix in "
      "HDF5_ROOT, or set -DKOLAM_HDF5=off to build without checkpoints and VTKHDF files.")
  endif()
endif()
if(KOLAM_HDF5_VERSION)
  get_target_property(kind kolam_hdf5 kolam_kind)
  message(STATUS "HDF5: ${KOLAM_HDF5_VERSION}, ${kind}")
else()
  message(STATUS "HDF5: none, so no checkpoints and no VTKHDF files")
endif()
# Optional libraries of finite elements. kolam_plain_targets: the targets to link. kolam_plain_left_out: regexes of the
# sources to leave out, for each library either the source that uses it or the stub without_<library>.cpp.
include(${CMAKE_CURRENT_LIST_DIR}/plain_libraries.cmake)
kolam_auto_on_off(METIS "METIS to cut meshes")
kolam_auto_on_off(SCOTCH "Scotch to cut meshes")
kolam_auto_on_off(HYPRE "hypre's BoomerAMG for coarse levels")
set(kolam_plain_targets "")
set(kolam_plain_left_out "")
foreach(name IN ITEMS METIS SCOTCH HYPRE)
  string(TOLOWER ${name} library)
  set(KOLAM_${name}_VERSION "")
  if(name STREQUAL HYPRE AND NOT (kolam_mpi_target AND KOLAM_ELEMENTS MATCHES "^(ON|TRUE|YES|1)$"))
    # (hypre's headers include MPI's.)
  elseif(NOT kolam_${library} STREQUAL "off")
    kolam_find_plain(${name} KOLAM_${name}_VERSION)
  endif()
  if(KOLAM_${name}_VERSION)
    list(APPEND kolam_plain_targets kolam_${library})
    list(APPEND kolam_plain_left_out "/src/[a-z]+/without_${library}\\.cpp$")
    message(STATUS "${library}: ${KOLAM_${name}_VERSION}")
  elseif(kolam_${library} STREQUAL "on")
    message(FATAL_ERROR "KOLAM_${name} is on, and CMake found no ${library}. Install it (Debian and Ubuntu: apt-get install "
      "lib${library}-dev; hypre needs MPI and KOLAM_ELEMENTS=ON as well), name its prefix in ${name}_ROOT, or set -DKOLAM_${name}=off.")
  else()
    list(APPEND kolam_plain_left_out "/src/[a-z]+/${library}\\.cpp$")
  endif()
endforeach()
if(KOLAM_BUILD_APPS)
  kolam_find(CLI11 libcli11-dev 2.1 CONFIG)
endif()
if(KOLAM_BUILD_TESTS)
  kolam_find(GTest "libgtest-dev libgmock-dev" 1.12 CONFIG)
  if(NOT TARGET GTest::gmock)
    message(FATAL_ERROR "kolam's tests need GoogleTest with GoogleMock, and ${GTest_DIR} has no GTest::gmock. "
      "Install it (Debian and Ubuntu: apt-get install libgmock-dev; or run scripts/setup).")
  endif()
endif()
if(KOLAM_BUILD_BENCHMARKS)
  kolam_find(benchmark libbenchmark-dev 1.7 CONFIG)
endif()
