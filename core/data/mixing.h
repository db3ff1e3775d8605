// Two training pictures as one: mixup and CutMix.
#pragma once

#include <QRect>
#include <QSize>
#include <span>

#include "core/base/error.h"
#include "core/base/slot.h"
#include "core/data/dataset.h"
#include "core/data/sampler.h"

namespace hearth {

/// Each sample is mixed with the one that follows it in the order of the run, whatever rounds, micro-batches and plan
/// are. Plain value.
struct Mixing {
    double mixup = 0;   // alpha of its Beta(alpha, alpha), of Zhang et al. (2018, arXiv:1710.09412); 0: not by this
    double cutmix = 0;  // likewise, of Yun et al. (2019, arXiv:1905.04899); with both, every second by one of them
    quint64 seed = 1;   // of what is random in it

    bool isNone() const { return mixup <= 0 && cutmix <= 0; }

    struct Limits {
        static constexpr double leastAlpha = 0.05, mostAlpha = 2;
    };
};

/// What becomes of one sample in one epoch. Plain value.
struct Mix {
    /// Parts of a whole: so coarse that it is the same however a processor rounds powers.
    static constexpr int whole = 1 << 12;

    int share = whole;  // of the sample itself, everywhere but ...
    QRect box;          // ... here, where all is the other's
    double kept = 1;    // of its label

    /// A pure function: words of Generator(seed).child(7).child(epoch).child(sample). `size` is the picture's.
    static Mix of(const Mixing &mixing, qint64 epoch, qint64 sample, const QSize &size);
    /// Changes `picture`, of bytes {channels, height, width}.
    void apply(const std::vector<qint64> &shape, std::span<std::byte> picture, std::span<const std::byte> other) const;
};

/// `samples` are whole ones of `shape`, `sampler` says which they are from `position` on; all but the last are mixed
/// with the one that follows.
void mixSamples(const Mixing &mixing, const Sampler &sampler, qint64 position, std::span<const qint64> indices,
                const std::vector<qint64> &shape, std::span<std::byte> samples);
/// Of class numbers the mixed labels, one less. Where one of the two counts for nothing, so it does in these.
void mixLabels(const Mixing &mixing, const Sampler &sampler, qint64 position, std::span<const qint64> indices,
               const std::vector<qint64> &shape, std::span<const std::byte> labels, std::span<std::byte> to);

/// The sample at this position of the run, of pictures, as a network sees it. Errors are those of reading; any thread.
Result<void> readMixed(const Dataset &data, const Mixing &mixing, Sampler &sampler, qint64 position,
                       std::span<std::byte> out);

}  // namespace hearth
