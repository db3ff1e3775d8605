# Debian's cross compiler for arm64, against a Debian 12 in a folder that resources/packages/build-arm64 makes. Tools that run
# while building, Qt's among them, are this computer's.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(HEARTH_DEBIAN_ARCHITECTURE arm64)

set(root "$ENV{HEARTH_ARM64_ROOT}")
if(NOT root)
  get_filename_component(root "${CMAKE_CURRENT_LIST_DIR}/../build/arm64-root" ABSOLUTE)
endif()
set(HEARTH_ARM64_ROOT "${root}" CACHE PATH "The arm64 Debian that is linked against")
# The tests of the compiler read this file again, in a project of their own.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES HEARTH_ARM64_ROOT)
if(NOT EXISTS "${HEARTH_ARM64_ROOT}/usr/lib/aarch64-linux-gnu")
  message(FATAL_ERROR "There is no arm64 Debian in ${HEARTH_ARM64_ROOT}. resources/packages/build-arm64 sets one up.")
endif()
set(CMAKE_SYSROOT "${HEARTH_ARM64_ROOT}")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_DIR} "")
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/aarch64-linux-gnu/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")


execute_process(COMMAND dpkg-architecture -qDEB_BUILD_MULTIARCH OUTPUT_VARIABLE here OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
set(QT_HOST_PATH /usr)
set(QT_HOST_PATH_CMAKE_DIR "/usr/lib/${here}/cmake")
