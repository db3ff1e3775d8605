#include "app/cli/answer_printer.h"

#include <QJsonArray>
#include <QJsonDocument>

#include "app/cli/command.h"
#include "app/cli/table.h"
#include "core/base/sentence.h"
#include "core/base/terminal.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// Nobody reads more of them in a terminal.
constexpr qint64 shownRows = 1000;
constexpr std::size_t shownOutputs = 16;

bool arePictures(const AskedRun &run) {
    return run.takes == AskedRun::Takes::Pictures;
}

QByteArray compact(const QJsonObject &object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

}  // namespace

AnswerPrinter::AnswerPrinter(const AskedRun &run, Form form) : m_run(run), m_form(std::move(form)) {
    if (!m_form.csv.isEmpty())
        m_table.emplace(m_run, m_form.csv);
}

Result<void> AnswerPrinter::begin(const QStringList &columns) {
    if (m_table) {
        if (auto begun = m_table->begin(columns); !begun)
            return begun;
    }
    if (m_form.json)
        writeJsonPart(stdout, arePictures(m_run) ? R"({"files":[)" : R"({"rows":[)");
    return {};
}

Result<void> AnswerPrinter::add(const Answer &answer) {
    m_hasAnswers = m_hasAnswers || !answer.broken;
    m_score.add(m_run, answer);
    const bool isFirst = m_count++ == 0;
    if (m_form.json)
        writeJsonPart(stdout, (isFirst ? QByteArray() : QByteArray(",")) + compact(objectOf(answer)));
    if (m_table)
        return m_table->add(answer);
    if (!m_form.json && m_count <= shownRows)
        m_rows << rowOf(answer);
    return {};
}

Result<void> AnswerPrinter::finish(const std::optional<Error> &wrong) {
    auto written = m_table && !wrong ? m_table->finish() : Result<void>();
    if (m_form.json) {
        finishJson(written ? wrong : std::optional(written.error()));
        return written;
    }
    if (!m_table)
        finishTable();
    if (written)
        printScore();
    return written;
}

QString AnswerPrinter::outputText(const Answer &answer, std::size_t output) const {
    const double value = answer.values[output];
    const bool isNumber = m_run.answers == LossFacts::Answers::Numbers;
    const QString text = isNumber ? formatNumber(value) : formatPercent(value);
    // Numbers that have no names stand in their order.
    return isNumber && !m_run.preparation ? text : QStringLiteral("%1 %2").arg(m_run.outputName(output), text);
}

QStringList AnswerPrinter::rowOf(const Answer &answer) const {
    if (answer.broken)
        return {answer.name, QStringLiteral("–"), coreText(*answer.broken), {}};
    QStringList words;
    for (const std::size_t output : answer.told(m_run, static_cast<std::size_t>(m_form.most), shownOutputs))
        words << outputText(answer, output);
    const QString separator = QStringLiteral(", "), label = answer.label.value_or(QString());
    if (!m_run.isChoice()) {
        if (answer.values.size() > shownOutputs)
            words << QStringLiteral("…");
        return {answer.name, words.join(separator), {}, label};
    }
    const QString first = words.takeFirst();
    return {answer.name, first, words.join(separator), label};
}

QJsonObject AnswerPrinter::objectOf(const Answer &answer) const {
    QJsonObject object{{arePictures(m_run) ? QStringLiteral("file") : QStringLiteral("row"), answer.name}};
    if (answer.label)
        object[QStringLiteral("label")] = *answer.label;
    if (answer.broken) {
        object[QStringLiteral("error")] = coreText(*answer.broken);
        return object;
    }
    QJsonArray answers;
    for (const std::size_t output : answer.told(m_run, static_cast<std::size_t>(m_form.most), answer.values.size())) {
        answers.append(QJsonObject{{QStringLiteral("class"), m_run.outputName(output)},
                                   {QStringLiteral("value"), answer.values[output]}});
    }
    object[QStringLiteral("answers")] = answers;
    return object;
}

void AnswerPrinter::finishJson(const std::optional<Error> &wrong) const {
    QJsonObject rest{{QStringLiteral("format"), QStringLiteral("hearth-predictions/1")},
                     {QStringLiteral("run"), m_form.runName}};
    if (m_score.judged > 0) {
        rest[QStringLiteral("judged")] = m_score.judged;
        if (m_run.answers == LossFacts::Answers::Numbers)
            rest[QStringLiteral("mean_error")] = m_score.off / static_cast<double>(m_score.judged);
        else
            rest[QStringLiteral("right")] = m_score.right;
    }
    if (wrong)
        rest[QStringLiteral("error")] = wrong->toJson();
    writeJson(stdout, "]," + compact(rest).mid(1));
}

void AnswerPrinter::finishTable() {
    m_rows.prepend({arePictures(m_run) ? QStringLiteral("File") : QStringLiteral("Row"), QStringLiteral("Answer"),
                    m_run.isChoice() ? QStringLiteral("Then") : QStringLiteral("Problem"), QStringLiteral("Label")});
    // A column that nobody filled is none.
    for (const qsizetype column : {qsizetype{3}, qsizetype{2}}) {
        const bool isEmpty = std::all_of(m_rows.begin() + 1, m_rows.end(),
                                         [&](const QStringList &row) { return row[column].isEmpty(); });
        for (QStringList &row : m_rows) {
            if (isEmpty)
                row.removeAt(column);
        }
    }
    if (m_rows.size() > 1)
        printTable(m_rows);
    if (m_count > shownRows) {
        printLine(QStringLiteral("And %1 more: --csv FILE writes all of them to a table.")
                      .arg(formatCount(m_count - shownRows)));
    }
}

void AnswerPrinter::printScore() const {
    if (m_score.judged == 0)
        return;
    const auto judged = static_cast<double>(m_score.judged);
    printLine(
        m_run.answers == LossFacts::Answers::Numbers
            ? Sentence::filled(QStringLiteral("On average %1 off, of %2 {2|row|rows} whose label is known."),
                               {formatNumber(m_score.off / judged), formatCount(m_score.judged)})
            : Sentence::filled(QStringLiteral("%1 of %2 {2|row|rows} whose label is known {1|is|are} right (%3)."),
                               {formatCount(m_score.right), formatCount(m_score.judged),
                                formatPercent(static_cast<double>(m_score.right) / judged)}));
}

}  // namespace hearth
