# SPDX-License-Identifier: Apache-2.0

# kolam_add_room(<name> [DEPENDS <rooms>...] [LINK <targets>...] [PRIVATE <targets>...]
#                [WITHOUT <regex>...])
#
# The target kolam::<name> from <name>/include/kolam/ and <name>/src/*.cpp, installed and exported.
# DEPENDS and LINK are part of the room's interface, PRIVATE is seen by its sources only. A room
# without sources is an INTERFACE target; a room without a folder is left out. Files that match one of
# WITHOUT are no part of it: what needs a library that is absent, or stands in for it.
function(kolam_add_room name)
  cmake_parse_arguments(PARSE_ARGV 1 room "" "" "DEPENDS;LINK;PRIVATE;WITHOUT")
  set(root ${PROJECT_SOURCE_DIR}/${name})
  if(NOT EXISTS ${root})
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${root}/src/*.cpp ${root}/src/*/*.cpp)
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS ${root}/include/kolam/*.hpp)
  foreach(left_out IN LISTS room_WITHOUT)
    list(FILTER sources EXCLUDE REGEX "${left_out}")
    list(FILTER headers EXCLUDE REGEX "${left_out}")
  endforeach()

  set(target kolam_${name})
  if(sources)
    add_library(${target} ${sources})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${room_PRIVATE})
    target_include_directories(${target} PRIVATE ${root}/src)
    kolam_own_code(${target})
    # Minor versions of 0 may differ in everything. (With CMAKE_UNITY_BUILD sources meet each other's macros.)
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
  foreach(lower IN LISTS room_DEPENDS)
    if(TARGET kolam_${lower})
      target_link_libraries(${target} ${scope} kolam::${lower})
    endif()
  endforeach()
  target_link_libraries(${target} ${scope} ${room_LINK})
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS ${root}/include FILES ${headers})

  set_property(GLOBAL APPEND PROPERTY KOLAM_ROOMS ${name})
  install(TARGETS ${target} EXPORT kolam_targets FILE_SET HEADERS)
endfunction()
