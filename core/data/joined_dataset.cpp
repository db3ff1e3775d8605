#include "core/data/joined_dataset.h"

#include <QHash>
#include <QImage>
#include <QJsonArray>
#include <algorithm>
#include <cstring>

#include "core/data/fitted_pictures.h"
#include "core/data/told_preparation.h"

namespace hearth {
namespace {

using Sets = std::vector<std::shared_ptr<const Dataset>>;

/// "3×28×28 of U8"
QString slotText(const Slot &slot) {
    QStringList dimensions;
    for (const qint64 dimension : slot.shape)
        dimensions << QString::number(dimension);
    const QString type = safetensorsName(slot.dtype);
    return dimensions.isEmpty() ? type : dimensions.join(QStringLiteral("×")) + QLatin1Char(' ') + type;
}

tl::unexpected<Error> cannotJoin(const Dataset &one, const Dataset &other, const Sentence &cause,
                                 const Sentence &advice) {
    return fail(QStringLiteral("data.join"),
                sentence("The data %1 and %2 cannot be learnt from together.").arg(one.name(), other.name()), cause,
                advice);
}

/// Their pictures become those of the other's size.
bool goTogetherResized(const Dataset &one, const Dataset &other) {
    return one.arePictures() && other.arePictures() && (one.hasOwnSizes() || other.hasOwnSizes());
}

Result<void> checkParts(const Dataset &one, const Dataset &other) {
    const Sentence advice = sentence("Join data of one form only.");
    if (one.parts().size() != other.parts().size()) {
        return cannotJoin(one, other,
                          sentence("A sample of %1 has %2 {2|part|parts}, and one of %3 has %4.")
                              .arg(one.name())
                              .arg(static_cast<qint64>(one.parts().size()))
                              .arg(other.name())
                              .arg(static_cast<qint64>(other.parts().size())),
                          advice);
    }
    const bool only = one.parts().size() == 1;
    for (std::size_t i = 0; i < one.parts().size(); ++i) {
        const DataPart &a = one.parts()[i], &b = other.parts()[i];
        if (!only && a.name != b.name) {
            return cannotJoin(one, other,
                              sentence("A sample of %1 has \"%2\" where one of %3 has \"%4\".")
                                  .arg(one.name(), a.name, other.name(), b.name),
                              advice);
        }
        if (a.slot != b.slot && !goTogetherResized(one, other)) {
            return cannotJoin(one, other,
                              sentence("\"%1\" is %2 in %3 and %4 in %5.")
                                  .arg(a.name, slotText(a.slot), one.name(), slotText(b.slot), other.name()),
                              advice);
        }
    }
    return {};
}

Result<void> checkLabels(const Dataset &one, const Dataset &other) {
    if (one.label() != other.label()) {
        return cannotJoin(one, other,
                          sentence("Labels are %1 in %2 and %3 in %4.")
                              .arg(slotText(one.label()), one.name(), slotText(other.label()), other.name()),
                          sentence("Join data of one form only."));
    }
    if (one.labelNames().isEmpty() != other.labelNames().isEmpty()) {
        const Dataset &named = one.labelNames().isEmpty() ? other : one;
        const Dataset &numbered = one.labelNames().isEmpty() ? one : other;
        return cannotJoin(
            one, other,
            sentence("The classes of %1 have names, and those of %2 have none.").arg(named.name(), numbered.name()),
            sentence("Give the classes of both names, or those of neither."));
    }
    return {};
}

Result<void> checkPreparations(const Dataset &one, const Dataset &other) {
    const auto first = preparationToTell(one);
    if (!first)
        return tl::unexpected(first.error());
    const auto second = preparationToTell(other);
    if (!second)
        return tl::unexpected(second.error());
    if (comparablePreparation(*first) == comparablePreparation(*second))
        return {};
    return cannotJoin(one, other,
                      sentence("Their rows or texts become samples in different ways: other columns, other means, or "
                               "another tokenizer."),
                      sentence("Prepare both in the same way: with the same tokenizer, or as tables with the same "
                               "columns."));
}

class JoinedDataset : public Dataset {
  public:
    /// The first classes are those that are given, in their order.
    explicit JoinedDataset(Sets sets, const QStringList &classes = {}) : m_sets(std::move(sets)) {
        m_labelNames = classes;
        m_kind = m_sets.front()->kind();
        m_label = m_sets.front()->label();
        m_columns = m_sets.front()->columns();
        QStringList names;
        for (const auto &set : m_sets) {
            names << set->name();
            m_fileBytes += set->fileBytes();
            m_hasOwnSizes = m_hasOwnSizes || set->hasOwnSizes();
            m_isDecoded = m_isDecoded || set->isDecoded();
            m_isElsewhere = m_isElsewhere || set->isElsewhere();
            m_gone.count += set->gone().count;
            if (m_gone.first.isEmpty())
                m_gone.first = set->gone().first;
            const QString place = m_sets.size() > 1 ? set->name() + QLatin1Char('/') : QString();
            for (const BrokenFile &broken : set->broken())
                m_broken.push_back({place + broken.file, broken.cause, broken.fate});
        }
        m_name = names.join(QStringLiteral(", "));
        joinParts();
        joinClasses();
        joinPreparations();
    }

