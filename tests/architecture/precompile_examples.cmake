# SPDX-License-Identifier: Apache-2.0

# Included by project() of examples/ in a test: compiles <kolam/kolam.hpp>, a third of the compile time of an example,
# once for all of them.
function(precompile_kolam)
  get_property(programs DIRECTORY PROPERTY BUILDSYSTEM_TARGETS)
  list(POP_FRONT programs first)
  target_precompile_headers(${first} PRIVATE <kolam/kolam.hpp>)
  foreach(program IN LISTS programs)
    target_precompile_headers(${program} REUSE_FROM ${first})
  endforeach()
endfunction()
cmake_language(DEFER CALL precompile_kolam)
