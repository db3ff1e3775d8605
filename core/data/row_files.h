// Internal to core/data: records of CSV, TSV and JSON Lines, read where they lie.
#pragma once

#include <QStringList>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/data/check_progress.h"
#include "core/data/csv.h"
#include "core/data/data_file.h"
#include "core/data/dataset.h"

namespace hearth {

class WatchedFile;

/// Where a record stands. Plain value.
struct RowPlace {
    qint64 offset = 0;
    quint32 bytes = 0, file = 0;
};

struct Row {
    RowPlace place;
    Split split = Split::Train;
    QStringList fields;  // as many as RowFiles::columns()
    qint64 line = 0;     // where it begins, from 1
    QString where;       // "rows.csv:12"
};

/// Rows that cannot be used, found in any order: those that stand first in the files, and how many more there are.
class BrokenRows {
  public:
    /// `where` as in Row.
    void add(const RowPlace &place, const QString &where, const Sentence &cause);
    /// In the order of the files. `lastFile` is where the others are told.
    void addTo(std::vector<BrokenFile> &broken, const QString &lastFile) const;

  private:
    static constexpr std::size_t most = 1000;                  // that are named
    std::map<std::pair<quint32, qint64>, BrokenFile> m_first;  // by file and offset
    qint64 m_count = 0;
};

/// The files of one set of rows: a file, a fifth of whose rows tests, by their content; or a folder with train.csv and
/// perhaps val.csv (or dev.csv) and test.csv, or the same as TSV or JSON Lines (an object in each line). Names of
/// columns are the first line, or the keys of the first object; columns without one are "column 1", … Without a header,
/// which a first line of numbers is for the most part (FirstLine), all are. Files of GLUE know no quotation marks. A
/// comma that separates no fields stands before decimals; fields have a point instead. Any thread.
class RowFiles {
  public:
    struct Limits {
        static constexpr qint64 rows = 16'000'000;
    };
    /// Of a file, that are read to see how it begins.
    static constexpr int mostPieces = 16;

    /// `known` are names of columns that have to be there: where most of the first line are numbers, they decide
    /// whether these are names, before what they look like does. So what was found once is found again. Errors:
    /// "data.unreadable", "data.malformed"; "data.empty": there is no row; "data.given-up".
    static Result<std::shared_ptr<const RowFiles>> open(const QString &path, const QStringList &known = {},
                                                        const CheckProgress &progress = {});

    /// Of the file to train with; another that lacks one of them is left out.
    const QStringList &columns() const { return m_columns; }
    /// There are files that test or validate.
    bool isDivided() const { return m_files.size() > 1; }
    qint64 bytes() const;
    /// "rows.csv:12"
    QString nameOf(std::size_t file, qint64 line) const;
    /// Since they were opened: one is gone, or was written. Blocks.
    bool hasChanged() const;
    /// Of columns(), whether the commas of the first rows group the digits of numbers, as in "1,234" beside "999". For
    /// whoever has to find out what a column is; one that is known to have numbers has them in every file. Blocks.
    std::vector<bool> groupedColumns(const CheckProgress &progress = {}) const;
    /// GLUE's files, and no others, have no quotation marks.
    bool isPlain() const { return m_files.front()->quotes == Quotes::Plain; }
    /// All rows, one after the other.
    class Cursor;
    /// Gives every row to `take`, in order, which says why it cannot be used; adds those to `broken`, and those that
    /// have too few fields or are no UTF-8. Errors: as open(); "data.too-many"; "data.given-up".
    Result<void> each(const std::function<std::optional<Sentence>(const Row &row)> &take, BrokenRows &broken,
                      const CheckProgress &progress = {}) const;
    /// These rows, behind files that are left out and first lines that are doubtful.
    std::vector<BrokenFile> allBroken(const BrokenRows &rows) const;
    /// So many of the rows to train with, the first ones, as far as they can be read and stand in the first 100 rows
    /// and some hundred KiB of the file.
    QList<QStringList> beginning(qsizetype rows, const CheckProgress &progress = {}) const;
    /// The fields of one of these rows once more. Errors: those of DataFile; "data.changed": it is another file now.
    Result<QStringList> read(const RowPlace &place) const;

  private:
    struct OneFile {
        OneFile(const QString &path, Split ofSplit) : file(path), split(ofSplit) {}
        /// They separate no fields, and may stand before decimals.
        bool hasFreeCommas() const { return !isJson && separator != ','; }

        DataFile file;
        Split split;
        bool isJson = false, hasHeader = true;
        char separator = ',';
        Quotes quotes = Quotes::Doubled;
        QStringList own;               // its columns
        qint64 lineOfNumbers = 0;      // that has its names, though half of it or more are numbers; 0: none
        std::vector<qsizetype> order;  // of each of columns(), the place in it
    };
    class Reader;

    static Result<std::unique_ptr<OneFile>> look(const QString &path, Split split, const QStringList &known,
                                                 const CheckProgress &progress);
    Result<void> add(const QString &path, Split split, const QStringList &known, const CheckProgress &progress);
    /// In the order of columns(), numbers with a point; a cause where they are not as many as the header says.
    tl::expected<QStringList, Sentence> arranged(const OneFile &file, QStringList fields) const;

    QStringList m_columns;
    std::vector<std::unique_ptr<OneFile>> m_files;
    std::vector<BrokenFile> m_left;  // files, and first lines that are doubtful
};

/// Blocks; one thread. The files outlive it.
class RowFiles::Cursor {
  public:
    struct Found {
        Row row;
        std::optional<Sentence> broken;  // too few fields, or no UTF-8; the row has none then
    };

    explicit Cursor(const RowFiles &rows, CheckProgress progress = {});
    ~Cursor();
    /// Nothing at the end. Errors: "data.malformed", "data.given-up", and those of openPlainFile().
    Result<std::optional<Found>> next();

  private:
    Result<void> openNext();
    /// Of the file that is open.
    Result<std::optional<QStringList>> read();

    const RowFiles &m_rows;
    const CheckProgress m_progress;
    std::size_t m_file = 0;
    std::unique_ptr<WatchedFile> m_device;
    std::unique_ptr<Reader> m_reader;
};

/// A number with a comma for its point, as a category may be called; other fields as they are.
QString withComma(const QString &field);
/// The finite number that a text is, and nothing but it.
std::optional<double> numberOf(const QString &text);

}  // namespace hearth
