// Which samples a round takes: a pure function of (seed, round), so that any round can be replayed anywhere.
#pragma once

#include <QtGlobal>
#include <memory>
#include <vector>

namespace hearth {

/// The order of one epoch over n samples. With `shuffle`: Fisher–Yates from the identity, for i = n-1 down to 1 swap i
/// with Generator(seed).child(2).child(epoch).below(i + 1, i). Without: file order. Immutable, any thread.
class EpochOrder {
  public:
    EpochOrder(quint64 seed, qint64 epoch, qint64 samples, bool shuffle);
    qint64 at(qint64 position) const {
        return m_order.empty() ? position : m_order[static_cast<std::size_t>(position)];
    }

  private:
    std::vector<quint32> m_order;  // empty: identity
};

/// Position i of the run (from 0) is sample i mod n of epoch i div n; round r (from 1) takes positions (r-1)*batch to
/// r*batch-1 and so may span epochs. Keeps the orders of the last two epochs asked for: not thread-safe, cheap to make.
class Sampler {
  public:
    /// `samples` from 1 to 2^32-1.
    Sampler(quint64 seed, qint64 samples, bool shuffle);
    std::vector<qint64> indicesOfRound(qint64 round, qint64 batch);
    qint64 sampleAt(qint64 position);
    qint64 epochAt(qint64 position) const { return position / m_samples; }
    /// Positions from this one on, this one included, that are of the same epoch.
    qint64 leftOfEpoch(qint64 position) const { return m_samples - position % m_samples; }

    /// Rounds until every sample was taken at least `epochs` times: the last one may reach into the next epoch.
    static qint64 roundsOfEpochs(qint64 epochs, qint64 samples, qint64 batch);

  private:
    quint64 m_seed;
    qint64 m_samples;
    bool m_shuffle;
    struct Kept {
        qint64 epoch = -1;
        std::shared_ptr<const EpochOrder> order;
    };
    Kept m_kept[2];
};

}  // namespace hearth
