# SPDX-License-Identifier: Apache-2.0

# Writes the headers with the build data that `kolam info` reports: build_config.hpp at configure time,
# git_revision.hpp at build time. The latter is rewritten only when the commit changes, and only
# core/src/version.cpp includes it, so that a commit recompiles one file.
if(NOT TARGET kolam_core)
  return()
endif()
get_target_property(type kolam_core TYPE)
if(type STREQUAL INTERFACE_LIBRARY)
  return()
endif()

set(generated ${PROJECT_BINARY_DIR}/generated)
string(REGEX REPLACE "(.+)" "\\1 " user_flags "${CMAKE_CXX_FLAGS}")
set(compile_options "$<TARGET_PROPERTY:kolam_core,COMPILE_OPTIONS>")
set(cuda_compiler "")
if(Kokkos_ENABLE_CUDA AND CUDAToolkit_VERSION)
  set(cuda_compiler " with CUDA ${CUDAToolkit_VERSION}")
endif()
configure_file(${PROJECT_SOURCE_DIR}/cmake/build_config.hpp.in ${generated}/build_config.hpp.in @ONLY)
file(GENERATE OUTPUT ${generated}/$<CONFIG>/kolam/core/detail/build_config.hpp
  INPUT ${generated}/build_config.hpp.in TARGET kolam_core)

set(git_header ${generated}/git/kolam/core/detail/git_revision.hpp)
add_custom_target(kolam_git_revision
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DHEADER=${git_header}
          -P ${PROJECT_SOURCE_DIR}/cmake/git_revision.cmake
  BYPRODUCTS ${git_header} VERBATIM COMMENT "")
add_dependencies(kolam_core kolam_git_revision)
target_include_directories(kolam_core PRIVATE ${generated}/$<CONFIG> ${generated}/git)
