# SPDX-License-Identifier: Apache-2.0

# Finite elements take most of kolam's compile time: kernels for each integrand, size, precision and dimension, and
# solvers of their operators. KOLAM_ELEMENTS=OFF leaves them out, `double` leaves out single precision, and `poisson`
# also elasticity. The program keeps all its commands: a command whose code is left out says how to build it
# (solvers/fem/src/without_elements/). scripts/demo makes such builds. They cannot be installed or linked, because the
# headers declare functions that they lack.
if(NOT KOLAM_ELEMENTS MATCHES "^(ON|OFF|TRUE|FALSE|YES|NO|1|0|double|poisson)$")
  message(FATAL_ERROR "KOLAM_ELEMENTS is '${KOLAM_ELEMENTS}'; it must be ON, OFF, double or poisson")
endif()
if(KOLAM_ELEMENTS MATCHES "^(double|poisson)$")
  set(kolam_element_precisions double)
elseif(KOLAM_ELEMENTS)
  set(kolam_element_precisions float double)
else()
  set(kolam_element_precisions "")
endif()
set(kolam_element_solvers_left_out "")
# (Grid solvers use double precision only, so they never need solvers_float.cpp.)
set(kolam_solvers_left_out "")
if(NOT "float" IN_LIST kolam_element_precisions)
  set(kolam_solvers_left_out "/src/solvers_float\\.cpp$")
endif()
foreach(precision IN ITEMS float double)
  if(precision IN_LIST kolam_element_precisions)
    list(APPEND kolam_element_solvers_left_out "/src/without_elements/solve_poisson_${precision}\\.cpp$")
  else()
    list(APPEND kolam_element_solvers_left_out "/src/(poisson/solve|solvers|compiled)_${precision}[^/]*\\.cpp$")
  endif()
  if(precision IN_LIST kolam_element_precisions AND NOT KOLAM_ELEMENTS STREQUAL "poisson")
    list(APPEND kolam_element_solvers_left_out "/src/without_elements/solve_elasticity_${precision}\\.cpp$")
  else()
    list(APPEND kolam_element_solvers_left_out "/src/elasticity/(solve|compiled)_${precision}\\.cpp$")
  endif()
endforeach()
if(NOT kolam_element_precisions STREQUAL "float;double")
  foreach(part IN ITEMS EXAMPLES BENCHMARKS)
    if(KOLAM_BUILD_${part})
      message(FATAL_ERROR "KOLAM_BUILD_${part} is on and KOLAM_ELEMENTS ${KOLAM_ELEMENTS}: they use all finite "
        "elements. Set KOLAM_ELEMENTS to ON, or KOLAM_BUILD_${part} to OFF.")
    endif()
  endforeach()
  if(KOLAM_BUILD_TESTS AND KOLAM_BUILD_APPS)
    message(FATAL_ERROR "KOLAM_BUILD_TESTS is on and KOLAM_ELEMENTS ${KOLAM_ELEMENTS}: tests of the program use all "
      "finite elements. Set KOLAM_ELEMENTS to ON, or KOLAM_BUILD_TESTS or KOLAM_BUILD_APPS to OFF.")
  endif()
  install(CODE "message(FATAL_ERROR \"this kolam was built without some of the finite elements in its headers: \"
    \"configure with -DKOLAM_ELEMENTS=ON and build again\")")
endif()

# In a unity build, adding elements does not change the units of other sources: the sources of a precision are
# units of their own, of about the same size (kolam_kernels has UNITY_BUILD_MODE GROUP). A source that takes longer
# than many others together is in no unit, which would be one long task at the end of the build. (Nor are sources that
# instantiate parts of one class template: nvcc takes a part after the whole for an error.)
file(GLOB kolam_kernel_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/kernels/src/*/*.cpp)
set_source_files_properties(${kolam_kernel_sources} PROPERTIES UNITY_GROUP kernels)
file(GLOB kolam_long_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/solvers/fem/src/*/solve_*.cpp
  ${PROJECT_SOURCE_DIR}/solvers/fem/src/compiled_*.cpp ${PROJECT_SOURCE_DIR}/solvers/fem/src/*/compiled_*.cpp
  ${PROJECT_SOURCE_DIR}/solvers/fem/src/solvers_*.cpp
  ${PROJECT_SOURCE_DIR}/solvers/fem/src/hypre/*.cpp ${PROJECT_SOURCE_DIR}/solvers/linear/src/*.cpp)
foreach(source IN ITEMS diffusion halo_exchange heat jacobi stencil_steps stencil_steps_host stencil_steps_run)
  list(APPEND kolam_long_sources ${PROJECT_SOURCE_DIR}/solvers/grid/src/${source}.cpp)
endforeach()
set_source_files_properties(${kolam_long_sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
