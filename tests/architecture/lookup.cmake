# SPDX-License-Identifier: Apache-2.0

# The three sources of Kokkos and Kokkos Kernels: each test configures kolam afresh and checks the output.
function(add_lookup_test name expected)
  add_test(NAME lookup.${name}
    COMMAND ${CMAKE_COMMAND} --fresh -G ${CMAKE_GENERATOR} ${compiler} -DKOLAM_BUILD_TESTS=OFF
            -S ${source} -B ${lookup}/${name} ${ARGN})
  string(REPLACE " " "[ \n]+" expected "${expected}")  # CMake wraps its errors anywhere
  set_tests_properties(lookup.${name} PROPERTIES PASS_REGULAR_EXPRESSION "${expected}")
endfunction()

set(lookup ${CMAKE_CURRENT_BINARY_DIR}/lookup)
set(source ${PROJECT_SOURCE_DIR})
set(cache -DKOLAM_DOWNLOAD_CACHE=${KOLAM_DOWNLOAD_CACHE})

if(kolam_kokkos_kernels_target)
  set(kernels "[0-9.]+ ")
else()
  set(kernels "none beside")
endif()
add_lookup_test(system "Kokkos: [0-9.]+ from system.*Kokkos Kernels: ${kernels}.*Generating done"
  -DKOLAM_KOKKOS_SOURCE=system ${downstream})
set_tests_properties(lookup.system PROPERTIES FIXTURES_REQUIRED installed)

add_lookup_test(registry "Kokkos: 4.7.0 from registry.*Kokkos Kernels: 4.4.0 from registry.*Generating done"
  -DKOLAM_KOKKOS_SOURCE=registry ${cache})
set_tests_properties(lookup.registry PROPERTIES FIXTURES_SETUP registry_sources)

# The archive source without a network: archives are made from the registry's sources.
file(MAKE_DIRECTORY ${lookup})
file(WRITE ${lookup}/use_archives.cmake "")
set(from_archives -DKOLAM_KOKKOS_SOURCE=archive)
set(packages kokkos kokkos-kernels)
set(versions 4.7.00 4.4.00)
foreach(package version IN ZIP_LISTS packages versions)
  set(archive ${lookup}/${package}.tar.gz)
  add_test(NAME lookup.make_archive_of_${package}
    COMMAND ${CMAKE_COMMAND} -E tar czf ${archive} ${package}-${version} WORKING_DIRECTORY ${KOLAM_DOWNLOAD_CACHE})
  set_tests_properties(lookup.make_archive_of_${package} PROPERTIES
    FIXTURES_REQUIRED registry_sources FIXTURES_SETUP archives)
  string(TOUPPER KOLAM_${package}_ARCHIVE option)
  string(REPLACE - _ option ${option})
  file(APPEND ${lookup}/use_archives.cmake
    "file(SHA256 \"${archive}\" hash)\nset(${option}_SHA256 \${hash} CACHE STRING \"\")\n")
  list(APPEND from_archives -D${option}_URL=file://${archive})
endforeach()
add_lookup_test(archive "Kokkos: 4.7.0 from archive.*Kokkos Kernels: 4.4.0 from archive.*Generating done"
  ${from_archives} -C ${lookup}/use_archives.cmake -DKOLAM_DOWNLOAD_CACHE=${lookup}/archive_cache)
add_lookup_test(archive_damaged "SHA-256 is [0-9a-f]+, not 0123" ${from_archives}
  -DKOLAM_KOKKOS_ARCHIVE_SHA256=0123 -DKOLAM_DOWNLOAD_CACHE=${lookup}/archive_cache)
set_tests_properties(lookup.archive lookup.archive_damaged PROPERTIES FIXTURES_REQUIRED archives)

# All sources fail: an old Kokkos, a missing archive and a Python without pip.
include(CMakePackageConfigHelpers)
file(WRITE ${lookup}/old/KokkosConfig.cmake "message(FATAL_ERROR \"this Kokkos is too old\")\n")
write_basic_package_version_file(${lookup}/old/KokkosConfigVersion.cmake
  VERSION 4.2.1 COMPATIBILITY AnyNewerVersion)
set(only_old -DCMAKE_MAKE_PROGRAM=${CMAKE_MAKE_PROGRAM} -DKokkos_DIR=${lookup}/old
  -DCMAKE_FIND_USE_CMAKE_ENVIRONMENT_PATH=OFF -DCMAKE_FIND_USE_PACKAGE_ROOT_PATH=OFF
  -DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF -DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
add_lookup_test(nothing_left
  "system: .*is 4.2.1.*archive: file:///nowhere/kokkos.tar.gz: .*registry: pip download"
  ${only_old} -DKOLAM_KOKKOS_ARCHIVE_URL=file:///nowhere/kokkos.tar.gz -DKOLAM_PYTHON=/bin/false
  -DKOLAM_DOWNLOAD_CACHE=${lookup}/empty_cache)
add_lookup_test(system_too_old "kolam needs 4.7 or newer, below 6, and .*KokkosConfig.cmake is 4.2.1"
  ${only_old} -DKOLAM_KOKKOS_SOURCE=system)
add_lookup_test(no_kernels "KOLAM_KOKKOS_KERNELS is on; Kokkos Kernels: none beside the Kokkos"
  -DKOLAM_KOKKOS_SOURCE=system -DKOLAM_KOKKOS_KERNELS=on ${downstream} -DCMAKE_DISABLE_FIND_PACKAGE_KokkosKernels=ON)
set_tests_properties(lookup.no_kernels PROPERTIES FIXTURES_REQUIRED installed)
if(NOT BUILD_SHARED_LIBS)
  add_lookup_test(static_kokkos "BUILD_SHARED_LIBS is ON, and this Kokkos .* is a static library"
    -DKOLAM_KOKKOS_SOURCE=system ${downstream} -DBUILD_SHARED_LIBS=ON)
  set_tests_properties(lookup.static_kokkos PROPERTIES FIXTURES_REQUIRED installed)
endif()
add_lookup_test(unknown_way "KOLAM_KOKKOS_SOURCE is 'internet'" -DKOLAM_KOKKOS_SOURCE=internet)
add_lookup_test(unknown_elements "KOLAM_ELEMENTS is 'float'; it must be ON, OFF, double or poisson" -DKOLAM_ELEMENTS=float)

# Tests and examples need all finite elements.
add_lookup_test(without_elements "KOLAM_BUILD_EXAMPLES is on and KOLAM_ELEMENTS double"
  -DKOLAM_KOKKOS_SOURCE=registry ${cache} -DKOLAM_ELEMENTS=double -DKOLAM_BUILD_EXAMPLES=ON)
set_tests_properties(lookup.without_elements PROPERTIES FIXTURES_REQUIRED registry_sources)
add_test(NAME architecture.elements COMMAND ${KOLAM_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/elements_test.py
  ${CMAKE_COMMAND} -G ${CMAKE_GENERATOR} ${compiler} -DKOLAM_KOKKOS_SOURCE=registry ${cache})
set_tests_properties(architecture.elements PROPERTIES FIXTURES_REQUIRED registry_sources)

# kolam always uses the Kokkos that its parent project builds.
set(source ${lookup}/parent_source)
file(WRITE ${source}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
add_subdirectory(\"${KOLAM_DOWNLOAD_CACHE}/kokkos-4.7.00\" kokkos)
add_subdirectory(\"${PROJECT_SOURCE_DIR}\" kolam)\n")
add_lookup_test(parent "Kokkos: 4.7.0 from parent project.*Generating done")
set_tests_properties(lookup.parent PROPERTIES FIXTURES_REQUIRED registry_sources)
