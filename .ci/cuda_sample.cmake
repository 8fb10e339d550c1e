# SPDX-License-Identifier: Apache-2.0
# Read after project(): what a build for CUDA that nobody runs leaves out beside KOLAM_ELEMENTS=double, because the same
# templates are compiled for solve_poisson in space. (No such library links a program.)
set_source_files_properties(solvers/fem/src/poisson/solve_double_2d.cpp PROPERTIES HEADER_FILE_ONLY ON)
