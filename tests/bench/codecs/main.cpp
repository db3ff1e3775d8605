// Codecs of cuts on real tensors: how much shorter, how far off, how fast on one thread; zstd behind them, and zfp at
// the same rate beside them, where it is installed. Usage: codecs [MEGABYTES [STEP ...]]
#include <QTextStream>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <memory>

#ifdef HEARTH_HAVE_ZFP
#include <zfp.h>
#endif

#include "core/base/block_codecs.h"
#include "core/base/median.h"
#include "core/train/active_values.h"
#include "core/train/memory.h"
#include "core/train/threads.h"
#include "core/wire/byte_planes.h"
#include "core/wire/packed_tensor.h"
#include "real_tensors.h"

using namespace hearth;

namespace {

struct Bars {
    const Codec *codec;
    double ratio, activations, gradients;  // at least; at most, relative L2
};

const std::vector<Bars> bars{{&noCodec(), 1, 0, 0},
                             {&bf16Codec, 2.0, 0.004, 0.004},
                             {&bfp8Codec, 3.85, 0.007, 0.010},
                             {&bfp4Codec, 7.5, 0.12, 0.16}};
constexpr double fastEnough = 5e9;  // bytes of float32 a second

double threadSeconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

double medianSeconds(int repeats, const std::function<void()> &work) {
    std::vector<double> seconds;
    for (int i = 0; i < repeats; ++i) {
        const double start = threadSeconds();
        work();
        seconds.push_back(threadSeconds() - start);
    }
    return medianOf(std::move(seconds));
}

double relativeError(const float *values, const float *others, std::size_t count) {
    double off = 0, all = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const double value = values[i], d = value - others[i];
        off += d * d;
        all += value * value;
    }
    return all > 0 ? std::sqrt(off / all) : 0;
}

Rounding roundingOf(const RealTensor &tensor) {
    return tensor.gradient ? Rounding::Stochastic : Rounding::Nearest;
}

struct Outcome {
    double ratio = 0, error = 0, zstdRatio = 0;
};

/// Seconds for a byte of float32, of zstd behind a codec.
struct PackSeconds {
    double bytes = 0, pack = 0, unpack = 0;
};

/// As a cut sends it.
Outcome outcomeOf(const Codec &codec, const RealTensor &tensor, PackSeconds &sum) {
    const auto bytes = std::as_bytes(std::span(tensor.values));
    TensorHeader header;
    header.kind = tensor.gradient ? TensorKind::Gradient : TensorKind::Activation;
    header.dims = {static_cast<quint32>(tensor.samples),
                   static_cast<quint32>(tensor.values.size() / static_cast<std::size_t>(tensor.samples))};
    header.codec = codec.number;
    const Encoded sent = encoded(codec, DType::Float32, {bytes.data(), static_cast<qsizetype>(bytes.size()), nullptr},
                                 static_cast<quint64>(tensor.samples), roundingOf(tensor));
    auto copy = Buffer::allocate(sent.payload.size);
    std::memcpy(copy->data(), sent.payload.data, static_cast<std::size_t>(sent.payload.size));
    Outcome outcome;
    outcome.ratio = static_cast<double>(bytes.size()) / static_cast<double>(copy->size());
    Payload packed = sent.payload;
    sum.bytes += static_cast<double>(bytes.size());
    sum.pack += medianSeconds(1, [&] { packTensor(header, packed); });
    outcome.zstdRatio = static_cast<double>(bytes.size()) / static_cast<double>(packed.size);
    header.setByteCounts(packed.size);
    TensorFrame frame{header, Buffer::allocate(packed.size), {}};
    std::memcpy(frame.payload->data(), packed.data, static_cast<std::size_t>(packed.size));
    sum.unpack += medianSeconds(1, [&] { static_cast<void>(valuesOf(frame)); });
    const auto back = decoded(*sent.codec, DType::Float32, copy, bytes.size(), static_cast<quint64>(tensor.samples));
    std::vector<float> values(tensor.values.size());
    std::memcpy(values.data(), back->data(), bytes.size());
    outcome.error = relativeError(tensor.values.data(), values.data(), values.size());
    return outcome;
}

/// A gradient of `none` without the values that come to nothing behind the rectifier that gave its activation.
void tellActive(const RealTensor &activation, const RealTensor &gradient) {
    const auto masks = std::as_bytes(std::span(activation.values)), whole = std::as_bytes(std::span(gradient.values));
    const auto bytes = static_cast<double>(whole.size());
    std::shared_ptr<Buffer> active, back;
    const double leaveOut = medianSeconds(3, [&] { active = activeValues(DType::Float32, masks, whole); });
    const double putIn =
        medianSeconds(3, [&] { back = withZeros(DType::Float32, masks, std::as_const(*active).bytes()); });
    const auto packed = packPlanes(std::as_const(*active).bytes());
    const double left = static_cast<double>(active->size()), sent = packed ? static_cast<double>(packed->size()) : left;
    std::printf("  %-42s %5.2f x, with zstd %5.2f x; %5.2f ns for a byte, %5.2f back\n", qPrintable(gradient.name),
                bytes / left, bytes / sent, 1e9 * leaveOut / bytes, 1e9 * putIn / bytes);
}

