#include "core/run/asked_samples.h"

#include <algorithm>
#include <cstring>

#include "core/model/loss_facts.h"

namespace hearth {
namespace {

class AskedSamples : public Dataset {
  public:
    AskedSamples(const RunData &trained, const Model &model, const QByteArray &samples) : m_samples(samples) {
        m_kind = QStringLiteral("asked");
        for (const Slot &slot : trained.samples)
            m_parts.push_back({{}, slot});
        m_label = LossFacts::byName(trained.loss)->label(model.layers.back().shape.outputs.front().shape);
        m_labelNames = trained.classes;
        m_count = samples.size() / sampleBytes();
        qint64 from = 0;
        for (const DataPart &part : m_parts) {
            m_first.push_back(from);
            from += part.slot.bytes() * m_count;
        }
    }

    qint64 count(Split) const override { return m_count; }
    Result<void> readSamples(Split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        const auto each = static_cast<std::size_t>(m_parts[part].slot.bytes());
        for (std::size_t i = 0; i < indices.size(); ++i)
            std::memcpy(out.data() + i * each,
                        m_samples.constData() + m_first[part] + indices[i] * static_cast<qint64>(each), each);
        return {};
    }
    Result<void> readLabels(Split, std::span<const qint64>, std::span<std::byte> out) const override {
        std::ranges::fill(out, std::byte{0});
        return {};
    }

  private:
    const QByteArray m_samples;
    qint64 m_count = 0;
    std::vector<qint64> m_first;  // by part
};

}  // namespace

std::shared_ptr<const Dataset> askedSamples(const RunData &trained, const Model &model, const QByteArray &samples) {
    return std::make_shared<const AskedSamples>(trained, model, samples);
}

std::shared_ptr<const Dataset> noSamples(const RunData &trained, const Model &model) {
    qint64 bytes = 0;
    for (const Slot &slot : trained.samples)
        bytes += slot.bytes();
    return askedSamples(trained, model, QByteArray(bytes, '\0'));
}

EvaluationPass *passOf(const RunContext &run, const Deployment &deployment, qint64 round, const RunData &trained,
                       const QByteArray &samples, const AskedOutputs &outputs) {
    const auto data = askedSamples(trained, run.request.model, samples);
    const auto order = BatchOrder::once(*data, Split::Test, deployment.microBatch,
                                        [](std::span<const std::byte>) { return qint64{0}; });
    return new EvaluationPass(data, order, FeedLayout::of(deployment, run.membership.membersOf(deployment)),
                              static_cast<quint64>(round), run.deadlines, 0, outputs);
}

}  // namespace hearth
