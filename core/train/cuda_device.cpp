#include "core/train/cuda_device.h"

#include <ATen/cuda/CUDAContext.h>
#include <ATen/cuda/CUDAEvent.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAFunctions.h>
#include <c10/cuda/CUDAGuard.h>
#include <cuda_runtime_api.h>

#include <QJsonArray>
#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>

#include "core/cuda/kernels.h"
#include "core/train/host_copy.h"
#include "core/train/products.h"
#include "core/train/stage_errors.h"
#include "core/train/tensors.h"

namespace hearth {
namespace {

namespace Allocator = c10::cuda::CUDACachingAllocator;

constexpr std::size_t ofAllPools = 0;  // of a statistic

void check(cudaError_t error) {
    TORCH_CHECK(error == cudaSuccess, cudaGetErrorString(error));
}

/// The moment of the host's clock that an event has, from which others count.
struct ClockBase {
    cudaEvent_t event = nullptr;
    Mark::TimePoint when;
    ~ClockBase() { cudaEventDestroy(event); }
};

class EventMark final : public Mark {
  public:
    EventMark(c10::cuda::CUDAStream stream, std::shared_ptr<const ClockBase> base)
        : m_card(stream.device_index()), m_base(std::move(base)) {
        const c10::cuda::CUDAGuard guard(m_card);  // any thread may ask
        check(cudaEventCreateWithFlags(&m_event, cudaEventBlockingSync));
        check(cudaEventRecord(m_event, stream));
    }
    ~EventMark() override { cudaEventDestroy(m_event); }

    void wait() const override {
        const c10::cuda::CUDAGuard guard(m_card);  // else the driver would open the first card for this thread
        check(cudaEventSynchronize(m_event));
    }
    TimePoint when() const override {
        wait();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, m_base->event, m_event));
        return m_base->when +
               std::chrono::duration_cast<TimePoint::duration>(std::chrono::duration<double, std::milli>(milliseconds));
    }
    double secondsSince(const Mark &earlier) const override {
        earlier.wait();
        wait();
        float milliseconds = 0;
        check(cudaEventElapsedTime(&milliseconds, static_cast<const EventMark &>(earlier).m_event, m_event));
        return 1e-3 * static_cast<double>(milliseconds);
    }
    /// A card works for one process at a time.
    double workSince(const Mark &earlier) const override { return secondsSince(earlier); }

  private:
    const c10::DeviceIndex m_card;
    cudaEvent_t m_event = nullptr;
    const std::shared_ptr<const ClockBase> m_base;
};

class CudaDevice final : public ComputeDevice {
  public:
    CudaDevice(int card, const QString &name)
        : m_card(static_cast<c10::DeviceIndex>(card)),
          m_name(QStringLiteral("cuda: ") + name),
          m_compute(c10::cuda::getStreamFromPool(true, m_card)),
          m_in(c10::cuda::getStreamFromPool(false, m_card)),
          m_out(c10::cuda::getStreamFromPool(false, m_card)) {
        const c10::cuda::CUDAGuard guard(m_card);
        std::size_t free = 0, all = 0;
        check(cudaMemGetInfo(&free, &all));
        m_physical = static_cast<qint64>(all);
        setClock();
        // LibTorch tells the bytes in words alone.
        Allocator::attachOutOfMemoryObserver(
            [this](std::int64_t on, std::size_t wanted, std::size_t allowed, std::size_t unused) {
                if (on != m_card)
                    return;
                const qint64 reserved = stats().reserved_bytes[ofAllPools].current;
                const qint64 most = std::min(static_cast<qint64>(allowed), reserved + static_cast<qint64>(unused));
                noteRefusal(static_cast<qint64>(wanted), reserved - m_ofRuntime, most - m_ofRuntime, m_runtime);
            });
    }

    QString name() const override { return m_name; }
    bool isHost() const override { return false; }

    void enterThread() override {
        c10::cuda::set_device(m_card);
        c10::cuda::setCurrentCUDAStream(m_compute);
        // Trying all algorithms for each new shape would take longer than a recovery may.
        at::globalContext().setBenchmarkCuDNN(false);
    }

