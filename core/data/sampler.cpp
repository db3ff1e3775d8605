#include "core/data/sampler.h"

#include <numeric>
#include <utility>

#include "core/base/generator.h"

namespace hearth {
namespace {

// Keeps the order of samples apart from the other uses of a run's seed (core/model/init.h has 1).
constexpr quint64 orderStream = 2;

}  // namespace

EpochOrder::EpochOrder(quint64 seed, qint64 epoch, qint64 samples, bool shuffle) {
    if (!shuffle)
        return;
    m_order.resize(static_cast<std::size_t>(samples));
    std::iota(m_order.begin(), m_order.end(), 0U);
    const Generator stream = Generator(seed).child(orderStream).child(static_cast<quint64>(epoch));
    for (std::size_t i = m_order.size() - 1; i > 0; --i)
        std::swap(m_order[i], m_order[stream.below(i + 1, i)]);
}

Sampler::Sampler(quint64 seed, qint64 samples, bool shuffle) : m_seed(seed), m_samples(samples), m_shuffle(shuffle) {
    Q_ASSERT(samples >= 1 && samples <= 0xffffffff);
}

qint64 Sampler::sampleAt(qint64 position) {
    const qint64 epoch = position / m_samples;
    Kept &kept = m_kept[epoch % 2];
    if (kept.epoch != epoch)
        kept = {epoch, std::make_shared<const EpochOrder>(m_seed, epoch, m_samples, m_shuffle)};
    return kept.order->at(position % m_samples);
}

std::vector<qint64> Sampler::indicesOfRound(qint64 round, qint64 batch) {
    Q_ASSERT(round >= 1 && batch >= 1);
    std::vector<qint64> indices;
    indices.reserve(static_cast<std::size_t>(batch));
    for (qint64 i = (round - 1) * batch; i < round * batch; ++i)
        indices.push_back(sampleAt(i));
    return indices;
}

qint64 Sampler::roundsOfEpochs(qint64 epochs, qint64 samples, qint64 batch) {
    return (epochs * samples + batch - 1) / batch;
}

}  // namespace hearth
