# LibTorch, from the distribution or, with -DCMAKE_PREFIX_PATH=…/libtorch, an official archive.
find_package(Torch 1.13 REQUIRED)
