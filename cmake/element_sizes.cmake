# SPDX-License-Identifier: Apache-2.0

# KOLAM_ELEMENT_SIZES lists the element sizes to compile kernels for, as nodes x quadrature points in each
# direction: "4x5", or "4x4c" if the points are the nodes. Other sizes run in a slower kernel. "all" means
# orders 1 to 8, each with order + 2 Gauss points and with the nodes. Each size compiles for some seconds.
set(KOLAM_ELEMENT_SIZES all CACHE STRING "Element sizes to compile kernels for: all, or 4x5;5x5c;...")

set(sizes ${KOLAM_ELEMENT_SIZES})
if(sizes STREQUAL "all")
  set(sizes)
  foreach(d1d RANGE 2 9)
    math(EXPR q1d "${d1d} + 1")
    list(APPEND sizes ${d1d}x${q1d} ${d1d}x${d1d}c)
  endforeach()
endif()
list(REMOVE_DUPLICATES sizes)

set(types)
foreach(size IN LISTS sizes)
  set(good FALSE)
  if(size MATCHES "^([0-9]+)x([0-9]+)(c?)$")
    set(d1d ${CMAKE_MATCH_1})
    set(q1d ${CMAKE_MATCH_2})
    set(collocated false)
    if(CMAKE_MATCH_3)
      set(collocated true)
    endif()
    if(d1d GREATER 1 AND q1d GREATER_EQUAL d1d AND q1d LESS 33 AND (NOT collocated OR d1d EQUAL q1d))
      set(good TRUE)
      list(APPEND types "::kolam::ElementSize<${d1d}, ${q1d}, ${collocated}>")
    endif()
  endif()
  if(NOT good)
    message(FATAL_ERROR "KOLAM_ELEMENT_SIZES: '${size}' is not a valid size. Give nodes x points in each "
      "direction, at least 2 nodes, at least as many points, up to 32: 4x5, or 4x4c if the points are the nodes.")
  endif()
endforeach()
list(JOIN types ", " KOLAM_LISTED_ELEMENT_SIZES)
configure_file(${PROJECT_SOURCE_DIR}/cmake/listed_element_sizes.hpp.in
  ${PROJECT_BINARY_DIR}/generated/elements/kolam/kernels/element/detail/listed_sizes.hpp @ONLY)
target_include_directories(kolam_kernels PUBLIC
  $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated/elements>)
install(DIRECTORY ${PROJECT_BINARY_DIR}/generated/elements/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
