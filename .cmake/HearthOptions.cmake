# Build options, and the one INTERFACE target that carries the language standard, warnings and Qt defines.
option(HEARTH_GUI "Build the window and the command line (needs Qt Widgets, QCustomPlot and libqrencode)" ON)
option(HEARTH_TRAIN "Build the worker (needs LibTorch)" ON)
option(HEARTH_REQUIRE_GLOO "Fail where LibTorch has no Gloo, rather than build without trusted fabrics" OFF)
option(HEARTH_TESTS "Build the tests" ON)
option(HEARTH_WERROR "Treat warnings as errors" OFF)
option(HEARTH_PRECOMPILED "Parse core/base/precompiled.h once for all folders" ON)
option(HEARTH_UNITY "Compile the sources of a folder eight at a time" ON)
option(HEARTH_COVERAGE "Count the lines of ui/ that run, for gcov" OFF)
option(HEARTH_FUZZ "Build the fuzz targets with libFuzzer (needs clang)" OFF)
set(HEARTH_SANITIZE "" CACHE STRING "Sanitizers for every target, for instance address,undefined")

set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_AUTOMOC ON)
set(CMAKE_AUTORCC ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

find_program(HEARTH_CCACHE ccache)
if(HEARTH_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers only hit the cache when these checks are relaxed. Paths count from the source folder, so that
  # another clone of the same sources hits, too, and so does the same compiler in another Debian.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime;CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};CCACHE_NOHASHDIR=1;CCACHE_COMPILERCHECK=content;${HEARTH_CCACHE}")
endif()

add_library(hearth_options INTERFACE)
target_compile_features(hearth_options INTERFACE cxx_std_20)
target_include_directories(hearth_options INTERFACE "${CMAKE_SOURCE_DIR}")
target_compile_definitions(hearth_options INTERFACE
  QT_NO_KEYWORDS QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_URL_CAST_FROM_STRING QT_STRICT_ITERATORS)
target_compile_options(hearth_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough)
if(HEARTH_WERROR)
  target_compile_options(hearth_options INTERFACE -Werror)
endif()
if(HEARTH_FUZZ)
  target_compile_options(hearth_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(HEARTH_SANITIZE)
  target_compile_options(hearth_options INTERFACE -fsanitize=${HEARTH_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(hearth_options INTERFACE -fsanitize=${HEARTH_SANITIZE})
  if(HEARTH_SANITIZE MATCHES "thread")
    add_library(hearth_tsan_clone OBJECT "${CMAKE_CURRENT_LIST_DIR}/tsan_clone.cpp")
    target_link_libraries(hearth_options INTERFACE "$<TARGET_OBJECTS:hearth_tsan_clone>")
  endif()
endif()
find_program(HEARTH_LLD ld.lld)
if(HEARTH_LLD)
  target_link_options(hearth_options INTERFACE -fuse-ld=lld)
endif()

# hearth_precompiled(NAME [HOLDER]): the target's sources begin where the precompiled headers of HOLDER end, which is
# hearth_base unless another is named. Its compiler options must be those of HOLDER; definitions may be more.
function(hearth_precompiled name)
  if(NOT HEARTH_PRECOMPILED OR HEARTH_FUZZ OR HEARTH_COVERAGE)
    return()
  endif()
  set(holder hearth_base ${ARGN})
  list(GET holder -1 holder)
  if(name STREQUAL holder)
    # In angle brackets CMake writes no absolute path, which a clone elsewhere would not find in the compiler's cache.
    target_precompile_headers(${name} PRIVATE <core/base/precompiled.h>)
  else()
    target_precompile_headers(${name} REUSE_FROM ${holder})
  endif()
endfunction()

# hearth_test_options(NAME NOT_PRECOMPILED): what a test says runs once, so its sources are compiled without optimisation,
# which gcc does in three fifths of the time. Precompiled headers hold for one level of that: tests have their own.
function(hearth_test_options name not_precompiled)
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-O0>)
  if(NOT not_precompiled)
    hearth_precompiled(${name} hearth_test_headers)
  endif()
endfunction()

# hearth_unity(NAME): the target's sources are compiled eight at a time, so that what they include is parsed once for all of
# them. So a name of an unnamed namespace must be the only one of its target.
function(hearth_unity name)
  if(HEARTH_UNITY AND NOT HEARTH_COVERAGE)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()

# hearth_library(NAME SOURCES a.cpp ... LIBRARIES x ...): a static library of one folder.
# NOT_PRECOMPILED: it has headers to precompile, or options of the compiler, of its own.
function(hearth_library name)
  cmake_parse_arguments(ARG "NOT_PRECOMPILED" "" "SOURCES;LIBRARIES;PRIVATE_LIBRARIES" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC hearth_options ${ARG_LIBRARIES} PRIVATE ${ARG_PRIVATE_LIBRARIES})
  hearth_unity(${name})
  if(NOT ARG_NOT_PRECOMPILED)
    hearth_precompiled(${name})
  endif()
endfunction()

# hearth_moc(NAME SOURCE): for the one source of a target with a Q_OBJECT, which ends by including its own .moc.
function(hearth_moc name source)
  get_filename_component(unit ${source} NAME_WE)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${name}_moc")
  file(MAKE_DIRECTORY "${folder}")
  qt_generate_moc(${source} "${folder}/${unit}.moc")
  target_sources(${name} PRIVATE "${folder}/${unit}.moc")
  target_include_directories(${name} PRIVATE "${folder}")
endfunction()

# hearth_tests_count(N): the tests of this folder so far count as N (PROCESSORS below).
function(hearth_tests_count n)
  get_property(tests DIRECTORY PROPERTY TESTS)
  if(tests)
    set_tests_properties(${tests} PROPERTIES PROCESSORS ${n})
  endif()
endfunction()

# hearth_test(NAME SOURCES a.cpp ... LIBRARIES x ... [LABELS y ...] [TIMEOUT s] [LONG] [NOT_PRECOMPILED]
# [DEFINITIONS X="y" ...]): one Qt Test program, build/…/tests/NAME, and its ctest entry. The first source has the test. A
# test of one source shares an executable with others (HearthJoinedTests.cmake).
# PROCESSORS: a test that computes counts as 2, one that mostly waits as 1, and tests/run fills 3 for each processor.
# LONG: NAME_all runs it once more with HEARTH_ALL_CASES=1 and twice the time. Like all tests of configuration All only
# `tests/run --all`, which is ctest -C All, runs that one.
function(hearth_test name)
  cmake_parse_arguments(ARG "LONG;NOT_PRECOMPILED" "TIMEOUT" "SOURCES;LIBRARIES;DEFINITIONS;LABELS" ${ARGN})
  list(LENGTH ARG_SOURCES sources)
  if(HEARTH_UNITY AND sources EQUAL 1)
    hearth_joined_test(${name} ${ARG_SOURCES} "${ARG_NOT_PRECOMPILED}" "${ARG_LIBRARIES}" "${ARG_DEFINITIONS}")
  else()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE hearth_options Qt6::Test ${ARG_LIBRARIES})
    target_compile_definitions(${name} PRIVATE ${ARG_DEFINITIONS})
    hearth_test_options(${name} ${ARG_NOT_PRECOMPILED})
    list(GET ARG_SOURCES 0 test)
    hearth_moc(${name} ${test})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/tests")
  endif()
  set(program "${CMAKE_BINARY_DIR}/tests/${name}")
  add_test(NAME ${name} COMMAND "${program}")
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  # Without a system bus no agent of a test announces itself in the network that this machine is in.
  set(environment "HEARTH_BIN_DIR=${CMAKE_BINARY_DIR}/bin;DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent")
  # Sanitized code runs several times slower; limits only end hangs, and Qt Test's own (five minutes) must not come first.
  if(HEARTH_SANITIZE)
    math(EXPR ARG_TIMEOUT "${ARG_TIMEOUT} * 5")
  endif()
  math(EXPR own_limit "${ARG_TIMEOUT} * 1000")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} LABELS "${ARG_LABELS}" PROCESSORS 2
    ENVIRONMENT "QT_QPA_PLATFORM=offscreen;QTEST_FUNCTION_TIMEOUT=${own_limit};${environment}")
  if(ARG_LONG)
    math(EXPR twice "${ARG_TIMEOUT} * 2")
    add_test(NAME ${name}_all CONFIGURATIONS All COMMAND "${program}")
    set_tests_properties(${name}_all PROPERTIES TIMEOUT ${twice} PROCESSORS 2 LABELS "${ARG_LABELS}"
      ENVIRONMENT "QT_QPA_PLATFORM=offscreen;HEARTH_ALL_CASES=1;QTEST_FUNCTION_TIMEOUT=${twice}000;${environment}")
  endif()
  # Once more on an X display of its own.
  if("gui" IN_LIST ARG_LABELS)
    add_test(NAME xvfb_${name} CONFIGURATIONS All COMMAND "${CMAKE_SOURCE_DIR}/tests/ui/on_xvfb" "${program}")
    set_tests_properties(xvfb_${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT} PROCESSORS 2 LABELS "${ARG_LABELS};xvfb"
      ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${own_limit};${environment}")
  endif()
endfunction()

# hearth_fuzz(NAME SOURCES a.cpp LIBRARIES x CORPUS dir): a libFuzzer program in the fuzz preset; elsewhere a test that
# replays the corpus and seeded mutations of it through the same entry point.
function(hearth_fuzz name)
  cmake_parse_arguments(ARG "" "CORPUS" "SOURCES;LIBRARIES" ${ARGN})
  if(HEARTH_FUZZ)
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE hearth_options ${ARG_LIBRARIES})
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  else()
    add_executable(${name} ${ARG_SOURCES})
    target_link_libraries(${name} PRIVATE hearth_replay ${ARG_LIBRARIES})
    hearth_test_options(${name} OFF)
  endif()
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/fuzz")
  add_test(NAME ${name} COMMAND ${name} -runs=20000 -max_total_time=10 "${ARG_CORPUS}")
  set_tests_properties(${name} PROPERTIES TIMEOUT 600 LABELS fuzz)
endfunction()
