#include "core/train/input_decoder.h"

#include <algorithm>

namespace hearth {
namespace {

struct Image {
    qint64 channels, height, width;
    explicit Image(const Shape &shape) : channels(shape[0]), height(shape[1]), width(shape[2]) {}
    qint64 values() const { return channels * height * width; }
};

/// One sample.
template <class T>
void decodeOne(const quint8 *__restrict from, const Image &in, T *__restrict to, const Image &out,
               const InputTransform &transform, bool channelsLast) {
    const T scale = static_cast<T>(transform.scale);
    const qint64 step = channelsLast ? out.channels : 1;
    for (qint64 c = 0; c < out.channels; ++c) {
        const quint8 *plane = from + c % in.channels * in.height * in.width;
        T *target = channelsLast ? to + c : to + c * out.height * out.width;
        for (qint64 y = 0; y < in.height; ++y) {
            T *row = target + ((y + transform.pad[0]) * out.width + transform.pad[1]) * step;
            for (qint64 x = 0; x < in.width; ++x)
                row[x * step] = static_cast<T>(plane[y * in.width + x]) * scale;
        }
    }
}

/// Bytes {c, h, w}: scaled, padded with zeros, channels repeated.
class PictureDecoder final : public InputDecoder {
  public:
    PictureDecoder(const InputTransform &transform, const Shape &sample, const Slot &input)
        : m_transform(transform), m_encoded{DType::UInt8, sample, false}, m_decoded(input) {}

    const Slot &encoded() const override { return m_encoded; }
    const Slot &decoded() const override { return m_decoded; }
    void decode(const std::byte *from, qint64 samples, std::byte *to) const override {
        if (m_decoded.dtype == DType::Float64)
            decodeAs<double>(from, samples, to, false);
        else
            decodeAs<float>(from, samples, to, true);
    }

  private:
    template <class T>
    void decodeAs(const std::byte *from, qint64 samples, std::byte *to, bool channelsLast) const {
        const Image in(m_encoded.shape), out(m_decoded.shape);
        auto *values = reinterpret_cast<T *>(to);
        if (m_transform.pad[0] > 0 || m_transform.pad[1] > 0)
            std::fill_n(values, samples * out.values(), T(0));
        const auto *bytes = reinterpret_cast<const quint8 *>(from);
        for (qint64 n = 0; n < samples; ++n)
            decodeOne(bytes + n * in.values(), in, values + n * out.values(), out, m_transform, channelsLast);
    }

    const InputTransform m_transform;
    const Slot m_encoded, m_decoded;
};

}  // namespace

Result<std::unique_ptr<const InputDecoder>> InputDecoder::make(const InputTransform &transform, const Slot &input) {
    const auto sample = transform.sampleShape(input.shape);
    if (!sample) {
        return fail(QStringLiteral("worker.bad-deployment"), QStringLiteral("The data do not fit the model."),
                    QStringLiteral("No picture becomes the model's input of %1 with this border and these channels.")
                        .arg(shapeText(input.shape)),
                    QStringLiteral("Correct \"input\" of the job."));
    }
    return std::make_unique<const PictureDecoder>(transform, *sample, input);
}

}  // namespace hearth
