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
    const auto channel = [](const std::vector<double> &values, qint64 c, T otherwise) {
        return values.empty() ? otherwise : static_cast<T>(values[static_cast<std::size_t>(c)]);
    };
    const qint64 step = channelsLast ? out.channels : 1;
    for (qint64 c = 0; c < out.channels; ++c) {
        const quint8 *plane = from + c % in.channels * in.height * in.width;
        const T mean = channel(transform.mean, c, 0), deviation = channel(transform.deviation, c, 1);
        T *target = channelsLast ? to + c : to + c * out.height * out.width;
        for (qint64 y = 0; y < in.height; ++y) {
            T *row = target + ((y + transform.pad[0]) * out.width + transform.pad[1]) * step;
            if (transform.mean.empty()) {
                for (qint64 x = 0; x < in.width; ++x)
                    row[x * step] = static_cast<T>(plane[y * in.width + x]) * scale;
            } else {
                for (qint64 x = 0; x < in.width; ++x)
                    row[x * step] = (static_cast<T>(plane[y * in.width + x]) * scale - mean) / deviation;
            }
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
    const InputTransform *transform() const override { return &m_transform; }
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

/// Numbers {…}, one for one.
template <class From, class To>
class NumberDecoder final : public InputDecoder {
  public:
    NumberDecoder(DType type, const Slot &input) : m_encoded{type, input.shape, false}, m_decoded(input) {}

    const Slot &encoded() const override { return m_encoded; }
    const Slot &decoded() const override { return m_decoded; }
    void decode(const std::byte *from, qint64 samples, std::byte *to) const override {
        const auto *values = reinterpret_cast<const From *>(from);
        auto *result = reinterpret_cast<To *>(to);
        if (m_decoded.dtype == DType::Float32 && m_decoded.shape.size() == 3) {
            channelsLast(values, samples, result);
            return;
        }
        std::transform(values, values + samples * m_decoded.elements(), result,
                       [](From value) { return static_cast<To>(value); });
    }

  private:
    void channelsLast(const From *from, qint64 samples, To *to) const {
        const Image image(m_decoded.shape);
        const qint64 pixels = image.height * image.width;
        for (qint64 n = 0; n < samples; ++n, from += image.values(), to += image.values()) {
            for (qint64 c = 0; c < image.channels; ++c) {
                for (qint64 i = 0; i < pixels; ++i)
                    to[i * image.channels + c] = static_cast<To>(from[c * pixels + i]);
            }
        }
    }

    const Slot m_encoded, m_decoded;
};

template <class To>
std::unique_ptr<const InputDecoder> numbersAs(DType type, const Slot &input) {
    switch (type) {
        case DType::UInt8:
            return std::make_unique<NumberDecoder<quint8, To>>(type, input);
        case DType::Int32:
            return std::make_unique<NumberDecoder<qint32, To>>(type, input);
        case DType::Int64:
            return std::make_unique<NumberDecoder<qint64, To>>(type, input);
        case DType::Float32:
            return std::make_unique<NumberDecoder<float, To>>(type, input);
        case DType::Float64:
            return std::make_unique<NumberDecoder<double, To>>(type, input);
        case DType::Float16:
        case DType::BFloat16:
            break;
    }
    return nullptr;
}

std::unique_ptr<const InputDecoder> numbers(DType type, const Slot &input) {
    const bool whole = type == DType::UInt8 || type == DType::Int32 || type == DType::Int64;
    if (input.dtype == DType::Int64)
        return whole ? numbersAs<qint64>(type, input) : nullptr;
    return input.dtype == DType::Float64 ? numbersAs<double>(type, input) : numbersAs<float>(type, input);
}

}  // namespace

Result<std::unique_ptr<const InputDecoder>> InputDecoder::make(const InputTransform &transform, const Slot &input,
                                                               DType type) {
    if (type != DType::UInt8 || input.dtype == DType::Int64) {
        if (auto decoder = numbers(type, input))
            return decoder;
        return fail(QStringLiteral("worker.bad-deployment"), sentence("The data do not fit the model."),
                    sentence("Numbers of type %1 do not become an input of type %2.")
                        .arg(safetensorsName(type), safetensorsName(input.dtype)),
                    sentence("Run the same version of Hearth on all devices."));
    }
    const auto sample = transform.sampleShape(input.shape);
    if (!sample) {
        return fail(QStringLiteral("worker.bad-deployment"), sentence("The data do not fit the model."),
                    sentence("No picture becomes the model's input of %1 with this border and these channels.")
                        .arg(shapeText(input.shape)),
                    sentence("Correct \"input\" of the job."));
    }
    return std::make_unique<const PictureDecoder>(transform, *sample, input);
}

Result<InputDecoders> makeInputDecoders(const InputTransform &transform, const std::vector<DType> &types,
                                        const std::vector<Slot> &inputs) {
    const std::vector<DType> each = types.empty() ? std::vector<DType>{DType::UInt8} : types;
    if (each.size() != inputs.size()) {
        return fail(
            QStringLiteral("worker.bad-deployment"), sentence("The data do not fit the model."),
            sentence("Samples have %1 {1|part|parts}, and the model takes %2.").arg(each.size()).arg(inputs.size()),
            sentence("Run the same version of Hearth on all devices."));
    }
    InputDecoders decoders;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto made = InputDecoder::make(transform, inputs[i], each[i]);
        if (!made)
            return tl::unexpected(made.error());
        decoders.push_back(std::move(*made));
    }
    return decoders;
}

}  // namespace hearth
