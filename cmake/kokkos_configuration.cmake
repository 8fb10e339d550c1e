# SPDX-License-Identifier: Apache-2.0

# Configures a Kokkos that is built with kolam, and checks any Kokkos, built or found.
set(KOLAM_CUDA_ARCHITECTURE "" CACHE STRING "Compute capability to build for, e.g. 90; empty: this machine's GPU")
set(KOLAM_HIP_ARCHITECTURE "" CACHE STRING "AMD architecture to build for, e.g. gfx90a")
option(KOLAM_PORTABLE "Do not optimise for this machine's CPU, so that the binaries run on others" OFF)

set(kolam_cuda_architectures 70=VOLTA70 75=TURING75 80=AMPERE80 86=AMPERE86 87=AMPERE87 89=ADA89
  90=HOPPER90 100=BLACKWELL100 120=BLACKWELL120)

# Sets the two variables to the Kokkos_ARCH_* options that are ON, those of CPUs and those of GPUs.
function(kolam_kokkos_architectures cpu_variable gpu_variable)
  get_cmake_property(names CACHE_VARIABLES)
  list(FILTER names INCLUDE REGEX "^Kokkos_ARCH_")
  set(cpu "")
  set(gpu "")
  foreach(name IN LISTS names)
    if(${name} AND name MATCHES "VOLTA|TURING|AMPERE|ADA|HOPPER|BLACKWELL|AMD_GFX|VEGA|NAVI|INTEL")
      list(APPEND gpu ${name})
    elseif(${name})
      list(APPEND cpu ${name})
    endif()
  endforeach()
  set(${cpu_variable} ${cpu} PARENT_SCOPE)
  set(${gpu_variable} ${gpu} PARENT_SCOPE)
endfunction()

# A macro, because it sets CMAKE_CXX_FLAGS for HIP.
macro(kolam_configure_kokkos origin)
  kolam_kokkos_architectures(cpu gpu)
  if(NOT cpu AND NOT KOLAM_PORTABLE)
    set(Kokkos_ARCH_NATIVE ON CACHE BOOL "Optimise for this machine's CPU")
  endif()
  if(Kokkos_ENABLE_CUDA)
    if(NOT gpu)
      kolam_cuda_architecture_option(option)
      set(${option} ON CACHE BOOL "GPU to build for")
    endif()
    find_package(CUDAToolkit REQUIRED)
    find_program(nvcc nvcc NO_CACHE)
    if(NOT nvcc)
      message(FATAL_ERROR "Kokkos' compiler wrapper calls nvcc through PATH, but nvcc is not on PATH. "
        "It is ${CUDAToolkit_NVCC_EXECUTABLE}; run: export PATH=${CUDAToolkit_BIN_DIR}:$PATH")
    endif()
    # CUDA 12.9 and newer miscompile the mdspan-based View of 4.7.00: wrong offsets of captured
    # Views in reductions. Kokkos 5.0.2 is clean.
    if("${origin}" MATCHES "^registry" AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.9)
      set(Kokkos_ENABLE_IMPL_VIEW_LEGACY ON CACHE BOOL "View without mdspan (CUDA miscompiles the one with it)")
    endif()
  endif()
  if(Kokkos_ENABLE_HIP)
    kolam_configure_hip("${gpu}")
  endif()
endmacro()

function(kolam_cuda_architecture_option option_variable)
  set(architecture ${KOLAM_CUDA_ARCHITECTURE})
  if(NOT architecture)
    execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE answer ERROR_QUIET RESULT_VARIABLE failed)
    if(failed OR NOT answer MATCHES "^([0-9]+)\\.([0-9]+)")
      message(FATAL_ERROR "nvidia-smi finds no GPU here, so the CUDA architecture is not known. "
        "Name it: -DKOLAM_CUDA_ARCHITECTURE=90 (H100, H200), 80 (A100), 89 (L40), ...")
    endif()
    set(architecture ${CMAKE_MATCH_1}${CMAKE_MATCH_2})
  endif()
  set(known ${kolam_cuda_architectures})
  list(FILTER known INCLUDE REGEX "^${architecture}=")
  if(NOT known)
    list(TRANSFORM kolam_cuda_architectures REPLACE "=.*" "")
    list(JOIN kolam_cuda_architectures ", " list)
    message(FATAL_ERROR "CUDA architecture '${architecture}' is none of ${list}. "
      "Set KOLAM_CUDA_ARCHITECTURE to one of them, or Kokkos_ARCH_... directly.")
  endif()
  string(REGEX REPLACE ".*=" "Kokkos_ARCH_" option ${known})
  message(STATUS "CUDA architecture: ${architecture}")
  set(${option_variable} ${option} PARENT_SCOPE)
endfunction()

