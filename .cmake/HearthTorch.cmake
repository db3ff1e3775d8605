# LibTorch from the distribution, an official archive or the folder of a Python package
# (python3 -c 'import torch; print(torch.__path__[0])').
option(HEARTH_CUDA "Build hearth-worker-cuda: needs a LibTorch with CUDA, and the CUDA Toolkit" OFF)
set(HEARTH_LIBTORCH "" CACHE PATH "A LibTorch's folder, with include and lib in it; empty: where CMake finds one")
if(NOT HEARTH_CUDA)
  find_package(Torch 1.13 REQUIRED HINTS ${HEARTH_LIBTORCH})
  return()
endif()

# LibTorch's own package would ask for all libraries that it was built with; its headers and its own libraries do.
find_package(CUDAToolkit 12 REQUIRED)
find_path(HEARTH_TORCH_INCLUDE ATen/ATen.h HINTS "${HEARTH_LIBTORCH}/include" REQUIRED)
add_library(hearth_torch INTERFACE IMPORTED)
target_include_directories(hearth_torch SYSTEM INTERFACE "${HEARTH_TORCH_INCLUDE}" "${HEARTH_TORCH_INCLUDE}/torch/csrc/api/include")
set(TORCH_INCLUDE_DIRS "${HEARTH_TORCH_INCLUDE}")
# Operations on a card register themselves: nothing names them.
target_link_libraries(hearth_torch INTERFACE -Wl,--no-as-needed)
foreach(name torch torch_cpu torch_cuda c10_cuda c10)
  find_library(HEARTH_LIB_${name} ${name} HINTS "${HEARTH_TORCH_INCLUDE}/../lib" REQUIRED)
  target_link_libraries(hearth_torch INTERFACE "${HEARTH_LIB_${name}}")
endforeach()
target_link_libraries(hearth_torch INTERFACE -Wl,--as-needed CUDA::cudart)
set(TORCH_LIBRARIES hearth_torch)
