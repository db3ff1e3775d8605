#include "app/cli/run_printer.h"

#include <unistd.h>
#include <algorithm>

#include "app/cli/command.h"
#include "core/base/terminal.h"
#include "ui/words/format.h"
#include "ui/words/moment.h"

namespace hearth {
namespace {

// Where nobody watches (a log file), a line now and then is enough.
constexpr qint64 linesPerRun = 20;

}  // namespace

RunPrinter::RunPrinter(bool json, QObject *parent)
    : QObject(parent), m_json(json), m_terminal(!json && ::isatty(STDOUT_FILENO) == 1) {
    connect(&m_run.log(), &EventLog::sentenceAdded, this, &RunPrinter::sentence);
    connect(&m_run, &RunModel::roundAdded, this, &RunPrinter::progress);
    connect(&m_run, &RunModel::devicesChanged, this, &RunPrinter::measuring);
}

void RunPrinter::add(const QByteArray &line) {
    const auto event = RunEvent::fromLine(line);
    m_silent = event && event->seq < m_showFrom;
    if (m_json && !m_silent)
        writeJson(stdout, line);
    if (!event)
        return;
    m_lastSeq = event->seq;
    m_run.add(*event);
}

void RunPrinter::sentence() {
    if (m_silent)
        return;
    const EventSentence &told = m_run.log().sentences().back();
    if (m_json) {
        // Programs read the events; people beside them need only what went wrong.
        if (told.tone == Tone::Bad)
            printNote(QStringLiteral("hearth: ") + told.text);
        return;
    }
    finishLine();
    const QString text = QStringLiteral("%1  %2").arg(formatClock(told.t).rightJustified(7), told.text);
    if (told.tone == Tone::Bad)
        printNote(text);
    else
        printLine(text);
}

void RunPrinter::progress() {
    if (m_json || m_silent)
        return;
    const RoundPoint &last = m_run.rounds().back();
    const qint64 total = m_run.totalRounds();
    QString text = total > 0 ? QStringLiteral("Round %1 of %2").arg(formatCount(last.round), formatCount(total))
                             : QStringLiteral("Round %1").arg(formatCount(last.round));
    text += QStringLiteral(" · loss %1 · %2 samples/s").arg(formatLoss(last.loss), formatNumber(last.smoothed));
    if (const double left = m_run.secondsLeft(); total > 0 && left > 0)
        text += QStringLiteral(" · %1 left").arg(formatWholeSeconds(left));
    if (m_terminal) {
        showLine(text);
    } else if (last.round % std::max<qint64>(1, total / linesPerRun) == 0) {
        printLine(QStringLiteral("%1  %2").arg(formatClock(last.t).rightJustified(7), text));
    }
}

void RunPrinter::measuring() {
    const auto [done, total] = m_run.devices().measuringProgress();
    if (m_terminal && !m_silent && done < total)
        showLine(measuringText(done, total, m_run.devices().measuringEnd()));
}

void RunPrinter::showLine(const QString &text) {
    writeOver(stdout, text);
    m_lineOpen = true;
}

void RunPrinter::finishLine() {
    if (!m_lineOpen)
        return;
    writeOver(stdout, {});
    m_lineOpen = false;
}

int RunPrinter::exitStatus() const {
    return m_run.state() == QLatin1String("finished") || m_run.state() == QLatin1String("stopped") ? Done : Failed;
}

}  // namespace hearth