    void computeIn(Precision precision) override {
        const bool rounds = precision == Precision::Bfloat16;
        at::globalContext().setDeterministicCuDNN(precision == Precision::Float64);
        at::globalContext().setAllowTF32CuBLAS(rounds);
        at::globalContext().setAllowTF32CuDNN(rounds);
    }

    at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                        DType type) override {
        return at::empty_strided(sizes, strides, here(scalarType(type)));
    }

    at::Tensor toHost(const at::Tensor &tensor) override {
        HostCopy copy = startToHost(tensor);
        copy.there->wait();
        return copy.tensor;
    }

    HostCopy startToHost(const at::Tensor &tensor, const at::Tensor *into = nullptr) override {
        const at::NoGradGuard noGrad;
        const at::Tensor source = tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
        order(m_compute, m_out);
        at::Tensor host = into ? *into : pinned(source);
        {
            const c10::cuda::CUDAStreamGuard guard(m_out);
            host.copy_(source, true);
        }
        if (source.numel() > 0)
            Allocator::recordStream(source.storage().data_ptr(), m_out);
        return {host, std::make_shared<EventMark>(m_out, clock())};
    }

    std::optional<CodedCopy> startCoded(const at::Tensor &samples, const Codec &codec, Rounding rounding) override {
        const at::NoGradGuard noGrad;
        const auto count = static_cast<quint64>(samples.size(0)), bytes = static_cast<quint64>(samples.nbytes());
        const DType type = samples.scalar_type() == at::kDouble ? DType::Float64 : DType::Float32;
        const at::Tensor written =
            at::empty({static_cast<std::int64_t>(encodedBytes(codec, type, bytes, count))}, here(at::kByte));
        const at::Tensor refused = at::zeros({1}, here(at::kInt));
        cuda::encode(static_cast<cuda::Coding>(codec.number), realOf(samples), samples.data_ptr(), written.data_ptr(),
                     count, bytes / count, rounding == Rounding::Stochastic,
                     static_cast<std::uint32_t *>(refused.data_ptr()), m_compute);
        checkKernels();
        at::Tensor flag = startToHost(refused).tensor;
        return CodedCopy{startToHost(written), std::move(flag)};
    }

    at::Tensor fromHost(const at::Tensor &tensor) override {
        const at::NoGradGuard noGrad;
        const at::Tensor source = tensor.is_non_overlapping_and_dense() ? tensor : tensor.contiguous();
        // Only memory that stays where it is can be copied beside what is computed.
        const at::Tensor staged = source.is_pinned() ? source : pinned(source).copy_(source);
        at::Tensor result;
        {
            const c10::cuda::CUDAStreamGuard guard(m_in);
            result = at::empty_strided(source.sizes(), source.strides(), here(source.scalar_type()));
            result.copy_(staged, true);
        }
        order(m_in, m_compute);
        if (result.numel() > 0)
            Allocator::recordStream(result.storage().data_ptr(), m_compute);
        return result;
    }

    void update(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients, at::Tensor &state,
                quint64 step) override {
        const at::NoGradGuard noGrad;
        if (!optimizer.isByElement())
            return updateOnHost(optimizer, parameters, gradients, state, step);
        const std::vector<FlatRange> &undecayed = optimizer.undecayed();
        at::Tensor ranges;
        if (!undecayed.empty()) {
            static_assert(sizeof(FlatRange) == sizeof(cuda::Range));
            ranges = fromHost(at::from_blob(const_cast<FlatRange *>(undecayed.data()),
                                            {2 * static_cast<std::int64_t>(undecayed.size())}, at::kLong));
        }
        cuda::step(optimizer.factors(step), parameters.data_ptr(), gradients.data_ptr(), state.data_ptr(),
                   parameters.numel(), realOf(parameters),
                   undecayed.empty() ? nullptr : static_cast<const cuda::Range *>(ranges.data_ptr()),
                   static_cast<int>(undecayed.size()), m_compute);
        checkKernels();
    }

    void drawMask(at::Tensor &mask, double probability, std::uint64_t salt) override {
        cuda::drawKept(mask.data_ptr<std::uint8_t>(), 0, mask.numel(), probability, salt, m_compute);
        checkKernels();
    }

    double bfloat16Gain() override {
        if (!m_gain) {
            computeIn(Precision::Float32);
            m_gain = measureBfloat16Gain(*this);
        }
        return *m_gain;
    }

    std::shared_ptr<const Mark> mark() override { return std::make_shared<EventMark>(m_compute, clock()); }

    TensorMemory memory() override {
        const auto requested = stats().requested_bytes[ofAllPools];
        return {requested.current - m_ofRuntime, requested.peak - m_ofRuntime, m_limit};
    }
    void resetPeak() override { Allocator::resetPeakStats(m_card); }
    /// What others use of the card counts: nobody can take it.
    void measureRuntime() override {
        check(cudaDeviceSynchronize());
        Allocator::emptyCache();
        std::size_t free = 0, all = 0;
        check(cudaMemGetInfo(&free, &all));
        // Libraries keep some tensors for themselves.
        m_ofRuntime = stats().requested_bytes[ofAllPools].current;
        m_runtime = static_cast<qint64>(all - free) - stats().reserved_bytes[ofAllPools].current + m_ofRuntime;
    }
    qint64 runtimeBytes() const override { return m_runtime; }
    qint64 takePeakBytes() override {
        const qint64 peak = stats().reserved_bytes[ofAllPools].peak - m_ofRuntime + m_runtime;
        resetPeak();
        setClock();
        return peak;
    }
    qint64 physicalBytes() override { return m_physical; }
    void setMemoryLimit(qint64 bytes) override {
        m_limit = bytes;
        const double share = bytes > 0 ? static_cast<double>(bytes + m_ofRuntime) / static_cast<double>(m_physical) : 1;
        Allocator::setMemoryFraction(std::min(share, 1.0), m_card);
    }

  private:
    /// Adafactor, whose steps are not of single elements.
    void updateOnHost(const FlatOptimizer &optimizer, at::Tensor &parameters, const at::Tensor &gradients,
                      at::Tensor &state, quint64 step) {
        const auto bytes = [](const at::Tensor &tensor) { return static_cast<std::byte *>(tensor.data_ptr()); };
        const at::Tensor p = toHost(parameters), g = toHost(gradients), s = toHost(state);
        optimizer.step(bytes(p), bytes(g), bytes(s), p.numel(), step);
        parameters.copy_(p, true);
        state.copy_(s, true);
    }
    static cuda::Real realOf(const at::Tensor &tensor) {
        return tensor.scalar_type() == at::kDouble ? cuda::Real::Float64 : cuda::Real::Float32;
    }
    static void checkKernels() {
        const char *error = cuda::lastError();
        TORCH_CHECK(!error, error);
    }
    at::TensorOptions here(at::ScalarType type) const {
        return at::TensorOptions().dtype(type).device(at::kCUDA, m_card);
    }
    /// Uninitialised, of that form.
    static at::Tensor pinned(const at::Tensor &like) {
        return at::empty_strided(like.sizes(), like.strides(),
                                 at::TensorOptions().dtype(like.scalar_type()).device(at::kCPU).pinned_memory(true));
    }
    /// What is asked of the second from now on waits for what was asked of the first.
    static void order(c10::cuda::CUDAStream first, c10::cuda::CUDAStream second) {
        at::cuda::CUDAEvent event;
        event.record(first);
        event.block(second);
    }
    Allocator::DeviceStats stats() const { return Allocator::getDeviceStats(m_card); }
    std::shared_ptr<const ClockBase> clock() const {
        const std::lock_guard lock(m_clockMutex);
        return m_clock;
    }
    /// Now and then, while nothing is computed: an event tells its distance from another one as a float.
    void setClock() {
        auto base = std::make_shared<ClockBase>();
        check(cudaEventCreate(&base->event));
        check(cudaEventRecord(base->event, m_compute));
        check(cudaEventSynchronize(base->event));
        base->when = std::chrono::steady_clock::now();
        const std::lock_guard lock(m_clockMutex);
        m_clock = std::move(base);
    }

    const c10::DeviceIndex m_card;
    const QString m_name;
    const c10::cuda::CUDAStream m_compute, m_in, m_out;
    qint64 m_physical = 0, m_limit = 0, m_ofRuntime = 0;
    std::atomic<qint64> m_runtime{0};
    std::optional<double> m_gain;
    mutable std::mutex m_clockMutex;  // a backward pass has a thread of its own
    std::shared_ptr<const ClockBase> m_clock;
};

