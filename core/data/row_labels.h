// Internal to core/data: what is learnt of rows.
#pragma once

#include <QJsonObject>
#include <array>
#include <set>

#include "core/data/row_files.h"
#include "core/data/seen_numbers.h"

namespace hearth {

class JsonReader;

/// The column that is learnt. JSON, a part of a "hearth-data/1" file: {"label":"species","classes":["setosa",…]}; in
/// place of classes {"mean":…,"deviation":…} of quantities. Plain value.
struct RowLabels {
    QString column;
    QStringList classes;  // empty: labels are quantities, of the training rows' mean and deviation
    double mean = 0, deviation = 1;

    struct Limits {
        static constexpr int classes = 100'000;
        static constexpr qsizetype letters = 1000;
        static constexpr int wholeClasses = 20;  // whole numbers that are more different ones are quantities
    };

    /// What a network learns as this number, in the unit of the column.
    double inUnit(double learnt) const { return mean + learnt * deviation; }
    bool operator==(const RowLabels &) const = default;
    void addTo(QJsonObject &object) const;
    /// The reverse; the caller asks finish().
    static RowLabels read(JsonReader &reader);
};

/// Of these texts more are numbers than whole numbers can be classes.
bool areManyNumbers(const std::set<QString> &texts);

/// Numbers as they come: Welford's running mean and variance.
class Moments {
  public:
    void add(double value);
    double mean() const { return m_mean; }
    /// 0: they are all the same.
    double deviation() const;

  private:
    qint64 m_count = 0;
    double m_mean = 0, m_squares = 0;
};

/// Why no row with this label can be used, whatever the others are.
std::optional<Sentence> wrongLabel(const QString &label);

/// What is known of the labels so far. One thread.
class SeenLabels {
  public:
    /// Why the row cannot be used. `where` as in Row.
    std::optional<Sentence> add(const QString &label, Split split, const QString &where);
    /// Of all rows of `path`, but for those of `broken` that are left out. `task` as in DataChoice. Errors:
    /// "data.too-many", "data.no-table".
    Result<RowLabels> found(const QString &path, const QString &column, const QString &task,
                            const std::vector<BrokenFile> &broken) const;

  private:
    using Counts = std::array<qint64, allSplits.size()>;

    static qint64 testing(const Counts &counts);
    Result<RowLabels> quantities(const QString &path, const QString &column) const;

    std::set<QString> m_texts;  // one more than there can be classes
    SeenNumbers m_numbers;
    bool m_areWhole = true;  // the numbers
    Moments m_moments;
    Counts m_counts{}, m_numberCounts{};
};

/// The place of a column. Error "data.no-column".
Result<qsizetype> columnNamed(const RowFiles &rows, const QString &path, const QString &name);
/// What people write where they have no value.
bool isMissing(const QString &field);
tl::unexpected<Error> noTable(const QString &path, const Sentence &cause, const Sentence &advice);

}  // namespace hearth
