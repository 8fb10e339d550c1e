# SPDX-License-Identifier: Apache-2.0

# The target docs builds the site, all pages and the reference, with Doxygen and the theme doxygen-awesome-css:
# build/<preset>/site/html/index.html. If one of these tools is not installed (scripts/setup docs), the target
# prints this and fails.
find_package(Doxygen 1.9.4 QUIET)
find_package(Python3 QUIET COMPONENTS Interpreter)
find_path(KOLAM_DOXYGEN_THEME doxygen-awesome-sidebar-only.css
  PATH_SUFFIXES share/doxygen-awesome-css DOC "Folder of doxygen-awesome-css")
mark_as_advanced(KOLAM_DOXYGEN_THEME)
if(NOT DOXYGEN_FOUND OR NOT KOLAM_DOXYGEN_THEME OR NOT Python3_FOUND)
  add_custom_target(docs VERBATIM COMMAND ${CMAKE_COMMAND} -E echo
    "The target docs needs Doxygen 1.9.4, doxygen-awesome-css and Python 3. Run scripts/setup docs and configure again."
    COMMAND ${CMAKE_COMMAND} -E false)
  return()
endif()

set(site ${PROJECT_BINARY_DIR}/site)
get_property(module_includes GLOBAL PROPERTY KOLAM_INCLUDE_FOLDERS)
set(include_folders "")
file(GLOB_RECURSE files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/*.md)
foreach(folder IN LISTS module_includes)
  cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
  string(APPEND include_folders " \"${site}/staged/${relative}\"")
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${folder}/*.hpp)
  list(FILTER headers EXCLUDE REGEX "/detail/")
  list(APPEND files ${headers})
endforeach()
file(GLOB pages CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*.md ${PROJECT_SOURCE_DIR}/*/README.md
  ${PROJECT_SOURCE_DIR}/solvers/*/README.md)
list(APPEND files ${pages})
list(REMOVE_DUPLICATES files)
set(theme ${KOLAM_DOXYGEN_THEME})
set(newer_options "")
if(DOXYGEN_VERSION VERSION_GREATER_EQUAL 1.9.5)
  set(newer_options "HTML_COLORSTYLE = LIGHT")  # the theme has its own dark colours
endif()
configure_file(${PROJECT_SOURCE_DIR}/docs/site/Doxyfile.in ${site}/Doxyfile @ONLY)
set(python Python3::Interpreter -B)
add_custom_target(docs VERBATIM WORKING_DIRECTORY ${site} COMMENT "Pages and reference"
  COMMAND ${CMAKE_COMMAND} -E rm -rf html staged
  COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/site/pages.py --stage staged ${files}
  COMMAND Doxygen::doxygen Doxyfile
  COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/site/pages.py --files html ${files}
  COMMAND ${python} ${PROJECT_SOURCE_DIR}/docs/site/links.py html
  COMMAND ${CMAKE_COMMAND} -E echo "The site: ${site}/html/index.html")
