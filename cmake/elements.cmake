# SPDX-License-Identifier: Apache-2.0

# Most of the time to compile kolam is that of finite elements: kernels for each integrand, size, precision and
# dimension, and solvers of their operators. Without them (KOLAM_ELEMENTS) the program has the commands that
# solve on grids, in a fraction of the time, and `kolam poisson` says how to build it. Such a build is
# scripts/demo's; it is nothing to install or to link, because headers promise what it lacks.
set(kolam_element_kernels_left_out "")
set(kolam_element_solvers_left_out "/src/without_elements/[^/]+$")
if(NOT KOLAM_ELEMENTS)
  foreach(part IN ITEMS TESTS EXAMPLES BENCHMARKS)
    if(KOLAM_BUILD_${part})
      message(FATAL_ERROR "KOLAM_BUILD_${part} is on and KOLAM_ELEMENTS off: they use finite elements. "
        "Turn KOLAM_ELEMENTS on, or KOLAM_BUILD_${part} off.")
    endif()
  endforeach()
  set(kolam_element_kernels_left_out "/src/integrands/[^/]+$" "/src/element_diagonal\\.cpp$")
  set(kolam_element_solvers_left_out "/src/poisson/solve_[^/]+$" "/src/linear/[^/]+$")
  install(CODE "message(FATAL_ERROR \"this kolam was built without finite elements, which its headers promise: \"
    \"configure with -DKOLAM_ELEMENTS=ON and build again\")")
endif()

# Each takes longer than many other sources together: in one unit they would be one long task at the end.
file(GLOB kolam_long_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/solvers/src/poisson/solve_*.cpp)
set_source_files_properties(${kolam_long_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