bool tell(const char *what, double value, double bar, bool atLeast, const char *unit) {
    const bool met = atLeast ? value >= bar : value <= bar;
    std::printf("  %-52s %8.2f %-4s  target %5.2f  %s\n", what, value, unit, bar, met ? "met" : "NOT MET");
    return met;
}

/// Bytes of float32 a second.
struct Speeds {
    double encode = 0, decode = 0;
};

Speeds speedsOf(const Codec &codec, const std::vector<float> &values, Rounding rounding) {
    const auto raw = std::as_bytes(std::span(values));
    const auto size = codec.encodedBytes(DType::Float32, raw.size());
    std::vector<std::byte> packed(size), back(raw.size());
    const double encode =
        medianSeconds(5, [&] { static_cast<void>(codec.encode(DType::Float32, raw, packed, rounding)); });
    const double decode = medianSeconds(5, [&] { codec.decode(DType::Float32, packed, back); });
    const auto bytes = static_cast<double>(raw.size());
    return {bytes / encode, bytes / decode};
}

#ifdef HEARTH_HAVE_ZFP
/// One value in 8 bits on average, in blocks of 4×4×4 of columns, lines and channels; relative L2 by tensor.
Speeds zfpSpeeds(const std::vector<RealTensor> &tensors, std::vector<double> &errors) {
    double encode = 0, decode = 0, bytes = 0;
    for (const RealTensor &tensor : tensors) {
        const bool picture = tensor.sample.size() == 3;
        const auto extent = [&](std::size_t d) { return static_cast<std::size_t>(tensor.sample[d]); };
        const auto samples = static_cast<std::size_t>(tensor.samples);
        std::vector<float> values = tensor.values, back(values.size());
        const auto fieldOf = [&](float *data) {
            return picture ? zfp_field_3d(data, zfp_type_float, extent(2), extent(1), extent(0) * samples)
                           : zfp_field_2d(data, zfp_type_float, values.size() / samples, samples);
        };
        zfp_stream *zfp = zfp_stream_open(nullptr);
        zfp_field *from = fieldOf(values.data()), *to = fieldOf(back.data());
        zfp_stream_set_rate(zfp, 8, zfp_type_float, picture ? 3 : 2, 0);
        std::vector<std::byte> packed(zfp_stream_maximum_size(zfp, from));
        bitstream *stream = stream_open(packed.data(), packed.size());
        zfp_stream_set_bit_stream(zfp, stream);
        encode += medianSeconds(3, [&] { zfp_stream_rewind(zfp), zfp_compress(zfp, from); });
        decode += medianSeconds(3, [&] { zfp_stream_rewind(zfp), zfp_decompress(zfp, to); });
        bytes += static_cast<double>(values.size() * sizeof(float));
        errors.push_back(relativeError(values.data(), back.data(), values.size()));
        zfp_field_free(from);
        zfp_field_free(to);
        zfp_stream_close(zfp);
        stream_close(stream);
    }
    return {bytes / encode, bytes / decode};
}
#endif

}  // namespace

