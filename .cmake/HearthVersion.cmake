# Sets HEARTH_VERSION: the project's version with the number of commits that led to this build, as "0.1.0+1470"; without git,
# or in an unpacked archive, that of the project alone.
set(HEARTH_VERSION "${PROJECT_VERSION}")
find_program(HEARTH_GIT git)
mark_as_advanced(HEARTH_GIT)
if(NOT HEARTH_GIT OR NOT EXISTS "${CMAKE_SOURCE_DIR}/.git")
  return()
endif()
# Who builds, as a user of a container does, need not be who owns the folder: git would refuse it as "dubious ownership".
set(git "${HEARTH_GIT}" -c "safe.directory=${CMAKE_SOURCE_DIR}")
execute_process(COMMAND ${git} rev-list --count HEAD WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
  OUTPUT_VARIABLE commits OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_VARIABLE why ERROR_STRIP_TRAILING_WHITESPACE)
if(NOT commits MATCHES "^[0-9]+$")
  message(WARNING "The version is ${HEARTH_VERSION}, without the number of commits, which git does not tell: ${why}")
  return()
endif()
string(APPEND HEARTH_VERSION "+${commits}")
# `ninja package` after `git pull` must not pack the new programs under the old version.
execute_process(COMMAND ${git} rev-parse --path-format=absolute --git-path logs/HEAD
  WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}" OUTPUT_VARIABLE moves OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(EXISTS "${moves}")
  set_property(DIRECTORY "${CMAKE_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${moves}")
endif()
