# Packages for the architecture of the toolchain file: the dependencies of foreign programs are looked up in the Debian of
# CMAKE_SYSROOT, not in this computer's.
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${HEARTH_DEBIAN_ARCHITECTURE}")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS
  "${CMAKE_SYSROOT}/lib/${CMAKE_LIBRARY_ARCHITECTURE}" "${CMAKE_SYSROOT}/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}")
# cpack reads this file in its own process, before it starts dpkg-shlibdeps.
set(CPACK_PROJECT_CONFIG_FILE "${made}/foreign.cmake")
file(WRITE "${CPACK_PROJECT_CONFIG_FILE}" "
set(ENV{DEB_HOST_ARCH} \"${HEARTH_DEBIAN_ARCHITECTURE}\")
set(ENV{HEARTH_FOREIGN_ROOT} \"${CMAKE_SYSROOT}\")
set(ENV{DPKG_ADMINDIR} \"${CMAKE_SYSROOT}/var/lib/dpkg\")
set(ENV{PATH} \"${packaging}/foreign:\$ENV{PATH}\")
")
