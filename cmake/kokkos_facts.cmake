# SPDX-License-Identifier: Apache-2.0

# kolam_kokkos_facts(<backends variable> <options variable>): sets the variables to the backends of the
# Kokkos in this scope (serial, openmp, ...) and to those of its options that change its types. All code
# that is linked together must agree on both. This file is also part of the installed package.
function(kolam_kokkos_facts backends_variable options_variable)
  set(backends SERIAL OPENMP THREADS CUDA HIP SYCL)
  set(options DEBUG DEBUG_BOUNDS_CHECK IMPL_VIEW_LEGACY
    CUDA_RELOCATABLE_DEVICE_CODE HIP_RELOCATABLE_DEVICE_CODE SYCL_RELOCATABLE_DEVICE_CODE)
  foreach(kind IN ITEMS backends options)
    set(enabled "")
    foreach(name IN LISTS ${kind})
      if(Kokkos_ENABLE_${name})
        list(APPEND enabled ${name})
      endif()
    endforeach()
    string(TOLOWER "${enabled}" enabled)
    set(${${kind}_variable} "${enabled}" PARENT_SCOPE)
  endforeach()
endfunction()
