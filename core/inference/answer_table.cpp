#include "core/inference/answer_table.h"

#include <cmath>

#include "core/data/row_files.h"

namespace hearth {

AnswerTable::AnswerTable(const AskedRun &run, const QString &path) : m_run(run), m_file(path), m_table(m_file) {}

Result<void> AnswerTable::written(bool good) const {
    if (good)
        return {};
    return fail(QStringLiteral("predict.not-written"), sentence("%1 could not be written.").arg(m_file.fileName()),
                m_file.errorString() + QLatin1Char('.'), sentence("Check the folder and its free space."));
}

QByteArrayList AnswerTable::answerColumns() const {
    if (m_run.isChoice())
        return {m_run.takes == AskedRun::Takes::Pictures ? "class" : "answer", "certainty"};
    if (m_run.outputs == 1)
        return {"answer"};
    QByteArrayList columns;
    for (qint64 output = 0; output < m_run.outputs; ++output)
        columns << QByteArray("answer ").append(m_run.outputName(static_cast<std::size_t>(output)).toUtf8());
    return columns;
}

QByteArrayList AnswerTable::fieldsOf(const Answer &answer) const {
    if (m_run.isChoice()) {
        const std::vector<std::size_t> best = answer.likeliest(1);
        if (best.empty())
            return {QByteArray(), QByteArray()};
        return {m_run.outputName(best.front()).toUtf8(), CsvFile::number(answer.values[best.front()])};
    }
    QByteArrayList fields;
    for (const double value : answer.values)
        fields << CsvFile::number(value);
    while (fields.size() < m_run.outputs)
        fields << QByteArray();
    return fields;
}

Result<void> AnswerTable::begin(const QStringList &columns) {
    m_fields = columns.size();
    QByteArrayList head{m_run.takes == AskedRun::Takes::Pictures ? "file" : "row"};
    for (const QString &column : columns)
        head << column.toUtf8();
    head << answerColumns();
    return written(m_file.open(QIODevice::WriteOnly) && m_table.write(head << "error"));
}

Result<void> AnswerTable::add(const Answer &answer) {
    QByteArrayList row{answer.name.toUtf8()};
    for (qsizetype i = 0; i < m_fields; ++i)
        row << answer.fields.value(i).toUtf8();
    row << fieldsOf(answer) << (answer.broken ? answer.broken->english().toUtf8() : QByteArray());
    return written(m_table.write(row));
}

Result<void> AnswerTable::finish() {
    // commit() alone would rename half a table where the disk is full (see saveFile()).
    return written(m_file.flush() && m_file.commit());
}

void Score::add(const AskedRun &run, const Answer &answer) {
    if (!answer.label || answer.values.empty())
        return;
    if (!run.isChoice()) {
        if (const auto number = numberOf(*answer.label)) {
            ++judged;
            off += std::abs(*number - answer.values.front());
        }
    } else if (run.outputName(answer.likeliest(1).front()) == *answer.label) {
        ++judged;
        ++right;
    } else {
        judged += run.data.classes.contains(*answer.label) ? 1 : 0;
    }
}

}  // namespace hearth
