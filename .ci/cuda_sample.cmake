# SPDX-License-Identifier: Apache-2.0
# Read behind project(): what a build for CUDA that nobody runs leaves out, because the same templates are
# compiled for double precision, and solve_poisson in space. (No such library links a program.)
file(GLOB left_out CONFIGURE_DEPENDS kernels/src/integrands/*_float.cpp solvers/linear/src/*_float.cpp
  solvers/fem/src/poisson/solve_float_*.cpp solvers/fem/src/poisson/solve_double_2d.cpp)
set_source_files_properties(${left_out} PROPERTIES HEADER_FILE_ONLY ON)
unset(left_out)
