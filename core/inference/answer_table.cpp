#include "core/inference/answer_table.h"

#include <cmath>

#include "core/data/row_files.h"

namespace hearth {
namespace {

bool areClasses(const AskedRun &run) {
    return run.answers != LossFacts::Answers::Numbers;
}

}  // namespace

AnswerTable::AnswerTable(const AskedRun &run, const QString &path) : m_run(run), m_file(path), m_table(m_file) {}

Result<void> AnswerTable::written(bool good) const {
    if (good)
        return {};
    return fail(QStringLiteral("predict.not-written"), sentence("%1 could not be written.").arg(m_file.fileName()),
                m_file.errorString() + QLatin1Char('.'), sentence("Check the folder and its free space."));
}

Result<void> AnswerTable::begin(const QStringList &columns) {
    const bool arePictures = m_run.takes == AskedRun::Takes::Pictures;
    m_fields = columns.size();
    QByteArrayList head{arePictures ? "file" : "row"};
    for (const QString &column : columns)
        head << column.toUtf8();
    head << QByteArray(arePictures && areClasses(m_run) ? "class" : "answer");
    if (areClasses(m_run))
        head << "certainty";
    return written(m_file.open(QIODevice::WriteOnly) && m_table.write(head << "error"));
}

Result<void> AnswerTable::add(const Answer &answer) {
    QByteArrayList row{answer.name.toUtf8()};
    for (qsizetype i = 0; i < m_fields; ++i)
        row << answer.fields.value(i).toUtf8();
    const std::vector<std::size_t> best = answer.likeliest(1);
    const QByteArray value = best.empty() ? QByteArray() : CsvFile::number(answer.values[best.front()]);
    if (areClasses(m_run))
        row << (best.empty() ? QByteArray() : m_run.outputName(best.front()).toUtf8());
    row << value << (answer.broken ? answer.broken->english().toUtf8() : QByteArray());
    return written(m_table.write(row));
}

Result<void> AnswerTable::finish() {
    return written(m_file.commit());
}

void Score::add(const AskedRun &run, const Answer &answer) {
    if (!answer.label || answer.values.empty())
        return;
    if (!areClasses(run)) {
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
