# SPDX-License-Identifier: Apache-2.0

# kolam_compile_as_one(<target> [<long sources>...])
#
# Makes <target> a unity build, because most sources compile faster than the headers that they include; the long
# sources are compiled separately. CMAKE_UNITY_BUILD overrides this (OFF: no unity builds; ON: all sources).
function(kolam_compile_as_one target)
  if(NOT DEFINED CMAKE_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
endfunction()

# kolam_add_module(<name> [FOLDER <folder>] [DEPENDS <modules>...] [LINK <targets>...]
#                  [PRIVATE <targets>...] [WITHOUT <regex>...] [LONG <regex>])
#
# Defines the target kolam::<name> from <folder>/include/kolam/ and <folder>/src/*.cpp, installed and exported.
# FOLDER is <name> by default. DEPENDS and LINK are part of the module's interface; only its sources see
# PRIVATE. A module without sources is an INTERFACE target. Files that match one of WITHOUT are left out: they
# need a library that is absent, or stand in for one that is not. Sources that match LONG are compiled
# separately: see kolam_compile_as_one.
function(kolam_add_module name)
  cmake_parse_arguments(PARSE_ARGV 1 module "" "FOLDER;LONG" "DEPENDS;LINK;PRIVATE;WITHOUT")
  if(NOT module_FOLDER)
    set(module_FOLDER ${name})
  endif()
  set(root ${PROJECT_SOURCE_DIR}/${module_FOLDER})
  file(GLOB sources CONFIGURE_DEPENDS ${root}/src/*.cpp ${root}/src/*/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${root}/include/kolam/*.hpp)
  foreach(left_out IN LISTS module_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "${left_out}")
    list(FILTER headers EXCLUDE REGEX "${left_out}")
  endforeach()

  set(target kolam_${name})
  if(sources)
    add_library(${target} ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${module_PRIVATE})
    target_include_directories(${target} PRIVATE ${root}/src)
    set(long_sources)
    if(module_LONG)
      set(long_sources ${sources})
      list(FILTER long_sources INCLUDE REGEX ${module_LONG})
    endif()
    if(NOT "${long_sources}" STREQUAL "${sources}")
      kolam_compile_as_one(${target} ${long_sources})
    endif()
    kolam_own_code(${target})
    # Minor versions below 1.0 are not compatible. (In a unity build sources see each other's macros.)
    set_target_properties(${target} PROPERTIES
      VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      UNITY_BUILD_CODE_AFTER_INCLUDE "#undef KOLAM_INSTANTIATE\n#undef KOLAM_INSTANTIATE_IN")
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(kolam::${name} ALIAS ${target})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  target_compile_features(${target} ${scope} cxx_std_20)
  list(TRANSFORM module_DEPENDS PREPEND kolam::)
  target_link_libraries(${target} ${scope} ${module_DEPENDS} ${module_LINK})
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS ${root}/include FILES ${headers})

  set_property(GLOBAL APPEND PROPERTY KOLAM_MODULES ${name})
  set_property(GLOBAL APPEND PROPERTY KOLAM_INCLUDE_FOLDERS ${root}/include)
  install(TARGETS ${target} EXPORT kolam_targets FILE_SET HEADERS)
endfunction()
