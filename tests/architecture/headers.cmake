# SPDX-License-Identifier: Apache-2.0

# Every header compiles alone, and twice over. Failing to build is failing.
get_property(rooms GLOBAL PROPERTY KOLAM_ROOMS)
add_library(kolam_headers_alone OBJECT)
foreach(room IN LISTS rooms)
  set(include_folder ${PROJECT_SOURCE_DIR}/${room}/include)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${include_folder} ${include_folder}/*.hpp)
  list(FILTER headers EXCLUDE REGEX "${kolam_mpi_left_out}")
  foreach(header IN LISTS headers)
    string(MAKE_C_IDENTIFIER ${header} name)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/headers/${name}.cpp)
    file(CONFIGURE OUTPUT ${source} CONTENT "#include <${header}>\n#include <${header}>\n")
    target_sources(kolam_headers_alone PRIVATE ${source})
  endforeach()
endforeach()
target_link_libraries(kolam_headers_alone PRIVATE kolam::kolam)
kolam_own_code(kolam_headers_alone)
target_compile_options(kolam_headers_alone PRIVATE -O0)  # nothing of it runs