    bool hasOwnSizes() const override { return m_hasOwnSizes; }
    bool isDecoded() const override { return m_isDecoded; }
    bool isElsewhere() const override { return m_isElsewhere; }
    qint64 count(Split split) const override {
        qint64 samples = 0;
        for (const auto &set : m_sets)
            samples += set->count(split);
        return samples;
    }
    Result<void> readSamples(Split split, std::size_t part, std::span<const qint64> indices,
                             std::span<std::byte> out) const override {
        return spread(split, indices, m_parts[part].slot.bytes(), out,
                      [&](std::size_t set, std::span<const qint64> own, std::span<std::byte> to) {
                          return m_read[set]->readSamples(split, part, own, to);
                      });
    }
    Result<void> readEpoch(qint64 epoch, std::size_t part, std::span<const qint64> indices,
                           std::span<std::byte> out) const override {
        return spread(Split::Train, indices, m_parts[part].slot.bytes(), out,
                      [&](std::size_t set, std::span<const qint64> own, std::span<std::byte> to) {
                          return m_read[set]->readEpoch(epoch, part, own, to);
                      });
    }
    Result<void> readLabels(Split split, std::span<const qint64> indices, std::span<std::byte> out) const override {
        return spread(split, indices, m_label.bytes(), out,
                      [&](std::size_t set, std::span<const qint64> own, std::span<std::byte> to) {
                          return m_sets[set]->readLabels(split, own, to).and_then([&] { return renumber(set, to); });
                      });
    }
    QString fileOf(Split split, qint64 index) const override {
        const auto [set, own] = placeOf(split, index);
        return m_sets[set]->fileOf(split, own);
    }
    Result<QStringList> readFields(Split split, qint64 index) const override;
    Result<QImage> readPicture(Split split, qint64 index, const ScaleChoice &scale) const override {
        const auto [set, own] = placeOf(split, index);
        return m_sets[set]->readPicture(split, own, scale);
    }

  private:
    using Read =
        std::function<Result<void>(std::size_t set, std::span<const qint64> indices, std::span<std::byte> out)>;

    void joinParts();
    void joinClasses();
    void joinPreparations();
    /// The set of a sample, and its index there.
    std::pair<std::size_t, qint64> placeOf(Split split, qint64 index) const;
    /// Asks each set once for all that is its own.
    Result<void> spread(Split split, std::span<const qint64> indices, qint64 bytesEach, std::span<std::byte> out,
                        const Read &read) const;
    /// Labels of that set, as all sets count them. Error "data.broken-label": of a class that it has not told of.
    Result<void> renumber(std::size_t set, std::span<std::byte> labels) const;

