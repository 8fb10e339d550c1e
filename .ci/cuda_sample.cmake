# SPDX-License-Identifier: Apache-2.0
# Included after project(), for a CUDA build that is only compiled, never linked or run. Besides single precision
# (KOLAM_ELEMENTS=double) it leaves out instances of templates that other sources compile too (diffusion has steppers,
# elasticity has solvers on meshes), the matrices of Kokkos Kernels, and sources without device code.
set(left_out solvers/grid/src/jacobi.cpp solvers/fem/src/poisson/solve_double_2d.cpp
  solvers/fem/src/poisson/solve_double_on_mesh.cpp solvers/fem/src/elasticity/compiled_double.cpp
  solvers/fem/src/without_elements/solve_poisson_float.cpp solvers/fem/src/without_elements/solve_elasticity_float.cpp
  solvers/linear/src/assembled_matrix.cpp)
foreach(integrand IN ITEMS vector_mass_stored vector_mass_computed vector_diffusion_computed elasticity_computed)
  list(APPEND left_out ${PROJECT_BINARY_DIR}/generated/integrands/${integrand}_double.cpp)
endforeach()
file(GLOB_RECURSE sources core/src/*.cpp memory/src/*.cpp solvers/*/src/*.cpp)
foreach(source IN LISTS sources)
  file(STRINGS ${source} device_code REGEX "forall|parallel_|KOKKOS_|INSTANTIATE|FOR_EACH_EXECUTION_SPACE")
  if(NOT device_code)
    list(APPEND left_out ${source})
  endif()
endforeach()
set_source_files_properties(${left_out} PROPERTIES HEADER_FILE_ONLY ON)
