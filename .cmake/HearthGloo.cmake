# Sets HEARTH_HAS_GLOO: LibTorch's own Gloo process group compiles and links. HEARTH_GLOO_INCLUDE: what it needs for that.
include(CheckCXXSourceCompiles)

find_path(HEARTH_GLOO_HEADERS gloo/rendezvous/store.h HINTS ${TORCH_INCLUDE_DIRS})
set(HEARTH_GLOO_INCLUDE "${HEARTH_GLOO_HEADERS}")
if(NOT HEARTH_GLOO_HEADERS)
  set(HEARTH_GLOO_INCLUDE "${CMAKE_SOURCE_DIR}/core/train/gloo_declarations")
endif()
set(CMAKE_REQUIRED_FLAGS "-std=c++20")
set(CMAKE_REQUIRED_INCLUDES "${HEARTH_GLOO_INCLUDE}")
set(CMAKE_REQUIRED_LIBRARIES ${TORCH_LIBRARIES})
check_cxx_source_compiles("
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
int main() {
  auto options = c10d::ProcessGroupGloo::Options::create(std::chrono::seconds(1));
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname(\"127.0.0.1\"));
  return c10::make_intrusive<c10d::ProcessGroupGloo>(c10::intrusive_ptr<c10d::Store>(), 0, 1, options)->getSize();
}" HEARTH_HAS_GLOO)
unset(CMAKE_REQUIRED_FLAGS)
unset(CMAKE_REQUIRED_INCLUDES)
unset(CMAKE_REQUIRED_LIBRARIES)
if(NOT HEARTH_HAS_GLOO AND HEARTH_REQUIRE_GLOO)
  message(FATAL_ERROR "This LibTorch has no Gloo, and HEARTH_REQUIRE_GLOO asks for it. Install Debian 12's libtorch-dev, "
    "or configure with -DHEARTH_REQUIRE_GLOO=OFF: trusted fabrics are then neither built nor tested.")
endif()
if(NOT HEARTH_HAS_GLOO)
  message(STATUS "This LibTorch has no Gloo: groups sum over Hearth's own links only.")
endif()