    const Sets m_sets;
    Sets m_read;                              // the same, of one size where some have sizes of their own
    std::vector<std::vector<qint64>> m_ours;  // by set: the number here of each of its classes; empty: the same
    bool m_hasOwnSizes = false, m_isDecoded = false, m_isElsewhere = false;
};

void JoinedDataset::joinParts() {
    const auto usual = std::ranges::find_if(m_sets, [](const auto &set) { return set->hasOwnSizes(); });
    m_parts = (usual != m_sets.end() ? *usual : m_sets.front())->parts();
    for (const auto &set : m_sets) {
        for (std::size_t i = 0; i < m_parts.size(); ++i) {
            const std::optional<WholeRange> &range = set->parts()[i].range;
            if (range && m_parts[i].range) {
                m_parts[i].range = WholeRange{std::min(range->least, m_parts[i].range->least),
                                              std::max(range->most, m_parts[i].range->most)};
            } else {
                m_parts[i].range.reset();
            }
        }
        const bool isOfOtherSize = set->sample() != sample();
        m_read.push_back(isOfOtherSize ? fitPictures(set, {sample().shape}) : set);
    }
}

void JoinedDataset::joinClasses() {
    m_ours.resize(m_sets.size());
    if (m_sets.front()->labelNames().isEmpty()) {
        for (const auto &set : m_sets)
            m_classes = std::max(m_classes, set->classes());
        return;
    }
    QHash<QString, qint64> numbers;
    for (const QString &name : std::as_const(m_labelNames))
        numbers[name] = numbers.size();
    for (std::size_t i = 0; i < m_sets.size(); ++i) {
        bool isSame = true;
        for (const QString &name : m_sets[i]->labelNames()) {
            if (!numbers.contains(name)) {
                numbers[name] = m_labelNames.size();
                m_labelNames << name;
            }
            isSame = isSame && numbers[name] == static_cast<qint64>(m_ours[i].size());
            m_ours[i].push_back(numbers[name]);
        }
        if (isSame)
            m_ours[i].clear();
    }
    m_classes = static_cast<int>(m_labelNames.size());
}

void JoinedDataset::joinPreparations() {
    const auto here =
        std::ranges::find_if(m_sets, [](const auto &set) { return !isTokenizerElsewhere(set->preparation()); });
    m_preparation = (here != m_sets.end() ? *here : m_sets.front())->preparation();
    if (m_preparation.contains(QLatin1String("classes")))
        m_preparation[QStringLiteral("classes")] = QJsonArray::fromStringList(m_labelNames);
}

std::pair<std::size_t, qint64> JoinedDataset::placeOf(Split split, qint64 index) const {
    std::size_t set = 0;
    for (qint64 samples = m_sets[set]->count(split); index >= samples; samples = m_sets[set]->count(split)) {
        index -= samples;
        ++set;
    }
    return {set, index};
}

Result<void> JoinedDataset::spread(Split split, std::span<const qint64> indices, qint64 bytesEach,
                                   std::span<std::byte> out, const Read &read) const {
    std::vector<std::vector<qint64>> own(m_sets.size());
    std::vector<std::vector<std::size_t>> places(m_sets.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        const auto [set, index] = placeOf(split, indices[i]);
        own[set].push_back(index);
        places[set].push_back(i);
    }
    const auto each = static_cast<std::size_t>(bytesEach);
    std::vector<std::byte> piece;
    for (std::size_t set = 0; set < m_sets.size(); ++set) {
        if (own[set].empty())
            continue;
        if (own[set].size() == indices.size())
            return read(set, own[set], out);
        piece.resize(own[set].size() * each);
        if (auto done = read(set, own[set], piece); !done)
            return done;
        for (std::size_t i = 0; i < places[set].size(); ++i)
            std::memcpy(out.data() + places[set][i] * each, piece.data() + i * each, each);
    }
    return {};
}

Result<void> JoinedDataset::renumber(std::size_t set, std::span<std::byte> labels) const {
    const std::vector<qint64> &ours = m_ours[set];
    if (ours.empty())
        return {};
    for (std::size_t at = 0; at + sizeof(qint64) <= labels.size(); at += sizeof(qint64)) {
        qint64 label = 0;
        std::memcpy(&label, labels.data() + at, sizeof label);
        if (label < 0)
            continue;  // counts for nothing
        if (label >= static_cast<qint64>(ours.size())) {
            return fail(QStringLiteral("data.broken-label"),
                        sentence("The data %1 are not what they were.").arg(m_sets[set]->name()),
                        sentence("A label is %1, and there {2|is|are} %2 {2|class|classes} (from 0).")
                            .arg(label)
                            .arg(static_cast<qint64>(ours.size())),
                        sentence("Have them looked at again: hearth data check \"%1\"").arg(m_sets[set]->name()));
        }
        std::memcpy(labels.data() + at, &ours[static_cast<std::size_t>(label)], sizeof label);
    }
    return {};
}

Result<QStringList> JoinedDataset::readFields(Split split, qint64 index) const {
    const auto [set, own] = placeOf(split, index);
    const QStringList &columns = m_sets[set]->columns();
    auto fields = m_sets[set]->readFields(split, own);
    if (!fields || columns == m_columns)
        return fields;
    QStringList ordered;
    for (const QString &column : m_columns)
        ordered << fields->value(columns.indexOf(column));
    return ordered;
}

}  // namespace

Result<std::shared_ptr<const Dataset>> joinDatasets(Sets sets) {
    Q_ASSERT(!sets.empty());
    if (sets.size() == 1)
        return sets.front();
    const Dataset &first = *sets.front();
    for (std::size_t i = 1; i < sets.size(); ++i) {
        for (const auto check : {checkParts, checkLabels, checkPreparations}) {
            if (auto fits = check(first, *sets[i]); !fits)
                return tl::unexpected(fits.error());
        }
    }
    return std::make_shared<const JoinedDataset>(std::move(sets));
}

std::shared_ptr<const Dataset> withClasses(std::shared_ptr<const Dataset> data, const QStringList &classes) {
    return std::make_shared<const JoinedDataset>(Sets{std::move(data)}, classes);
}

}  // namespace hearth