QString uuidText(const cudaUUID_t &uuid) {
    const QByteArray hex = QByteArray(uuid.bytes, sizeof uuid.bytes).toHex();
    return QStringLiteral("GPU-%1-%2-%3-%4-%5")
        .arg(QString::fromLatin1(hex.mid(0, 8)), QString::fromLatin1(hex.mid(8, 4)),
             QString::fromLatin1(hex.mid(12, 4)), QString::fromLatin1(hex.mid(16, 4)),
             QString::fromLatin1(hex.mid(20)));
}

Sentence causeOf(cudaError_t error) {
    if (error == cudaErrorInsufficientDriver)
        return sentence("The driver is older than this program needs, or there is none.");
    if (error == cudaErrorNoDevice)
        return sentence("There is no NVIDIA card.");
    return sentence("The driver says: %1.").arg(QString::fromUtf8(cudaGetErrorString(error)));
}

}  // namespace

QJsonObject CudaCards::toJson() const {
    QJsonArray list;
    for (const CudaCard &card : cards) {
        list.append(
            QJsonObject{{QLatin1String("index"), card.index},
                        {QLatin1String("name"), card.name},
                        {QLatin1String("uuid"), card.uuid},
                        {QLatin1String("memory"), card.memoryBytes},
                        {QLatin1String("capability"), QStringLiteral("%1.%2").arg(card.major).arg(card.minor)}});
    }
    QCborMap map;
    insertSentence(map, QLatin1String("cause"), cause);
    QJsonObject json = map.toJsonObject();
    json[QLatin1String("format")] = QStringLiteral("hearth-cards/1");
    json[QLatin1String("cards")] = list;
    return json;
}

