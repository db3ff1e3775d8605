# `ninja package` in a build with CUDA: "hearth-worker-cuda" for computers that have hearth-agent and a LibTorch with CUDA of
# their own. No package of the distribution has that: the program looks for it in /usr/lib/hearth/libtorch, to which an
# unpacked one is moved or linked, and then where it was when this was built.
set(HEARTH_LIBTORCH_LINK "/usr/lib/hearth/libtorch")
install(TARGETS hearth-worker-cuda DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/hearth" COMPONENT cuda)
install(FILES "${CMAKE_SOURCE_DIR}/resources/packages/cuda/cards.conf" DESTINATION "lib/systemd/system/hearth-agent.service.d"
  COMPONENT cuda)
install(FILES "${CMAKE_SOURCE_DIR}/resources/packages/copyright" DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/hearth-worker-cuda"
  COMPONENT cuda)
set_target_properties(hearth-worker-cuda PROPERTIES
  INSTALL_RPATH "${HEARTH_LIBTORCH_LINK}/lib;${HEARTH_TORCH_INCLUDE}/../lib")

include(HearthDebian)
set(CPACK_PACKAGE_NAME hearth-worker-cuda)
set(CPACK_COMPONENTS_ALL cuda)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${HEARTH_TORCH_INCLUDE}/../lib" "${CUDAToolkit_LIBRARY_DIR}")
set(CPACK_DEBIAN_CUDA_PACKAGE_NAME hearth-worker-cuda)
set(CPACK_DEBIAN_CUDA_PACKAGE_DEPENDS "hearth-agent (= ${HEARTH_VERSION})")
set(CPACK_DEBIAN_CUDA_DESCRIPTION "worker of a Hearth home that computes on NVIDIA cards
What hearth-agent starts in place of its usual worker where the computer has an
NVIDIA card with a driver. It needs a LibTorch with CUDA, which Debian does not
have: unpack one from pytorch.org, or take that of a Python package, and link
${HEARTH_LIBTORCH_LINK} to its folder.")
include(CPack)
