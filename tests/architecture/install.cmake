# SPDX-License-Identifier: Apache-2.0

# The examples as a downstream project of the installed kolam, and a program whose project has kolam as a
# subdirectory that takes the installed Kokkos. (Of one room: nothing else would be built there in another way.)
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
add_test(NAME architecture.install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(architecture.install PROPERTIES FIXTURES_SETUP installed)

# Where Kokkos and its Kernels are not built here, they are not in the prefix but where CMake found them.
set(compiler -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
  -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE})
set(downstream ${compiler} "-DCMAKE_PREFIX_PATH=${prefix}$<SEMICOLON>${Kokkos_DIR}$<SEMICOLON>${KokkosKernels_DIR}")

function(add_downstream_test name source)
  set(binary ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_test(NAME architecture.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${source} ${binary}
            --build-generator ${CMAKE_GENERATOR} --build-noclean ${ARGN}
            --build-options ${downstream} -DKOLAM_KOKKOS_SOURCE=system
            --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)
  set_tests_properties(architecture.${name} PROPERTIES
    FIXTURES_REQUIRED installed ENVIRONMENT "${test_environment}")
endfunction()

add_downstream_test(as_package ${PROJECT_SOURCE_DIR}/examples)
if(NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  set(parent ${CMAKE_CURRENT_BINARY_DIR}/as_subdirectory_source)
  file(WRITE ${parent}/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(parent LANGUAGES CXX)
add_subdirectory(\"${PROJECT_SOURCE_DIR}\" kolam)
add_executable(program program.cpp)
target_link_libraries(program PRIVATE kolam::memory)
enable_testing()
add_test(NAME program COMMAND program)\n")
  file(WRITE ${parent}/program.cpp "#include <kolam/core.hpp>
#include <kolam/memory.hpp>
int main(int argc, char** argv) {
  const kolam::Runtime runtime(argc, argv);
  kolam::Array<double> u(\"u\", 3);
  u.write(kolam::host)(2) = 7;
  return u.read(kolam::host)(2) == 7 ? 0 : 1;
}\n")
  add_downstream_test(as_subdirectory ${parent} --build-target program)
endif()
