#include "core/inference/row_source.h"

#include "core/data/preparation.h"
#include "core/data/row_reader.h"

namespace hearth {
namespace {

/// As the network takes them.
class SampleMaker {
  public:
    explicit SampleMaker(const AskedRun &run)
        : m_coder(run.preparation->coder(run.data.samples.front().elements())), m_parts(run.parts) {}

    QByteArray operator()(const QStringList &used) const {
        QByteArray sample;
        for (const std::size_t part : m_parts) {
            QByteArray bytes(m_coder->parts()[part].slot.bytes(), Qt::Uninitialized);
            m_coder->encode(used, part,
                            std::as_writable_bytes(std::span(bytes.data(), static_cast<std::size_t>(bytes.size()))));
            sample += bytes;
        }
        return sample;
    }

  private:
    std::shared_ptr<const RowCoder> m_coder;
    std::vector<std::size_t> m_parts;
};

QString textOf(const QStringList &used) {
    return used.join(QStringLiteral(" · "));
}

/// A text where the network learnt from numbers. As a missing value it would get an answer, and a wrong one. What
/// stands for no number is one.
std::optional<Sentence> noNumberIn(const std::vector<TableColumn> &columns, const QStringList &used) {
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const QString &field = used[static_cast<qsizetype>(i)];
        if (columns[i].isNumber() && !isMissing(field) && !standsForNoNumber(field) && !numberOf(field)) {
            return sentence(
                       "\"%1\" is no number, as the column %2 has them. Write 1.5 for 1,5; what you do not know stays empty.")
                .arg(field.left(80), columns[i].name);
        }
    }
    return std::nullopt;
}

class RowSource final : public SampleSource {
  public:
    RowSource(const AskedRun &run, QStringList paths, const QStringList &columns)
        : m_preparation(run.preparation), m_make(run), m_paths(std::move(paths)) {
        m_columns = columns;
    }

    Result<std::optional<Sample>> next() override {
        for (;; m_reader.reset()) {
            if (!m_reader) {
                if (m_paths.isEmpty())
                    return std::nullopt;
                auto opened = RowReader::open(m_paths.takeFirst(), *m_preparation);
                if (!opened)
                    return tl::unexpected(opened.error());
                m_reader = std::move(*opened);
                m_order.clear();
                for (const QString &column : m_columns)
                    m_order << m_reader->columns().indexOf(column);
            }
            auto row = m_reader->next();
            if (!row)
                return tl::unexpected(row.error());
            if (*row)
                return sampleOf(**row);
        }
    }

  private:
    Sample sampleOf(const RowReader::Row &row) const {
        Sample sample{{row.where, {}, {}, {}, {}, row.broken}, {}};
        if (row.broken)
            return sample;
        for (const qsizetype place : m_order)
            sample.asked.fields << row.fields.value(place);
        QStringList used;
        for (const qsizetype place : m_reader->places())
            used << row.fields[place];
        sample.asked.text = textOf(used);
        sample.asked.broken = noNumberIn(m_preparation->tableColumns(), used);
        if (sample.asked.broken)
            return sample;
        if (m_reader->label() >= 0)
            sample.asked.label = row.fields[m_reader->label()];
        sample.bytes = m_make(used);
        return sample;
    }

    std::shared_ptr<const Preparation> m_preparation;
    const SampleMaker m_make;
    QStringList m_paths;
    std::unique_ptr<RowReader> m_reader;
    QList<qsizetype> m_order;  // of each of m_columns, among the reader's; -1: it has none
};

class TypedSource final : public SampleSource {
  public:
    TypedSource(const AskedRun &run, QStringList fields) : m_make(run), m_fields(std::move(fields)) {
        m_columns = run.columns();
    }
    Result<std::optional<Sample>> next() override {
        if (m_fields.isEmpty())
            return std::nullopt;
        const QStringList fields = std::exchange(m_fields, {});
        return Sample{{textOf(fields), {}, fields, textOf(fields), {}, {}}, m_make(fields)};
    }

  private:
    const SampleMaker m_make;
    QStringList m_fields;
};

}  // namespace

Result<std::shared_ptr<SampleSource>> rowSource(const AskedRun &run, const QStringList &paths) {
    QStringList columns;
    for (const QString &path : paths) {
        const auto opened = RowReader::open(path, *run.preparation);
        if (!opened)
            return tl::unexpected(opened.error());
        if (columns.isEmpty())
            columns = (*opened)->columns();
    }
    return std::make_shared<RowSource>(run, paths, columns);
}

std::shared_ptr<SampleSource> typedSource(const AskedRun &run, const QStringList &fields) {
    return std::make_shared<TypedSource>(run, fields);
}

}  // namespace hearth
