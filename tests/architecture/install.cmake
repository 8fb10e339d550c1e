# SPDX-License-Identifier: Apache-2.0

# The examples as a downstream project, once with the installed kolam and once with kolam as a
# subdirectory that takes the installed Kokkos.
set(prefix ${CMAKE_CURRENT_BINARY_DIR}/prefix)
add_test(NAME architecture.install
  COMMAND ${CMAKE_COMMAND} --install ${PROJECT_BINARY_DIR} --prefix ${prefix})
set_tests_properties(architecture.install PROPERTIES FIXTURES_SETUP installed)

# Where Kokkos is not built here, it is not in the prefix but where CMake found it.
set(compiler -DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER} "-DCMAKE_CXX_FLAGS=${CMAKE_CXX_FLAGS}"
  -DCMAKE_BUILD_TYPE=${CMAKE_BUILD_TYPE})
set(downstream ${compiler} "-DCMAKE_PREFIX_PATH=${prefix}$<SEMICOLON>${Kokkos_DIR}")

function(add_downstream_test name)
  set(binary ${CMAKE_CURRENT_BINARY_DIR}/${name})
  add_test(NAME architecture.${name}
    COMMAND ${CMAKE_CTEST_COMMAND} --build-and-test ${PROJECT_SOURCE_DIR}/examples ${binary}
            --build-generator ${CMAKE_GENERATOR} --build-noclean
            --build-options ${downstream} ${ARGN}
            --test-command ${CMAKE_CTEST_COMMAND} --output-on-failure --no-tests=error)
  set_tests_properties(architecture.${name} PROPERTIES
    FIXTURES_REQUIRED installed ENVIRONMENT "${test_environment}")
endfunction()

add_downstream_test(as_package)
if(NOT Kokkos_ENABLE_CUDA AND NOT Kokkos_ENABLE_HIP)
  add_downstream_test(as_subdirectory
    -DKOLAM_AS_SUBDIRECTORY=${PROJECT_SOURCE_DIR} -DKOLAM_KOKKOS_SOURCE=system)
endif()
