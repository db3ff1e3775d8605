// A device whose memory is not the host's, played on the processor.
#pragma once

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <future>
#include <limits>
#include <stdexcept>
#include <thread>

#include "core/base/generator.h"
#include "core/train/tensors.h"
#include "tests/core/train/delegating_device.h"

namespace hearth {

/// A moment that counts, or one that comes late.
class PlayedMark final : public Mark {
  public:
    explicit PlayedMark(double work, std::shared_future<void> done = {}) : m_work(work), m_done(std::move(done)) {}
    void wait() const override {
        if (m_done.valid())
            m_done.get();
    }
    TimePoint when() const override { return TimePoint(std::chrono::nanoseconds(std::llround(m_work * 1e9))); }
    double secondsSince(const Mark &earlier) const override { return workSince(earlier); }
    double workSince(const Mark &earlier) const override {
        return m_work - static_cast<const PlayedMark &>(earlier).m_work;
    }

  private:
    const double m_work;
    const std::shared_future<void> m_done;
};

/// Plays a device of its own on the processor: every way to it and back is a copy, values come to the host late and in
/// any order, and fresh memory holds no zeros.
class PlayedDevice final : public DelegatingDevice {
  public:
    QString name() const override { return QStringLiteral("played"); }
    at::Tensor allocate(const std::vector<std::int64_t> &sizes, const std::vector<std::int64_t> &strides,
                        DType type) override {
        at::Tensor tensor = processor()->allocate(sizes, strides, type);
        return tensor.is_floating_point() ? tensor.fill_(std::numeric_limits<double>::quiet_NaN()) : tensor.fill_(85);
    }
    bool isHost() const override { return false; }
    at::Tensor toHost(const at::Tensor &tensor) override {
        ++copies;
        return tensor.clone();
    }
    HostCopy startToHost(const at::Tensor &tensor, const at::Tensor *into) override {
        const int number = ++started;
        ++copies;
        at::Tensor host = into ? *into : at::empty_like(tensor);
        if (host.is_floating_point())
            host.fill_(std::numeric_limits<double>::quiet_NaN());
        const auto delay = std::chrono::microseconds(Generator(7).word(static_cast<quint64>(number)) % 3000);
        auto done = std::async(std::launch::async, [this, number, host, tensor, delay] {
            if (number == failingCopy)
                throw std::runtime_error("the card has fallen off the bus");
            std::this_thread::sleep_for(delay);  // as long as a copy of many bytes
            const at::NoGradGuard guard;
            at::Tensor(host).copy_(tensor);
        });
        return {host, std::make_shared<PlayedMark>(0, done.share())};
    }
    std::optional<CodedCopy> startCoded(const at::Tensor &samples, const Codec &codec, Rounding rounding) override {
        const DType type = samples.scalar_type() == at::kDouble ? DType::Float64 : DType::Float32;
        const auto count = samples.size(0);
        const Encoded written =
            encoded(codec, type, samplesOf(samples, 0, static_cast<int>(count)), static_cast<quint64>(count), rounding);
        const at::Tensor bytes = at::empty({written.payload.size}, at::kByte);
        std::memcpy(bytes.data_ptr(), written.payload.data, static_cast<std::size_t>(written.payload.size));
        return CodedCopy{startToHost(bytes, nullptr), at::full({1}, written.codec == &codec ? 0 : 1, at::kInt)};
    }
    at::Tensor fromHost(const at::Tensor &tensor) override {
        ++copies;
        return tensor.clone();
    }
    std::shared_ptr<const Mark> mark() override { return std::make_shared<PlayedMark>(ticks.fetch_add(1)); }
    std::shared_ptr<const Mark> workMark() override { return mark(); }
    qint64 takePeakBytes() override { return peakBytes; }
    TensorMemory memory() override { return {0, peakBytes, 0}; }
    void resetPeak() override {}
    void setMemoryLimit(qint64 bytes) override { limit = bytes; }

    static constexpr qint64 peakBytes = qint64{1} << 40;
    std::atomic<int> copies{0}, started{0};  // started: beside what is computed
    std::atomic<qint64> limit{0};
    std::atomic<double> ticks{0};  // the workers of a test may share a device
    int failingCopy = -1;          // of those that are started
};

}  // namespace hearth