# Sets `result` to the folder of ROCm's device libraries. Old ones (Debian 12 has ROCm 5.2) lack the file that names
# gfx942, which differs from gfx940's in a number: then it is a folder of the build with links to them all.
function(kolam_complete_device_libs result)
  set(folder ${KOLAM_ROCM_DEVICE_LIBS})
  set(old ${folder}/oclc_isa_version_940.bc)
  if((Kokkos_ARCH_AMD_GFX942 OR Kokkos_ARCH_AMD_GFX942_APU) AND EXISTS ${old}
      AND NOT EXISTS ${folder}/oclc_isa_version_942.bc)
    file(GLOB libraries ${folder}/*.bc)
    set(folder ${PROJECT_BINARY_DIR}/rocm-device-libs)
    file(MAKE_DIRECTORY ${folder})
    foreach(library IN LISTS libraries)
      get_filename_component(name ${library} NAME)
      file(CREATE_LINK ${library} ${folder}/${name} SYMBOLIC)
    endforeach()
    file(CREATE_LINK ${old} ${folder}/oclc_isa_version_942.bc SYMBOLIC)
  endif()
  set(${result} ${folder} PARENT_SCOPE)
endfunction()

macro(kolam_configure_hip gpu)
  if(NOT "${gpu}" AND NOT KOLAM_HIP_ARCHITECTURE)
    message(FATAL_ERROR "HIP needs its architecture: -DKOLAM_HIP_ARCHITECTURE=gfx90a (MI200), gfx942 (MI300), ...")
  endif()
  if(KOLAM_HIP_ARCHITECTURE)
    string(TOUPPER "Kokkos_ARCH_AMD_${KOLAM_HIP_ARCHITECTURE}" option)
    string(REPLACE "KOKKOS_ARCH" "Kokkos_ARCH" option ${option})
    set(${option} ON CACHE BOOL "GPU to build for")
  endif()
  # A distribution's clang does not know where the distribution put ROCm.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CXX_FLAGS MATCHES "--rocm-path")
    file(GLOB candidates /usr/lib/*/amdgcn/bitcode /usr/lib/llvm-*/lib/clang/*/lib/amdgcn/bitcode
      /usr/lib/clang/*/lib/amdgcn/bitcode)
    find_path(KOLAM_ROCM_DEVICE_LIBS ockl.bc
      PATHS $ENV{ROCM_PATH}/amdgcn/bitcode ${candidates} /usr/amdgcn/bitcode /opt/rocm/amdgcn/bitcode
      NO_DEFAULT_PATH DOC "Folder of ROCm's device libraries (ockl.bc)")
    find_path(KOLAM_ROCM_PATH include/hip/hip_runtime.h PATHS $ENV{ROCM_PATH} /usr /opt/rocm
      NO_DEFAULT_PATH DOC "ROCm's prefix")
    if(NOT KOLAM_ROCM_DEVICE_LIBS OR NOT KOLAM_ROCM_PATH)
      message(FATAL_ERROR "ROCm was not found (device libraries: ${KOLAM_ROCM_DEVICE_LIBS}, headers: "
        "${KOLAM_ROCM_PATH}). Set ROCM_PATH, or install it (scripts/setup hip).")
    endif()
    kolam_complete_device_libs(libraries)
    string(APPEND CMAKE_CXX_FLAGS " -Wno-unused-command-line-argument"
      " --rocm-path=${KOLAM_ROCM_PATH} --rocm-device-lib-path=${libraries}"
      " -include ${PROJECT_SOURCE_DIR}/cmake/old_hip.hpp")
  endif()
endmacro()

# Checks what kolam requires of any Kokkos, wherever it comes from.
function(kolam_check_kokkos)
  if(Kokkos_VERSION VERSION_LESS 4.7 OR Kokkos_VERSION VERSION_GREATER_EQUAL 6)
    message(FATAL_ERROR "Kokkos ${Kokkos_VERSION} (${KOLAM_KOKKOS_ORIGIN}): kolam needs 4.7 or newer, below 6.")
  endif()
  if(Kokkos_ENABLE_CUDA AND Kokkos_VERSION VERSION_LESS 4.7.1 AND NOT Kokkos_ENABLE_IMPL_VIEW_LEGACY)
    find_package(CUDAToolkit REQUIRED)
    if(CUDAToolkit_VERSION VERSION_GREATER_EQUAL 12.9)
      message(FATAL_ERROR "CUDA ${CUDAToolkit_VERSION} miscompiles the View of Kokkos ${Kokkos_VERSION} "
        "(${KOLAM_KOKKOS_ORIGIN}). Build that Kokkos with -DKokkos_ENABLE_IMPL_VIEW_LEGACY=ON or use Kokkos 5.")
    endif()
  endif()
  get_target_property(kind Kokkos::kokkoscore TYPE)
  if(BUILD_SHARED_LIBS AND kind STREQUAL "STATIC_LIBRARY")
    message(FATAL_ERROR "BUILD_SHARED_LIBS is ON, and this Kokkos (${KOLAM_KOKKOS_ORIGIN}) is a static library: each "
      "library of kolam would contain its own Kokkos. Build Kokkos with -DBUILD_SHARED_LIBS=ON, or kolam without it.")
  endif()
  if(KOLAM_CUDA_ARCHITECTURE AND Kokkos_CUDA_ARCHITECTURES
     AND NOT KOLAM_CUDA_ARCHITECTURE IN_LIST Kokkos_CUDA_ARCHITECTURES)
    message(FATAL_ERROR "KOLAM_CUDA_ARCHITECTURE is ${KOLAM_CUDA_ARCHITECTURE}, but this Kokkos "
      "(${KOLAM_KOKKOS_ORIGIN}) was built for ${Kokkos_CUDA_ARCHITECTURES}. Leave the option empty.")
  endif()
endfunction()
