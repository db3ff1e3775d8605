#include "core/data/mixing.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/generator.h"
#include "core/data/draws.h"

namespace hearth {
namespace {

constexpr quint64 mixingStream = 7;
/// Of two draws at most; with the largest alpha six are needed on average.
constexpr int mostTries = 1000;

/// Beta(alpha, alpha), by Jöhnk (1964).
double symmetricBeta(double alpha, Draws &draws) {
    for (int i = 0; i < mostTries; ++i) {
        const double one = std::pow(draws.share(), 1 / alpha), other = std::pow(draws.share(), 1 / alpha);
        if (const double sum = one + other; sum > 0 && sum <= 1)
            return one / sum;
    }
    return 0.5;
}

/// As large as `part` of the picture, with its middle anywhere; what would lie outside is left out.
QRect boxOf(double part, Draws &draws, const QSize &size) {
    const int middleX = draws.whole(0, size.width() - 1), middleY = draws.whole(0, size.height() - 1);
    const double half = std::sqrt(part) / 2;
    const auto halfWidth = static_cast<int>(half * size.width()), halfHeight = static_cast<int>(half * size.height());
    const QRect box(middleX - halfWidth, middleY - halfHeight, 2 * halfWidth, 2 * halfHeight);
    return box & QRect(QPoint(0, 0), size);
}

QSize sizeOf(const std::vector<qint64> &shape) {
    return {static_cast<int>(shape[2]), static_cast<int>(shape[1])};
}

Mix mixAt(const Mixing &mixing, const Sampler &sampler, qint64 position, qint64 index,
          const std::vector<qint64> &shape) {
    return Mix::of(mixing, sampler.epochAt(position), index, sizeOf(shape));
}

}  // namespace

Mix Mix::of(const Mixing &mixing, qint64 epoch, qint64 sample, const QSize &size) {
    Draws draws(Generator(mixing.seed)
                    .child(mixingStream)
                    .child(static_cast<quint64>(epoch))
                    .child(static_cast<quint64>(sample)));
    const bool second = draws.share() < 0.5;
    const bool cuts = mixing.cutmix > 0 && (mixing.mixup <= 0 || second);
    const double drawn = symmetricBeta(cuts ? mixing.cutmix : mixing.mixup, draws);
    const auto share = static_cast<int>(std::lround(drawn * whole));
    Mix mix;
    if (!cuts) {
        mix.share = share;
        mix.kept = static_cast<double>(share) / whole;
        return mix;
    }
    mix.box = boxOf(static_cast<double>(whole - share) / whole, draws, size);
    const auto pixels = [](const QSize &of) { return static_cast<double>(of.width()) * of.height(); };
    mix.kept = 1 - (mix.box.isEmpty() ? 0 : pixels(mix.box.size()) / pixels(size));
    return mix;
}

void Mix::apply(const std::vector<qint64> &shape, std::span<std::byte> picture,
                std::span<const std::byte> other) const {
    if (share < whole) {
        for (std::size_t i = 0; i < picture.size(); ++i) {
            const int sum = std::to_integer<int>(picture[i]) * share + std::to_integer<int>(other[i]) * (whole - share);
            picture[i] = static_cast<std::byte>((sum + whole / 2) / whole);
        }
    }
    if (box.isEmpty())
        return;
    for (qint64 channel = 0; channel < shape[0]; ++channel) {
        for (int y = box.top(); y <= box.bottom(); ++y) {
            const auto at = static_cast<std::size_t>((channel * shape[1] + y) * shape[2] + box.left());
            std::copy_n(other.data() + at, box.width(), picture.data() + at);
        }
    }
}

void mixSamples(const Mixing &mixing, const Sampler &sampler, qint64 position, std::span<const qint64> indices,
                const std::vector<qint64> &shape, std::span<std::byte> samples) {
    const std::size_t each = samples.size() / indices.size();
    for (std::size_t i = 0; i + 1 < indices.size(); ++i) {
        const Mix mix = mixAt(mixing, sampler, position + static_cast<qint64>(i), indices[i], shape);
        mix.apply(shape, samples.subspan(i * each, each), samples.subspan((i + 1) * each, each));
    }
}

void mixLabels(const Mixing &mixing, const Sampler &sampler, qint64 position, std::span<const qint64> indices,
               const std::vector<qint64> &shape, std::span<const std::byte> labels, std::span<std::byte> to) {
    std::vector<qint64> classes(indices.size());
    std::memcpy(classes.data(), labels.data(), labels.size());
    for (std::size_t i = 0; i + 1 < indices.size(); ++i) {
        const Mix mix = mixAt(mixing, sampler, position + static_cast<qint64>(i), indices[i], shape);
        const std::array mixed{static_cast<double>(classes[i]), static_cast<double>(classes[i + 1]), mix.kept};
        std::memcpy(to.data() + i * sizeof mixed, mixed.data(), sizeof mixed);
    }
}

Result<void> readMixed(const Dataset &data, const Mixing &mixing, Sampler &sampler, qint64 position,
                       std::span<std::byte> out) {
    const std::size_t each = out.size();
    std::vector<std::byte> both(2 * each);
    std::vector<qint64> indices;
    for (std::size_t i = 0; i < 2; ++i) {
        const qint64 at = position + static_cast<qint64>(i);
        indices.push_back(sampler.sampleAt(at));
        if (auto read = data.readEpoch(sampler.epochAt(at), 0, std::span(&indices.back(), 1),
                                       std::span(both).subspan(i * each, each));
            !read)
            return read;
    }
    mixSamples(mixing, sampler, position, indices, data.sample().shape, both);
    std::copy_n(both.begin(), each, out.begin());
    return {};
}

}  // namespace hearth
