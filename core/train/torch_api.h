// The one door to LibTorch: what it includes, and what changed its name or signature between 1.13 and 2.x.
// Internal to core/train; precompiled (each include costs some 10 s otherwise). Never include it from a public header.
#pragma once

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <c10/core/CPUAllocator.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/grad_mode.h>
#include <torch/csrc/autograd/variable.h>
#include <torch/version.h>

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 3)
#define HEARTH_ALLOCATOR_CONST  // c10::Allocator::allocate lost its const in 2.3
#else
#define HEARTH_ALLOCATOR_CONST const
#endif
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 1)
#define HEARTH_ALLOCATOR_HAS_COPY_DATA 1  // pure virtual since 2.1
#else
#define HEARTH_ALLOCATOR_HAS_COPY_DATA 0
#endif

namespace hearth {

inline at::Generator makeCpuGenerator(std::uint64_t seed) {
    return at::make_generator<at::CPUGeneratorImpl>(seed);
}

}  // namespace hearth
