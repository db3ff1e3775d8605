#include "core/run/held_dataset.h"

#include <QtEndian>
#include <algorithm>

#include "core/run/data_service.h"

namespace hearth {
namespace {

QByteArray bytesOfIndices(std::span<const qint64> indices) {
    QByteArray bytes(static_cast<qsizetype>(indices.size_bytes()), Qt::Uninitialized);
    for (std::size_t i = 0; i < indices.size(); ++i)
        qToLittleEndian(indices[i], bytes.data() + i * sizeof(qint64));
    return bytes;
}

class HeldDataset : public Dataset {
  public:
    HeldDataset(const DataFacts &facts, int place, std::shared_ptr<HolderReads> reads, qint64 gone)
        : m_counts(facts.counts), m_isDecoded(facts.isDecoded), m_place(place), m_reads(std::move(reads)) {
        m_name = facts.name;
        m_kind = facts.kind;
        m_gone.count = gone;
        m_fileBytes = facts.bytes;
        m_parts = facts.parts;
        m_label = facts.label;
        m_classes = facts.classes;
        m_labelNames = facts.labelNames;
        m_preparation = facts.preparation;
    }

    bool isDecoded() const override { return m_isDecoded; }
    bool isElsewhere() const override { return true; }
    qint64 count(Split split) const override { return m_counts[static_cast<std::size_t>(split)]; }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return readPart(split, std::nullopt, part, indices, out);
    }
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return readPart(Split::Train, epoch, part, indices, out);
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return read({QStringLiteral("labels"), arguments(split)}, m_label.bytes(), indices, out);
    }

  private:
    QCborMap arguments(Split split) const {
        return {{QStringLiteral("place"), m_place}, {QStringLiteral("split"), static_cast<int>(split)}};
    }
    Result<void> readPart(Split split, std::optional<qint64> epoch, std::size_t part, std::span<const qint64> indices,
                          std::span<std::byte> out) const {
        QCborMap args = arguments(split);
        args[QStringLiteral("part")] = static_cast<qint64>(part);
        if (epoch)
            args[QStringLiteral("epoch")] = *epoch;
        return read({QStringLiteral("read"), args}, m_parts[part].slot.bytes(), indices, out);
    }
    Result<void> read(HolderCall call, qint64 bytesEach, std::span<const qint64> indices,
                      std::span<std::byte> out) const {
        const auto each = static_cast<std::size_t>(bytesEach);
        const auto most = static_cast<std::size_t>(DataProtocol::mostIndices);
        for (std::size_t first = 0; first < indices.size(); first += most) {
            const std::size_t count = std::min(most, indices.size() - first);
            call.args[QStringLiteral("indices")] = bytesOfIndices(indices.subspan(first, count));
            if (auto done = m_reads->read(call, out.subspan(first * each, count * each)); !done)
                return done;
        }
        return {};
    }

    const std::array<qint64, allSplits.size()> m_counts;
    const bool m_isDecoded;
    const int m_place;
    const std::shared_ptr<HolderReads> m_reads;
};

}  // namespace

std::shared_ptr<const Dataset> heldDataset(const DataFacts &facts, int place, std::shared_ptr<HolderReads> reads,
                                           qint64 gone) {
    return std::make_shared<const HeldDataset>(facts, place, std::move(reads), gone);
}

}  // namespace hearth
