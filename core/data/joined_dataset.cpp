#include "core/data/joined_dataset.h"

#include <QImage>
#include <QJsonArray>
#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

constexpr qint64 ignoredLabel = -100;  // counts for nothing

/// "3×28×28".
QString textOf(const std::vector<qint64> &shape) {
    QStringList sizes;
    for (const qint64 size : shape)
        sizes << QString::number(size);
    return sizes.isEmpty() ? QStringLiteral("1") : sizes.join(QStringLiteral("×"));
}

tl::unexpected<Error> misfit(const DataShare &one, const DataShare &other, const Sentence &cause) {
    return fail(QStringLiteral("data.misfit"),
                sentence("%1 and %2 cannot be one data set.").arg(one.title, other.title), cause,
                sentence("Take one of them out of \"data\" of the job, or make both alike."));
}

Result<void> mustMatch(const DataShare &one, const DataShare &other) {
    const Dataset &a = *one.data, &b = *other.data;
    if (a.parts().size() != b.parts().size()) {
        return misfit(one, other,
                      sentence("A sample has %1 parts in the one and %2 in the other.")
                          .arg(a.parts().size())
                          .arg(b.parts().size()));
    }
    for (std::size_t i = 0; i < a.parts().size(); ++i) {
        const DataPart &mine = a.parts()[i], &its = b.parts()[i];
        if (mine.name != its.name)
            return misfit(one, other,
                          sentence("A part is \"%1\" in the one and \"%2\" in the other.").arg(mine.name, its.name));
        if (mine.slot.dtype != its.slot.dtype) {
            return misfit(one, other,
                          sentence("The numbers of \"%1\" are %2 in the one and %3 in the other.")
                              .arg(mine.name, safetensorsName(mine.slot.dtype), safetensorsName(its.slot.dtype)));
        }
        if (mine.slot.shape != its.slot.shape) {
            return misfit(one, other,
                          sentence("A sample of \"%1\" is %2 in the one and %3 in the other.")
                              .arg(mine.name, textOf(mine.slot.shape), textOf(its.slot.shape)));
        }
    }
    if (a.label() != b.label())
        return misfit(one, other, sentence("Their labels are of different kinds."));
    if (a.labelNames().isEmpty() != b.labelNames().isEmpty())
        return misfit(one, other, sentence("Only one of them has names for its classes."));
    if (one.coding != other.coding)
        return misfit(one, other, sentence("Their rows or texts became numbers in different ways."));
    return {};
}

class JoinedDataset : public Dataset {
  public:
    explicit JoinedDataset(std::vector<DataShare> shares) : Dataset(*shares.front().data), m_shares(std::move(shares)) {
        for (std::size_t i = 1; i < m_shares.size(); ++i)
            add(*m_shares[i].data);
        if (const QString classes = QStringLiteral("classes"); m_preparation.contains(classes))
            m_preparation[classes] = QJsonArray::fromStringList(m_labelNames);
        m_classOf.resize(m_shares.size());
        for (std::size_t i = 0; i < m_shares.size() && !m_labelNames.isEmpty(); ++i) {
            for (const QString &name : m_shares[i].data->labelNames())
                m_classOf[i].push_back(m_labelNames.indexOf(name));
        }
        for (const Split split : allSplits) {
            std::vector<qint64> &ends = m_ends[static_cast<std::size_t>(split)];
            qint64 end = 0;
            for (const DataShare &share : m_shares)
                ends.push_back(end += share.data->count(split));
        }
    }

