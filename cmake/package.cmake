# SPDX-License-Identifier: Apache-2.0

# find_package(kolam): targets kolam::core ... kolam::io and kolam::kolam. A Kokkos that was built
# here is installed to the same prefix by its own rules, so that the prefix is self-contained.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/kolam)

install(TARGETS kolam_kolam EXPORT kolam_targets)
install(EXPORT kolam_targets NAMESPACE kolam:: FILE kolamTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/kolamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/kolamConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kolamConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kolamConfig.cmake ${PROJECT_BINARY_DIR}/kolamConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/hdf5.cmake
  DESTINATION ${package_folder})
