# Debian's LibTorch asks for OpenCV, FFmpeg, LevelDB and a few more, takes nothing from them, and so brings in 230 libraries
# with all that these need: 0.4 s of processor and 70 MB for each worker that starts. HEARTH_STUBS: empty libraries with their
# names, in a folder beside hearth-worker in which it has them looked up first (agent/worker/CMakeLists.txt). There are none
# where LibTorch asks only for what it takes, brings its own libraries, or is one for cards.
set(HEARTH_STUBS "")
if(HEARTH_CUDA)
  return()
endif()
find_program(HEARTH_PYTHON python3 PATHS /usr/bin NO_DEFAULT_PATH)
set(stubs "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/stubs")
set(unused "${CMAKE_SOURCE_DIR}/resources/packages/unused")

# What hearth-worker is linked to (tests/packages/test_stubs.py would find what is missing here).
set(linked "${TORCH_LIBRARY}")
foreach(target Qt6::Network Qt6::Core OpenSSL::Crypto zstd::libzstd_shared)
  get_target_property(file ${target} LOCATION)
  list(APPEND linked "${file}")
endforeach()

# Reading all symbols takes seconds: once for each LibTorch.
get_filename_component(file "${TORCH_LIBRARY}" DIRECTORY)
file(REAL_PATH "${file}/libtorch_cpu.so" file)
file(TIMESTAMP "${file}" time)
set(key "${HEARTH_PYTHON} ${file} ${time}")
file(GLOB parts CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/resources/packages/parts/*.py")
foreach(file "${CMAKE_CURRENT_LIST_FILE}" "${unused}" ${parts})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
  file(SHA256 "${file}" hash)
  string(APPEND key " ${hash}")
endforeach()
if(NOT key STREQUAL HEARTH_STUBS_KEY OR NOT EXISTS "${stubs}")
  execute_process(
    COMMAND "${HEARTH_PYTHON}" "${unused}" --root "${CMAKE_SYSROOT}" --multiarch "${CMAKE_LIBRARY_ARCHITECTURE}" ${linked}
    OUTPUT_VARIABLE names ERROR_VARIABLE why RESULT_VARIABLE result OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT result EQUAL 0)
    message(STATUS "Workers load all libraries that LibTorch asks for; which it uses was not found out: ${result} ${why}")
    set(names "")
  endif()
  string(REPLACE "\n" ";" names "${names}")
  file(REMOVE_RECURSE "${stubs}")
  file(MAKE_DIRECTORY "${stubs}")
  foreach(name IN LISTS names)
    execute_process(
      COMMAND "${CMAKE_CXX_COMPILER}" -shared -nostdlib -s -Wl,-soname,${name} -Wl,--build-id=none -o "${stubs}/${name}"
        -x c++ /dev/null
      COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  set(HEARTH_STUBS_KEY "${key}" CACHE INTERNAL "What the stubs were made for")
endif()
file(GLOB HEARTH_STUBS "${stubs}/*")
