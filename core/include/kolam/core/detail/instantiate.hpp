// SPDX-License-Identifier: Apache-2.0
// Explicit instantiation for the execution spaces of this build, which only a macro can express.
#pragma once

#include <Kokkos_Macros.hpp>

#ifdef KOKKOS_ENABLE_CUDA
#define KOLAM_ON_CUDA(MACRO) MACRO(Kokkos::Cuda)
#else
#define KOLAM_ON_CUDA(MACRO)
#endif
#ifdef KOKKOS_ENABLE_HIP
#define KOLAM_ON_HIP(MACRO) MACRO(Kokkos::HIP)
#else
#define KOLAM_ON_HIP(MACRO)
#endif
#ifdef KOKKOS_ENABLE_SYCL
#define KOLAM_ON_SYCL(MACRO) MACRO(Kokkos::SYCL)
#else
#define KOLAM_ON_SYCL(MACRO)
#endif
#ifdef KOKKOS_ENABLE_OPENMP
#define KOLAM_ON_OPENMP(MACRO) MACRO(Kokkos::OpenMP)
#else
#define KOLAM_ON_OPENMP(MACRO)
#endif
#ifdef KOKKOS_ENABLE_THREADS
#define KOLAM_ON_THREADS(MACRO) MACRO(Kokkos::Threads)
#else
#define KOLAM_ON_THREADS(MACRO)
#endif
#ifdef KOKKOS_ENABLE_SERIAL
#define KOLAM_ON_SERIAL(MACRO) MACRO(Kokkos::Serial)
#else
#define KOLAM_ON_SERIAL(MACRO)
#endif

#define KOLAM_FOR_EACH_EXECUTION_SPACE(MACRO) \
  KOLAM_ON_CUDA(MACRO)                        \
  KOLAM_ON_HIP(MACRO)                         \
  KOLAM_ON_SYCL(MACRO) KOLAM_ON_OPENMP(MACRO) KOLAM_ON_THREADS(MACRO) KOLAM_ON_SERIAL(MACRO)
