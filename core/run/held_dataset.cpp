#include "core/run/held_dataset.h"

#include <QtEndian>
#include <algorithm>
#include <cstring>

#include "core/run/data_service.h"

namespace hearth {
namespace {

QByteArray bytesOfIndices(std::span<const qint64> indices) {
    QByteArray bytes(static_cast<qsizetype>(indices.size_bytes()), Qt::Uninitialized);
    for (std::size_t i = 0; i < indices.size(); ++i)
        qToLittleEndian(indices[i], bytes.data() + i * sizeof(qint64));
    return bytes;
}

/// The first of these whole numbers that is not allowed; nothing where all are.
template <class Number, class Allowed>
std::optional<qint64> firstOther(std::span<const std::byte> numbers, const Allowed &isAllowed) {
    for (std::size_t at = 0; at + sizeof(Number) <= numbers.size(); at += sizeof(Number)) {
        Number number{};
        std::memcpy(&number, numbers.data() + at, sizeof number);
        if (!isAllowed(qint64{number}))
            return number;
    }
    return std::nullopt;
}

std::optional<qint64> firstOutside(const WholeRange &range, DType type, std::span<const std::byte> numbers) {
    const auto isIn = [&range](qint64 number) { return number >= range.least && number <= range.most; };
    switch (type) {
        case DType::Int64:
            return firstOther<qint64>(numbers, isIn);
        case DType::Int32:
            return firstOther<qint32>(numbers, isIn);
        case DType::UInt8:
            return firstOther<quint8>(numbers, isIn);
        case DType::Float32:
        case DType::Float64:
        case DType::Float16:
        case DType::BFloat16:
            break;  // these have no range
    }
    return std::nullopt;
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
        return read({QStringLiteral("labels"), arguments(split)}, m_label.bytes(), indices, out).and_then([&] {
            return checkLabels(out);
        });
    }

  private:
    tl::unexpected<Error> isBroken(const char *code, const Sentence &cause) const {
        return fail(
            QLatin1String(code), sentence("The data %1 are not what they were.").arg(m_name), cause,
            sentence("Have them looked at again on the device that holds them: hearth data check \"%1\"").arg(m_name));
    }
    Result<void> checkLabels(std::span<const std::byte> labels) const {
        if (m_label.dtype != DType::Int64)
            return {};
        const auto strange = firstOther<qint64>(
            labels, [this](qint64 label) { return label == ignoredLabel || (label >= 0 && label < m_classes); });
        if (!strange)
            return {};
        return isBroken("data.broken-label",
                        sentence("A label is %1, and there {2|is|are} %2 {2|class|classes} (from 0).")
                            .arg(*strange)
                            .arg(m_classes));
    }
    Result<void> checkPart(const DataPart &part, std::span<const std::byte> numbers) const {
        const auto strange = part.range ? firstOutside(*part.range, part.slot.dtype, numbers) : std::optional<qint64>();
        if (!strange)
            return {};
        return isBroken("data.broken-sample", sentence("A number of \"%1\" is %2, and %3 to %4 were told.")
                                                  .arg(part.name)
                                                  .arg(*strange)
                                                  .arg(part.range->least)
                                                  .arg(part.range->most));
    }
    QCborMap arguments(Split split) const {
        return {{QStringLiteral("place"), m_place}, {QStringLiteral("split"), static_cast<int>(split)}};
    }
    Result<void> readPart(Split split, std::optional<qint64> epoch, std::size_t part, std::span<const qint64> indices,
                          std::span<std::byte> out) const {
        QCborMap args = arguments(split);
        args[QStringLiteral("part")] = static_cast<qint64>(part);
        if (epoch)
            args[QStringLiteral("epoch")] = *epoch;
        return read({QStringLiteral("read"), args}, m_parts[part].slot.bytes(), indices, out).and_then([&] {
            return checkPart(m_parts[part], out);
        });
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