    bool hasOwnSizes() const override {
        return std::ranges::any_of(m_shares, [](const DataShare &share) { return share.data->hasOwnSizes(); });
    }
    bool isDecoded() const override {
        return std::ranges::any_of(m_shares, [](const DataShare &share) { return share.data->isDecoded(); });
    }
    qint64 count(Split split) const override { return ends(split).back(); }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return readEach(split, indices, m_parts[part].slot.bytes(), out,
                        [&](std::size_t share, std::span<const qint64> places, std::span<std::byte> to) {
                            return m_shares[share].data->readSamples(split, part, places, to);
                        });
    }
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return readEach(Split::Train, indices, m_parts[part].slot.bytes(), out,
                        [&](std::size_t share, std::span<const qint64> places, std::span<std::byte> to) {
                            return m_shares[share].data->readEpoch(epoch, part, places, to);
                        });
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return readEach(split, indices, m_label.bytes(), out,
                        [&](std::size_t share, std::span<const qint64> places, std::span<std::byte> to) {
                            return m_shares[share].data->readLabels(split, places, to).and_then([&] {
                                return tellClasses(share, to);
                            });
                        });
    }
    QString fileOf(Split split, qint64 index) const override {
        const auto [share, place] = placeOf(split, index);
        return m_shares[share].data->fileOf(split, place);
    }
    Result<QStringList> readFields(Split split, qint64 index) const override {
        const auto [share, place] = placeOf(split, index);
        return m_shares[share].data->readFields(split, place);
    }
    Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const override {
        const auto [share, place] = placeOf(split, index);
        return m_shares[share].data->readPicture(split, place, scale);
    }

  private:
    void add(const Dataset &other) {
        m_name += QStringLiteral(", ") + other.name();
        m_broken.insert(m_broken.end(), other.broken().begin(), other.broken().end());
        m_fileBytes += other.fileBytes();
        for (std::size_t part = 0; part < m_parts.size(); ++part) {
            std::optional<WholeRange> &range = m_parts[part].range;
            if (const auto &its = other.parts()[part].range; its && range)
                range = WholeRange{std::min(range->least, its->least), std::max(range->most, its->most)};
            else if (its)
                range = its;
        }
        for (const QString &name : other.labelNames()) {
            if (!m_labelNames.contains(name))
                m_labelNames << name;
        }
        m_classes =
            m_labelNames.isEmpty() ? std::max(m_classes, other.classes()) : static_cast<int>(m_labelNames.size());
        if (m_columns != other.columns())
            m_columns.clear();
        if (m_preparation.isEmpty())
            m_preparation = other.preparation();
    }

    const std::vector<qint64> &ends(Split split) const { return m_ends[static_cast<std::size_t>(split)]; }
    /// Whose sample it is, and which of its own.
    std::pair<std::size_t, qint64> placeOf(Split split, qint64 index) const {
        const std::vector<qint64> &all = ends(split);
        const auto share = static_cast<std::size_t>(std::ranges::upper_bound(all, index) - all.begin());
        return {share, index - (share == 0 ? 0 : all[share - 1])};
    }

    /// Asks each share once for all that are its own.
    template <class Read>
    Result<void> readEach(Split split, std::span<const qint64> indices, qint64 bytesEach, std::span<std::byte> out,
                          const Read &read) const {
        const auto each = static_cast<std::size_t>(bytesEach);
        std::vector<std::vector<qint64>> places(m_shares.size());
        std::vector<std::vector<std::size_t>> positions(m_shares.size());
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const auto [share, place] = placeOf(split, indices[i]);
            places[share].push_back(place);
            positions[share].push_back(i);
        }
        std::vector<std::byte> bytes;
        for (std::size_t share = 0; share < m_shares.size(); ++share) {
            if (places[share].empty())
                continue;
            if (places[share].size() == indices.size())
                return read(share, places[share], out);
            bytes.resize(places[share].size() * each);
            if (auto done = read(share, places[share], bytes); !done)
                return done;
            for (std::size_t i = 0; i < positions[share].size(); ++i)
                std::memcpy(out.data() + positions[share][i] * each, bytes.data() + i * each, each);
        }
        return {};
    }

    /// Labels of the share's own classes become those of all.
    Result<void> tellClasses(std::size_t share, std::span<std::byte> labels) const {
        const std::vector<qint64> &classOf = m_classOf[share];
        if (classOf.empty())
            return {};
        for (std::size_t at = 0; at + sizeof(qint64) <= labels.size(); at += sizeof(qint64)) {
            qint64 label = 0;
            std::memcpy(&label, labels.data() + at, sizeof label);
            if (label == ignoredLabel)
                continue;
            if (label < 0 || label >= static_cast<qint64>(classOf.size())) {
                return fail(QStringLiteral("data.broken-label"),
                            sentence("A label of %1 is none of its classes.").arg(m_shares[share].title));
            }
            label = classOf[static_cast<std::size_t>(label)];
            std::memcpy(labels.data() + at, &label, sizeof label);
        }
        return {};
    }

    const std::vector<DataShare> m_shares;
    std::vector<std::vector<qint64>> m_classOf;  // by share and its own class; empty: they have no names
    std::array<std::vector<qint64>, allSplits.size()> m_ends;
};

}  // namespace

Result<std::shared_ptr<const Dataset>> joinDatasets(std::vector<DataShare> shares) {
    if (shares.size() == 1)
        return std::move(shares.front().data);
    for (std::size_t i = 1; i < shares.size(); ++i) {
        if (auto fits = mustMatch(shares.front(), shares[i]); !fits)
            return tl::unexpected(fits.error());
    }
    return std::make_shared<const JoinedDataset>(std::move(shares));
}

}  // namespace hearth
