#include "core/train/threads.h"

#include <dlfcn.h>
#include <sys/mman.h>

#include "core/base/no_memory.h"
#include "core/train/torch_api.h"

namespace hearth {
namespace {

/// OpenBLAS has a thread pool of its own where it was built with pthreads; it is found by name, because another BLAS
/// may stand in.
void setBlasThreads(int threads) {
    if (void *function = dlsym(RTLD_DEFAULT, "openblas_set_num_threads"))
        reinterpret_cast<void (*)(int)>(function)(threads);
}

/// OpenBLAS takes its scratch memory at the first product of a thread, and asks for ever where the system refuses it.
void checkScratch() {
    constexpr std::size_t scratch = 129u << 20;
    void *place = ::mmap(nullptr, scratch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED)
        throw NoMemory(static_cast<qint64>(scratch));
    ::munmap(place, scratch);
}

}  // namespace

void prepareComputeThread(int threads) {
    at::set_num_threads(threads);
    setBlasThreads(threads);
    at::globalContext().setFlushDenormal(true);
    if (threads > 1) {
        // The mode belongs to each thread of the pool.
        at::parallel_for(0, threads, 1, [](std::int64_t, std::int64_t) { at::globalContext().setFlushDenormal(true); });
    }
}

QString computeLibrary() {
    return QStringLiteral("libtorch %1.%2.%3")
        .arg(TORCH_VERSION_MAJOR)
        .arg(TORCH_VERSION_MINOR)
        .arg(TORCH_VERSION_PATCH);
}

void warmUpComputeThread(ComputeDevice &device) {
    checkScratch();
    const at::Tensor x = device.fromHost(at::zeros({2, 4, 8, 8}).contiguous(at::MemoryFormat::ChannelsLast));
    at::Tensor weight = at::zeros({4, 4, 3, 3}, x.options()).set_requires_grad(true);
    at::Tensor matrix = at::zeros({8, 4}, x.options()).set_requires_grad(true);
    const at::Tensor y = at::linear(at::conv2d(x, weight, {}, 1, 1).mean({2, 3}), matrix);
    torch::autograd::backward({y}, {at::zeros_like(y)});
}

}  // namespace hearth
