// What a network's samples went through, kept beside what it learnt.
#pragma once

#include <memory>

#include "core/data/row_coder.h"
#include "core/data/row_labels.h"
#include "core/data/table_columns.h"
#include "core/data/texts.h"

namespace hearth {

class Tokenizer;

/// Of rows and texts: writes what their set says of them as data.json ("hearth-data/1") into `folder`, which exists,
/// and the files of their tokenizer into a folder "tokenizer" in it; "tokenizer" of data.json names that, or the one
/// file of it that was chosen. Of other data nothing; a data.json that is there stays. Errors: those of files,
/// "data.no-tokenizer". Any thread; blocks.
Result<void> savePreparation(const Dataset &data, const QString &folder);

/// The files of a tokenizer: that which is named, with those that go with it, or those of whatever tokenizer lies in a
/// folder. Any thread.
QStringList tokenizerFiles(const QString &path);

/// That of plain texts; null where they are other data. Errors: those of Tokenizer::load(). Any thread; blocks.
Result<std::shared_ptr<const Tokenizer>> tokenizerOfPlainTexts(const Dataset &data);

/// How new rows and texts become samples as those of a run did; its data need not be there any more. Constant; any
/// thread.
class Preparation {
  public:
    /// Plain texts are those of language models: they have neither columns nor labels.
    enum class Kind : quint8 { Table, Texts, PlainTexts };

    static QString fileName() { return QStringLiteral("data.json"); }
    /// Reads what savePreparation() wrote. Errors: "run.no-preparation": the run has none; those of JSON and of the
    /// tokenizer. Blocks.
    static Result<std::shared_ptr<const Preparation>> load(const QString &folder);

    Kind kind() const { return m_kind; }
    /// What a sample is made of: columns of a table, or one text or two.
    const QStringList &columns() const { return m_columns; }
    const RowLabels &labels() const { return m_labels; }
    /// By columns(); empty: of texts.
    const std::vector<TableColumn> &tableColumns() const { return m_tableColumns; }
    /// Null: of tables.
    const std::shared_ptr<const Tokenizer> &tokenizer() const { return m_tokenizer; }
    /// For a network that takes so many tokens; of tables that does not matter. Null: of plain texts.
    std::shared_ptr<const RowCoder> coder(qint64 length) const;

  private:
    static Result<std::shared_ptr<const Preparation>> ofTable(const TableFacts &facts);
    static Result<std::shared_ptr<const Preparation>> ofTexts(const TextFacts &facts, const QString &folder);

    Kind m_kind = Kind::Table;
    QStringList m_columns;
    RowLabels m_labels;
    std::vector<TableColumn> m_tableColumns;
    std::shared_ptr<const Tokenizer> m_tokenizer;
    std::shared_ptr<const RowCoder> m_table;
};

}  // namespace hearth