int main(int argc, char **argv) {
    const int megabytes = argc > 1 ? std::atoi(argv[1]) : 400;
    std::vector<int> steps;
    for (int i = 2; i < argc; ++i)
        steps.push_back(std::atoi(argv[i]));
    if (steps.empty())
        steps = {24, 60};
    if (megabytes < 1 || steps.front() < 1 || !std::ranges::is_sorted(steps))
        return std::fprintf(stderr, "Usage: codecs [MEGABYTES [STEP ...]], steps in ascending order\n"), 2;
    installTensorMemory();
    prepareComputeThread(1);
    std::vector<RealTensor> tensors;
    for (const char *model : {"fashion-cnn", "mobilenetv2-cifar", "resnet18:image=32"}) {
        auto real = realTensors({QLatin1String(model), 128, steps});
        if (!real) {
            QTextStream(stderr) << real.error().toString() << '\n';
            return 1;
        }
        std::ranges::move(*real, std::back_inserter(tensors));
    }

    std::printf("%-42s %-10s %6s |", "tensor (batch 128, channels last)", "", "zeros");
    for (const Bars &bar : bars)
        std::printf(" %5s ratio  +zstd    L2 |", bar.codec->name);
    std::printf("\n");
    bool met = true;
    std::vector<Outcome> worst(bars.size() * 2);
    std::vector<PackSeconds> packing(bars.size() * 2);
    for (const RealTensor &tensor : tensors) {
        const auto zeros = std::ranges::count(tensor.values, 0.0F);
        std::printf("%-42s %-10s %4.0f %% |", qPrintable(tensor.name), tensor.gradient ? "gradient" : "activation",
                    100.0 * static_cast<double>(zeros) / static_cast<double>(tensor.values.size()));
        for (std::size_t c = 0; c < bars.size(); ++c) {
            const std::size_t way = 2 * c + (tensor.gradient ? 1 : 0);
            const Outcome outcome = outcomeOf(*bars[c].codec, tensor, packing[way]);
            std::printf("       %5.2f  %5.2f %4.1f%% |", outcome.ratio, outcome.zstdRatio, 100 * outcome.error);
            Outcome &most = worst[way];
            const auto least = [](double had, double now) { return had > 0 ? std::min(had, now) : now; };
            most = {least(most.ratio, outcome.ratio), std::max(most.error, outcome.error),
                    least(most.zstdRatio, outcome.zstdRatio)};
        }
        std::printf("\n");
    }
    std::printf("\nThe worst of %zu tensors:\n", tensors.size());
    for (std::size_t c = 0; c < bars.size(); ++c) {
        for (const bool gradient : {false, true}) {
            const std::size_t way = 2 * c + (gradient ? 1 : 0);
            const Outcome &most = worst[way];
            const QByteArray of = QByteArray(bars[c].codec->name) + (gradient ? ", gradients" : ", activations");
            met &= tell((of + ": ratio").constData(), most.ratio, bars[c].ratio, true, "x");
            met &= tell((of + ": relative L2").constData(), 100 * most.error,
                        100 * (gradient ? bars[c].gradients : bars[c].activations), false, "%");
            if (bars[c].codec == &bfp8Codec && most.zstdRatio > 0)
                met &= tell((of + ": ratio with zstd").constData(), most.zstdRatio, 4, true, "x");
        }
    }

    std::printf("\nGradients of none without what comes to nothing behind a rectifier:\n");
    for (std::size_t i = 0; i < tensors.size(); ++i) {
        const auto activation = std::ranges::find_if(tensors, [&](const RealTensor &each) {
            return !each.gradient && each.name == tensors[i].name && std::ranges::min(each.values) == 0.F;
        });
        if (tensors[i].gradient && activation != tensors.end())
            tellActive(*activation, tensors[i]);
    }
    std::printf("\nzstd behind them, ns for a byte of float32:\n");
    for (std::size_t way = 0; way < packing.size(); ++way)
        std::printf("  %-5s %-12s packed in %5.2f, unpacked and decoded in %5.2f\n", bars[way / 2].codec->name,
                    way % 2 ? "gradients" : "activations", 1e9 * packing[way].pack / packing[way].bytes,
                    1e9 * packing[way].unpack / packing[way].bytes);

    std::vector<float> cold;
    const std::size_t wanted = static_cast<std::size_t>(megabytes) * 1'000'000 / sizeof(float);
    while (cold.size() < wanted) {
        for (const RealTensor &tensor : tensors)
            cold.insert(cold.end(), tensor.values.begin(), tensor.values.end());
    }
    cold.resize(wanted / 64 * 64);
    std::printf("\nOne thread, %d MB of them, GB/s of float32:\n", megabytes);
    Speeds bfp8;
    for (const Bars &bar : bars) {
        if (!bar.codec->encode)
            continue;
        for (const Rounding rounding : {Rounding::Nearest, Rounding::Stochastic}) {
            if (rounding == Rounding::Stochastic && bar.codec != &bfp4Codec)
                continue;
            const Speeds speeds = speedsOf(*bar.codec, cold, rounding);
            bfp8 = bar.codec == &bfp8Codec ? speeds : bfp8;
            const QByteArray of =
                QByteArray(bar.codec->name) + (rounding == Rounding::Stochastic ? ", stochastic" : "");
            met &= tell((of + ": encode").constData(), speeds.encode / 1e9, fastEnough / 1e9, true, "GB/s");
            met &= tell((of + ": decode").constData(), speeds.decode / 1e9, fastEnough / 1e9, true, "GB/s");
        }
    }
#ifdef HEARTH_HAVE_ZFP
    std::vector<double> errors;
    const Speeds zfp = zfpSpeeds(tensors, errors);
    std::printf("\nzfp at rate 8: %.2f GB/s, %.2f GB/s back; relative L2 of the worst %.1f %%\n", zfp.encode / 1e9,
                zfp.decode / 1e9, 100 * std::ranges::max(errors));
    met &= tell("bfp8 over zfp: encode", bfp8.encode / zfp.encode, 10, true, "x");
    met &= tell("bfp8 over zfp: decode", bfp8.decode / zfp.decode, 10, true, "x");
#else
    std::printf("\nzfp is not installed (libzfp-dev): nothing to compare with.\n");
#endif
    return met ? 0 : 1;
}
