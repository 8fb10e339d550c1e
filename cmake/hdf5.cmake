# SPDX-License-Identifier: Apache-2.0

# kolam_find_hdf5(<result variable>): looks for HDF5's C library, 1.10.2 or newer, serial or parallel,
# and sets the result to its version or to an empty string. If found, it is the target kolam_hdf5, however
# HDF5 was installed. HDF5_ROOT names a prefix; HDF5_PREFER_PARALLEL chooses if both kinds are there. This
# file is also part of the installed package.
#
# CMake's own FindHDF5 compiles C, and neither kolam nor a project that uses it has to enable C.
function(kolam_find_hdf5 result)
  if(NOT TARGET kolam_hdf5)
    set(suffixes hdf5/serial hdf5/openmpi hdf5/mpich)
    if(HDF5_PREFER_PARALLEL)
      set(suffixes hdf5/openmpi hdf5/mpich hdf5/serial)
    endif()
    set(prefix ${HDF5_ROOT} $ENV{HDF5_ROOT})
    # A named prefix and plain include folders come before Debian's folders.
    find_path(KOLAM_HDF5_INCLUDE hdf5.h HINTS ${prefix} PATH_SUFFIXES include ${suffixes})
    string(REGEX MATCH "hdf5/(serial|openmpi|mpich)$" variant "${KOLAM_HDF5_INCLUDE}")
    find_library(KOLAM_HDF5_LIBRARY hdf5 HINTS ${prefix} PATH_SUFFIXES ${variant} lib lib64)
    mark_as_advanced(KOLAM_HDF5_INCLUDE KOLAM_HDF5_LIBRARY)
    set(version "")
    if(KOLAM_HDF5_INCLUDE AND KOLAM_HDF5_LIBRARY)
      file(STRINGS ${KOLAM_HDF5_INCLUDE}/H5public.h line REGEX "define H5_VERS_INFO")
      string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" version "${line}")
    endif()
    if(NOT version OR version VERSION_LESS 1.10.2)
      set(${result} "" PARENT_SCOPE)
      return()
    endif()

    add_library(kolam_hdf5 INTERFACE IMPORTED GLOBAL)
    set_target_properties(kolam_hdf5 PROPERTIES INTERFACE_INCLUDE_DIRECTORIES ${KOLAM_HDF5_INCLUDE}
      INTERFACE_LINK_LIBRARIES ${KOLAM_HDF5_LIBRARY} kolam_version ${version} kolam_kind serial)
    file(GLOB configuration ${KOLAM_HDF5_INCLUDE}/H5pubconf*.h)
    foreach(file IN LISTS configuration)
      file(STRINGS ${file} line REGEX "define H5_HAVE_PARALLEL 1")
      if(line)
        find_package(MPI COMPONENTS CXX QUIET)  # parallel HDF5's headers include MPI's
        if(NOT MPI_CXX_FOUND)
          message(FATAL_ERROR "The HDF5 in ${KOLAM_HDF5_INCLUDE} is parallel, and CMake finds no MPI. Install "
            "the MPI that it was built with (Debian: libopenmpi-dev), or name a serial HDF5 in HDF5_ROOT.")
        endif()
        target_link_libraries(kolam_hdf5 INTERFACE MPI::MPI_CXX)
        set_target_properties(kolam_hdf5 PROPERTIES kolam_kind parallel)
        break()
      endif()
    endforeach()
  endif()
  get_target_property(version kolam_hdf5 kolam_version)
  set(${result} "${version}" PARENT_SCOPE)
endfunction()
