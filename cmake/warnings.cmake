# SPDX-License-Identifier: Apache-2.0

option(KOLAM_PTXAS_VERBOSE "Print registers and spills of each CUDA kernel of kolam" OFF)

# Marks a target as our own code: our warnings, and arithmetic as it is written. Headers of others are SYSTEM and stay silent.
#
# -Wconversion because counts are 64 bits here and a silent narrowing shows only on large problems;
# -Wsign-conversion is left out: Kokkos and the standard library disagree about signs.
function(kolam_own_code target)
  # "omp simd" without OpenMP's threads: kernels vectorise in a Serial build as well. (clang would
  # look for OpenMP's device runtime on AMD's GPUs, so there the pragma is left unread.)
  set(options $<IF:$<BOOL:${Kokkos_ENABLE_HIP}>,-Wno-source-uses-openmp,-fopenmp-simd> -Wall -Wextra -Wshadow -Wconversion -Wno-sign-conversion)
  if(Kokkos_ENABLE_CUDA)
    # nvcc's generated host code is neither pedantic nor free of unused leftovers.
    list(APPEND options -Wno-unused-parameter -Wno-unused-but-set-parameter)
    # A host function that device code calls is a warning to nvcc, and a wrong result on the GPU. (Tests hand host
    # lambdas to templates for both, and call them on the host only.)
    if(NOT target MATCHES "_tests$")
      list(APPEND options "SHELL:-Xcudafe --diag_error=20011,--diag_error=20012,--diag_error=20013,--diag_error=20014,--diag_error=20015")
    endif()
    if(KOLAM_PTXAS_VERBOSE)
      list(APPEND options "SHELL:-Xptxas -v")
    endif()
  else()
    list(APPEND options -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-maybe-uninitialized)  # instrumented standard headers set it off
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    list(APPEND options -Wno-array-bounds)  # GCC 12 sees -1 in unrolled loops from 0; asan sees the real ones
  endif()
  # Sources that are compiled as one see each other's names, and types without linkage.
  set(as_one $<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>)
  list(APPEND options $<${as_one}:-Wno-shadow> $<$<AND:${as_one},$<CXX_COMPILER_ID:GNU>>:-Wno-subobject-linkage>)
  if(KOLAM_WARNINGS_AS_ERRORS)
    list(APPEND options -Werror)
  endif()
  # A product in a sum is rounded in one way everywhere, or fields would depend on how a loop was
  # compiled. (What wants a fused multiply-add says so.)
  list(APPEND options -ffp-contract=off)
  if(Kokkos_ENABLE_CUDA)
    list(APPEND options --fmad=false)
  endif()
  target_compile_options(${target} PRIVATE ${options})
endfunction()
