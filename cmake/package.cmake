# SPDX-License-Identifier: Apache-2.0

# What is installed beside headers, libraries and the program: find_package(kolam) with targets
# kolam::core ... kolam::io and kolam::kolam, pkg-config's kolam.pc, the manual pages and the shell
# completions. A Kokkos that was built here is installed to the same prefix by its own rules, so that the
# prefix is self-contained; nothing in it names the prefix, so that it may move.
include(CMakePackageConfigHelpers)
set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/kolam)

# How this kolam was built, for those who find it.
kolam_kokkos_facts(kolam_backends kolam_kokkos_options)
if(Kokkos_SOURCE_DIR)  # built here: not said by a package
  get_directory_property(Kokkos_CUDA_ARCHITECTURES DIRECTORY ${Kokkos_SOURCE_DIR}
    DEFINITION KOKKOS_CUDA_ARCHITECTURES)
  get_directory_property(Kokkos_HIP_ARCHITECTURES DIRECTORY ${Kokkos_SOURCE_DIR}
    DEFINITION KOKKOS_HIP_ARCHITECTURES)
endif()
set(kolam_features ${kolam_backends})
set(kolam_shared ${BUILD_SHARED_LIBS})
if(kolam_mpi_target)
  list(APPEND kolam_features mpi)
endif()
if(KOLAM_HDF5_VERSION)
  list(APPEND kolam_features hdf5)
endif()
if(kolam_kokkos_kernels_target)
  list(APPEND kolam_features kokkos_kernels)
endif()

install(TARGETS kolam_kolam EXPORT kolam_targets)
install(EXPORT kolam_targets NAMESPACE kolam:: FILE kolamTargets.cmake DESTINATION ${package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/kolamConfig.cmake.in
  ${PROJECT_BINARY_DIR}/kolamConfig.cmake INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kolamConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kolamConfig.cmake ${PROJECT_BINARY_DIR}/kolamConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/hdf5.cmake ${PROJECT_SOURCE_DIR}/cmake/kokkos_facts.cmake
  DESTINATION ${package_folder})

# For make and the like. (Programs of a CPU build; for devices take the compiler and the flags from it too.)
get_property(rooms GLOBAL PROPERTY KOLAM_ROOMS)
list(REVERSE rooms)
list(TRANSFORM rooms PREPEND -lkolam_ OUTPUT_VARIABLE pc_rooms)
set(pc_libraries "")
if(kolam_kokkos_kernels_target)
  list(APPEND pc_libraries Kokkos::kokkoskernels)
endif()
list(APPEND pc_libraries Kokkos::kokkoscontainers Kokkos::kokkoscore Kokkos::kokkossimd)
set(pc_compiler ${CMAKE_CXX_COMPILER})
if(Kokkos_SOURCE_DIR)
  list(TRANSFORM pc_libraries REPLACE "Kokkos::" "-l")
  set(pc_includes "-I\${includedir}/kokkos")
  set(wrapper "\${prefix}/${CMAKE_INSTALL_BINDIR}/nvcc_wrapper")
else()
  list(TRANSFORM pc_libraries REPLACE "(.+)" "$<TARGET_LINKER_FILE:\\1>")
  set(pc_includes "-I$<JOIN:$<TARGET_PROPERTY:Kokkos::kokkoscore,INTERFACE_INCLUDE_DIRECTORIES>, -I>")
  find_program(wrapper nvcc_wrapper HINTS ${Kokkos_DIR}/../../../bin NO_CACHE)
endif()
if(Kokkos_ENABLE_CUDA)
  list(APPEND pc_libraries -lcuda)
  set(pc_compiler ${wrapper})
endif()
if(NOT BUILD_SHARED_LIBS)
  list(APPEND pc_libraries $<TARGET_LINKER_FILE:fmt::fmt> ${PNG_LIBRARIES} ${ZLIB_LIBRARIES})
  if(KOLAM_HDF5_VERSION)
    list(APPEND pc_libraries ${KOLAM_HDF5_LIBRARY})
  endif()
endif()
foreach(folder IN LISTS MPI_CXX_INCLUDE_DIRS)
  string(APPEND pc_includes " -I${folder}")
endforeach()
list(APPEND pc_libraries ${MPI_CXX_LIBRARIES} -ldl)
list(REMOVE_DUPLICATES pc_libraries)
foreach(list IN ITEMS pc_rooms pc_libraries kolam_features)
  list(JOIN ${list} " " ${list})
endforeach()
set(pc_features ${kolam_features})
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" up "${up}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/kolam.pc.in ${PROJECT_BINARY_DIR}/kolam.pc.in @ONLY)
file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/kolam.pc INPUT ${PROJECT_BINARY_DIR}/kolam.pc.in)
install(FILES ${PROJECT_BINARY_DIR}/kolam.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

if(TARGET kolam_app)
  file(GLOB pages ${PROJECT_SOURCE_DIR}/apps/manual/*.1)
  install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${PROJECT_SOURCE_DIR}/apps/manual/kolam.bash
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions RENAME kolam)
endif()
