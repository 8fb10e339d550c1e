# SPDX-License-Identifier: Apache-2.0

# Tests of an installed kolam in other projects: moved after its installation, as a CMake package and through
# pkg-config, with its errors for mismatches. Also tests kolam's sources within another project.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/install.cmake "
file(REMOVE_RECURSE \"${prefix}\" \"${prefix}_before\")
execute_process(COMMAND_ERROR_IS_FATAL ANY
  COMMAND \"${CMAKE_COMMAND}\" --install \"${PROJECT_BINARY_DIR}\" --prefix \"${prefix}_before\")
file(RENAME \"${prefix}_before\" \"${prefix}\")\n")
add_test(NAME architecture.install COMMAND ${CMAKE_COMMAND} -P ${CMAKE_CURRENT_BINARY_DIR}/install.cmake)
set_tests_properties(architecture.install PROPERTIES FIXTURES_SETUP installed)

# The prefix lacks Kokkos and Kokkos Kernels unless kolam built them, so their folders are added to the path.
set(compiler -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
  -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE})
set(downstream ${compiler} "-DCMAKE_PREFIX_PATH=${prefix}$<SEMICOLON>${Kokkos_DIR}$<SEMICOLON>${KokkosKernels_DIR}")

# add_downstream_test(<name> <source folder> [options of ctest --build-and-test...]
#                     OPTIONS <options of its configuration...>)
function(add_downstream_test name source)
  cmake_parse_arguments(PARSE_ARGV 2 test "" "" OPTIONS)
  add_test(NAME architecture.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${source} ${CMAKE_CURRENT_BINARY_DIR}/${name}
            --build-generator ${CMAKE_GENERATOR} --build-noclean ${test_UNPARSED_ARGUMENTS}
            --build-options ${test_OPTIONS}
            --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)
  set_tests_properties(architecture.${name} PROPERTIES
    FIXTURES_REQUIRED installed ENVIRONMENT "${test_environment}")
endfunction()

# (-O1 takes half of the time to compile. nvcc accepts only one -O flag, and no precompiled headers through Kokkos'
# wrapper.)
set(precompiled -DCMAKE_PROJECT_INCLUDE=${CMAKE_CURRENT_SOURCE_DIR}/precompile_examples.cmake)
if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
  set(precompiled)
endif()
add_downstream_test(as_package ${PROJECT_SOURCE_DIR}/examples
  OPTIONS ${downstream} ${precompiled} "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -DNDEBUG")
if(Kokkos_ENABLE_CUDA OR Kokkos_ENABLE_HIP)
  return()
endif()

# Writes a project whose program uses one module; the CMake code `text` finds kolam.
function(write_project folder text)
  file(WRITE ${folder}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES CXX)
${text}
add_executable(program program.cpp)
target_link_libraries(program PRIVATE kolam::memory)
enable_testing()
add_test(NAME program COMMAND program)\n")
  file(WRITE ${folder}/program.cpp "#include <kolam/core.hpp>
#include <kolam/memory.hpp>
int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  kolam::Array<double> u(\"u\", 3);
  u.write(kolam::host)(2) = 7;
  return u.read(kolam::host)(2) == 7 ? 0 : 1;
}\n")
endfunction()

set(sources ${CMAKE_CURRENT_BINARY_DIR}/sources)
# The package must not look for dependencies of other modules.
write_project(${sources}/module "find_package(kolam 0.1 REQUIRED COMPONENTS memory serial)
if(NOT kolam_KOKKOS_VERSION STREQUAL Kokkos_VERSION OR NOT \"serial\" IN_LIST kolam_BACKENDS)
  message(FATAL_ERROR \"kolam says: \${kolam_KOKKOS_VERSION}, \${kolam_BACKENDS}\")
endif()")
add_downstream_test(as_module ${sources}/module
  OPTIONS ${downstream} -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON -DCMAKE_DISABLE_FIND_PACKAGE_fmt=ON)
# The using project builds kolam and Kokkos as shared libraries. (lookup.parent adds kolam as a subdirectory.)
write_project(${sources}/fetched "include(FetchContent)
FetchContent_Declare(kolam SOURCE_DIR \"${PROJECT_SOURCE_DIR}\")
FetchContent_MakeAvailable(kolam)
if(NOT BUILD_SHARED_LIBS)
  message(FATAL_ERROR \"static\")
endif()")
add_downstream_test(as_shared_fetched_content ${sources}/fetched --build-target program
  OPTIONS ${compiler} -DCMAKE_CXX_FLAGS_RELEASE=-O0 -DCMAKE_UNITY_BUILD=ON -DBUILD_SHARED_LIBS=ON -DKOLAM_KOKKOS_SOURCE=registry
          -DKOLAM_DOWNLOAD_CACHE=${KOLAM_DOWNLOAD_CACHE} -DKOLAM_KOKKOS_KERNELS=off -DKOLAM_MPI=off -DKOLAM_HDF5=off)

# pkg-config, for make and similar: one compiler command.
find_program(KOLAM_PKG_CONFIG pkg-config)
mark_as_advanced(KOLAM_PKG_CONFIG)
if(KOLAM_PKG_CONFIG)
  add_test(NAME architecture.pkg_config COMMAND bash -euc "
    flags=\"$('${KOLAM_PKG_CONFIG}' --cflags --libs kolam)\"
    eval \"'${CMAKE_CXX_COMPILER}' ${CMAKE_CXX_FLAGS} '${PROJECT_SOURCE_DIR}/examples/first_program.cpp' $flags -o with_pkg_config\"
    ./with_pkg_config")
  set_tests_properties(architecture.pkg_config PROPERTIES FIXTURES_REQUIRED installed
    ENVIRONMENT "PKG_CONFIG_PATH=${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig;${test_environment}"
    PASS_REGULAR_EXPRESSION "^y\\(321\\) = 642\n$")

  # Programs compiled for another processor than kolam: the public options enable the instruction sets they need, and
  # element data keep the library's layout. (x86-64 has the fewest; the last -march option wins.)
  set(other_compiler ${CMAKE_CURRENT_BINARY_DIR}/other_compiler)
  file(CONFIGURE OUTPUT ${other_compiler} @ONLY CONTENT [[#!/bin/sh
if '@CMAKE_CXX_COMPILER@' -march=x86-64 -E -x c++ /dev/null > /dev/null 2>&1; then set -- "$@" -march=x86-64; fi
exec '@CMAKE_CXX_COMPILER@' "$@"
]])
  file(CHMOD ${other_compiler} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  add_test(NAME architecture.other_march COMMAND bash -euc "
    flags=\"$('${KOLAM_PKG_CONFIG}' --cflags --libs kolam)\"
    eval \"'${other_compiler}' ${CMAKE_CXX_FLAGS} -O1 '${PROJECT_SOURCE_DIR}/examples/own_operator.cpp' $flags -o other_march\"
    ./other_march")
  set_tests_properties(architecture.other_march PROPERTIES FIXTURES_REQUIRED installed
    ENVIRONMENT "PKG_CONFIG_PATH=${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig;${test_environment}"
    PASS_REGULAR_EXPRESSION "converged after [0-9]+ iterations, integral 0.0568767[0-9]\n$")
  add_downstream_test(as_module_by_another_compiler ${sources}/module
    OPTIONS ${downstream} -DCMAKE_CXX_COMPILER=${other_compiler})

  # Without the options a program must not compile. (With registers of 16 bytes there is nothing to test.)
  add_test(NAME architecture.mismatch.registers COMMAND bash -euc "
    flags=\"$('${KOLAM_PKG_CONFIG}' --cflags kolam | sed 's/ -m[^ ]*//g')\"
    if grep -q 'register_bytes = 16' '${prefix}/${CMAKE_INSTALL_INCLUDEDIR}/kolam/core/detail/registers.hpp'; then echo 'compiled for registers of 16'
    elif eval \"'${CMAKE_CXX_COMPILER}' ${CMAKE_CXX_FLAGS} -fsyntax-only '${PROJECT_SOURCE_DIR}/examples/first_program.cpp' $flags\"; then
      echo 'accepted all the same'
    fi")
  set_tests_properties(architecture.mismatch.registers PROPERTIES FIXTURES_REQUIRED installed
    ENVIRONMENT "PKG_CONFIG_PATH=${prefix}/${CMAKE_INSTALL_LIBDIR}/pkgconfig;${test_environment}"
    PASS_REGULAR_EXPRESSION "compiled for registers of [0-9]+" FAIL_REGULAR_EXPRESSION "accepted all the same")
endif()

# The moved program. (If the RPATH is set from outside, as by Spack, LD_LIBRARY_PATH names the libraries.)
set(program_environment ${test_environment})
if(NOT CMAKE_INSTALL_RPATH MATCHES "[$]ORIGIN")
  list(APPEND program_environment LD_LIBRARY_PATH=${prefix}/${CMAKE_INSTALL_LIBDIR}:$ENV{LD_LIBRARY_PATH})
endif()
add_test(NAME architecture.program COMMAND ${prefix}/${CMAKE_INSTALL_BINDIR}/kolam info)
set_tests_properties(architecture.program PROPERTIES FIXTURES_REQUIRED installed ENVIRONMENT "${program_environment}")

# Mismatches are errors with a message. A KokkosConfig.cmake without a library represents another Kokkos.
function(add_mismatch_test name components kokkos expected)
  set(source ${sources}/${name})
  write_project(${source} "find_package(kolam REQUIRED ${components})")
  set(options ${downstream})
  if(kokkos)
    file(WRITE ${source}/kokkos/KokkosConfig.cmake "add_library(Kokkos::kokkos INTERFACE IMPORTED)\n${kokkos}\n")
    list(APPEND options -DKokkos_DIR=${source}/kokkos)
  endif()
  add_test(NAME architecture.mismatch.${name}
    COMMAND ${CMAKE_COMMAND} --fresh -G ${CMAKE_GENERATOR} ${options} -S ${source} -B ${source}/build)
  string(REPLACE " " "[ \n]+" expected "${expected}")  # CMake wraps its errors anywhere
  set_tests_properties(architecture.mismatch.${name} PROPERTIES
    FIXTURES_REQUIRED installed PASS_REGULAR_EXPRESSION "${expected}")
endfunction()

list(JOIN kolam_backends ", " backends)
add_mismatch_test(feature "COMPONENTS cuda" "" "was built without cuda, with ${backends}")
add_mismatch_test(component "COMPONENTS kernel" "" "kolam has no component kernel. Modules are core, memory, kernels, comm")
add_mismatch_test(kokkos_version "" "set(Kokkos_VERSION 4.7.99)\nset(Kokkos_ENABLE_SERIAL ON)"
  "built with Kokkos ${Kokkos_VERSION} for ${backends}, and this project uses Kokkos 4.7.99 for serial")
set(same "set(Kokkos_VERSION ${Kokkos_VERSION})")
foreach(backend IN LISTS kolam_backends)
  string(TOUPPER ${backend} name)
  string(APPEND same "\nset(Kokkos_ENABLE_${name} ON)")
endforeach()
add_mismatch_test(kokkos_backends "" "${same}\nset(Kokkos_ENABLE_HIP ON)" "for ${backends}, hip .* do not fit")
add_mismatch_test(kokkos_options "" "${same}\nset(Kokkos_ENABLE_DEBUG_BOUNDS_CHECK ON)"
  "has 'debug_bounds_check': their Views differ")
