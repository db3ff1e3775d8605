# Sets HEARTH_VERSION: the project's version with the number of commits that led to this build, as "0.1.0+1470"; without git,
# or in an unpacked archive, that of the project alone.
set(HEARTH_VERSION "${PROJECT_VERSION}")
find_program(HEARTH_GIT git)
mark_as_advanced(HEARTH_GIT)
if(NOT HEARTH_GIT OR NOT EXISTS "${CMAKE_SOURCE_DIR}/.git")
  return()
endif()
execute_process(COMMAND "${HEARTH_GIT}" rev-list --count HEAD WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
  OUTPUT_VARIABLE commits OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commits MATCHES "^[0-9]+$")
  return()
endif()
string(APPEND HEARTH_VERSION "+${commits}")
# `ninja package` after `git pull` must not pack the new programs under the old version.
execute_process(COMMAND "${HEARTH_GIT}" rev-parse --path-format=absolute --git-path logs/HEAD
  WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE moves OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(EXISTS "${moves}")
  set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${moves}")
endif()