CudaCards findCudaCards() {
    CudaCards found;
    int count = 0;
    if (const cudaError_t error = cudaGetDeviceCount(&count); error != cudaSuccess) {
        found.cause = causeOf(error);
        return found;
    }
    for (int i = 0; i < count; ++i) {
        cudaDeviceProp properties{};
        if (const cudaError_t error = cudaGetDeviceProperties(&properties, i); error != cudaSuccess) {
            found.cause = causeOf(error);
            continue;
        }
        found.cards.push_back({i, QString::fromUtf8(properties.name), uuidText(properties.uuid),
                               static_cast<qint64>(properties.totalGlobalMem), properties.major, properties.minor});
    }
    if (!found.cards.empty())
        found.cause = Sentence();
    else if (found.cause.isEmpty())
        found.cause = causeOf(cudaErrorNoDevice);
    return found;
}

Result<std::shared_ptr<ComputeDevice>> cudaDevice(int card) {
    static std::mutex mutex;
    // Live as long as the process: the driver's library ends before static objects do.
    static auto *opened = new std::map<int, std::shared_ptr<ComputeDevice>>;
    const std::lock_guard lock(mutex);
    if (const auto known = opened->find(card); known != opened->end())
        return known->second;
    const CudaCards found = findCudaCards();
    const auto own = std::ranges::find(found.cards, card, &CudaCard::index);
    if (own == found.cards.end())
        return fail(QStringLiteral("cuda.no-card"), sentence("There is no card %1 to compute on.").arg(card),
                    found.cause.isEmpty() ? sentence("This computer has %1.").arg(found.cards.size()) : found.cause);
    auto device = guarded([&]() -> Result<std::shared_ptr<ComputeDevice>> {
        // LibTorch opens its side of the card with the first tensor there.
        at::empty({1}, at::TensorOptions().dtype(at::kFloat).device(at::kCUDA, static_cast<c10::DeviceIndex>(card)));
        return (*opened)[card] = std::make_shared<CudaDevice>(card, own->name);
    });
    if (!device)
        return fail(QStringLiteral("cuda.failed"), sentence("Card %1 does not open.").arg(own->name),
                    device.error().cause);
    return device;
}

}  // namespace hearth
