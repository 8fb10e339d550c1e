# SPDX-License-Identifier: Apache-2.0

option(KOLAM_PTXAS_VERBOSE "Print registers and spills of each CUDA kernel of kolam" OFF)

# Sets kolam's warnings for a target of kolam, and turns fused multiply-adds off. Third-party headers are SYSTEM and
# give no warnings.
#
# -Wconversion is on because counts have 64 bits and a silent narrowing shows only on large problems.
# -Wsign-conversion is off because Kokkos and the standard library disagree about signs.
function(kolam_own_code target)
  # -fopenmp-simd enables "omp simd" without OpenMP threads: kernels vectorise in a Serial build too. (For
  # AMD GPUs clang would look for OpenMP's device runtime, so there the pragma is ignored.)
  set(options $<IF:$<BOOL:${Kokkos_ENABLE_HIP}>,-Wno-source-uses-openmp,-fopenmp-simd> -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
  if(Kokkos_ENABLE_CUDA)
    # nvcc's generated host code is not pedantic and has unused parameters.
    list(APPEND options -Wno-unused-parameter -Wno-unused-but-set-parameter)
    # If device code calls a host function, nvcc only warns, and results on the GPU are wrong. (Tests pass host lambdas
    # to host-device templates, and call them on the host only.)
    if(NOT target MATCHES "_tests$")
      list(APPEND options "SHELL:-Xcudafe --diag_error=20011,--diag_error=20012,--diag_error=20013,--diag_error=20014,--diag_error=20015")
    endif()
    if(KOLAM_PTXAS_VERBOSE)
      list(APPEND options "SHELL:-Xptxas -v")
    endif()
  else()
    list(APPEND options -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual)
    if(Kokkos_ENABLE_HIP)
      list(APPEND options -Wno-unused-parameter)  # of functions that device code never runs
    endif()
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-maybe-uninitialized)  # false alarms in instrumented standard headers
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-array-bounds)  # GCC 12 sees index -1 in unrolled loops from 0; asan finds real errors
  endif()
  # In a unity build sources see each other's names, and types without linkage.
  set(as_one $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
  list(APPEND options $<${as_one}:-Wno-shadow> $<$<AND:${as_one},$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
  if(KOLAM_WARNINGS_AS_ERRORS)
    list(APPEND options -Werror)
  endif()
  # Without automatic fused multiply-adds, results do not depend on how a loop was compiled. (Code that
  # wants one calls it explicitly.)
  list(APPEND options -ffp-contract=off)
  if(Kokkos_ENABLE_CUDA)
    list(APPEND options --fmad=false)
  endif()
  target_compile_options(${target} PRIVATE ${options})
endfunction()
