# SPDX-License-Identifier: Apache-2.0
# Run at build time with -DSOURCE=<checkout> -DHEADER=<file to write>.
cmake_minimum_required(VERSION 3.25)

# In an archive made by git, this placeholder has been replaced with the commit.
set(commit "$Format:%h$")
if(commit MATCHES "Format")
  set(commit unknown)
endif()
find_program(git git)
# An archive unpacked inside somebody else's checkout has no commit of its own.
if(git AND EXISTS ${SOURCE}/.git)
  execute_process(COMMAND ${git} -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE answer RESULT_VARIABLE failed ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT failed)
    set(commit ${answer})
  endif()
endif()
file(CONFIGURE OUTPUT ${HEADER} @ONLY CONTENT "// SPDX-License-Identifier: Apache-2.0
#pragma once
#define KOLAM_GIT_COMMIT \"@commit@\"
")
