# SPDX-License-Identifier: Apache-2.0

# Most of the time to compile kolam is that of finite elements: kernels for each integrand, size, precision and
# dimension, and solvers of their operators. KOLAM_ELEMENTS=OFF leaves them out, and `double` those of single
# precision. The program then has all its commands but `kolam poisson`, or all but its `--precision float`, and
# says there how to build the rest. Such a build is scripts/demo's; it is nothing to install or to link, because
# headers promise what it lacks.
set(kolam_element_kernels_left_out "")
set(kolam_element_solvers_left_out "/src/without_elements/[^/]+$")
if(KOLAM_ELEMENTS STREQUAL "double")
  set(kolam_element_kernels_left_out "/src/integrands/[^/]+_float\\.cpp$")
  set(kolam_element_solvers_left_out "/src/poisson/solve_float[^/]+$" "/src/without_elements/solve_poisson\\.cpp$")
elseif(NOT KOLAM_ELEMENTS)
  set(kolam_element_kernels_left_out "/src/integrands/[^/]+$" "/src/element_diagonal\\.cpp$")
  set(kolam_element_solvers_left_out "/src/poisson/solve_[^/]+$" "/src/linear/[^/]+$"
    "/src/without_elements/solve_float\\.cpp$")
endif()
if(kolam_element_kernels_left_out)
  foreach(part IN ITEMS TESTS EXAMPLES BENCHMARKS)
    if(KOLAM_BUILD_${part})
      message(FATAL_ERROR "KOLAM_BUILD_${part} is on and KOLAM_ELEMENTS ${KOLAM_ELEMENTS}: they use all finite "
        "elements. Set KOLAM_ELEMENTS to ON, or KOLAM_BUILD_${part} to OFF.")
    endif()
  endforeach()
  install(CODE "message(FATAL_ERROR \"this kolam was built without all finite elements, which its headers promise: \"
    \"configure with -DKOLAM_ELEMENTS=ON and build again\")")
endif()

# Each takes longer than many other sources together: in one unit they would be one long task at the end. And units
# of the others stay as they are when elements are added.
file(GLOB kolam_long_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/solvers/src/poisson/solve_*.cpp
  ${PROJECT_SOURCE_DIR}/solvers/src/linear/*.cpp ${PROJECT_SOURCE_DIR}/solvers/src/without_elements/*.cpp)
list(APPEND kolam_long_sources ${PROJECT_SOURCE_DIR}/solvers/src/diffusion.cpp ${PROJECT_SOURCE_DIR}/solvers/src/jacobi.cpp
  ${PROJECT_SOURCE_DIR}/solvers/src/halo_exchange.cpp)
set_source_files_properties(${kolam_long_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
