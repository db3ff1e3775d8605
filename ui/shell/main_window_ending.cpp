// How the window and a demo end, and what waits for the end of a run.
#include <QCloseEvent>
#include <utility>

#include "core/agent/programs.h"
#include "ui/base/home_source.h"
#include "ui/base/notice_bar.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/home/home_page.h"
#include "ui/shell/main_window.h"

namespace hearth {

/// Whether a run goes on that whoever closes the window has to think of; that of a demo may not be the one shown.
bool MainWindow::isTraining() const {
    return m_run.isTraining() || (m_home.isDemo() && m_homeTrains);
}

std::optional<qint64> MainWindow::shownRound() const {
    return m_run.isTraining() ? std::optional(m_run.completedRounds()) : std::nullopt;
}

void MainWindow::addDevices() {
    showPlace(HomePlace);
    m_homePage->showAddDevices();
}

/// What a question is about: while it stands, the home may change, and the run that is shown.
MainWindow::Asked MainWindow::asked() const {
    return {m_home.isDemo(), m_home.stateDir(), m_run.runId()};
}

/// `then` is what the user wants; nothing where the demo is to stay.
void MainWindow::endDemo(WhenEnded then) {
    const Asked about = asked();
    // Whatever the run does meanwhile, nothing ends behind the question.
    const WhenEnded before = std::exchange(m_whenEnded, WhenEnded::Nothing);
    const CloseAnswer answer = isTraining() ? m_questions.askEndDemo(this, shownRound()) : CloseAnswer::Close;
    m_whenEnded = before;
    if (asked() != about)
        waitNoMore();
    else if (answer == CloseAnswer::Stay)
        goOnAfterEnd();
    else if (answer == CloseAnswer::Close || !isTraining())
        leaveDemo(then);
    else
        stopFirst(then);
}

void MainWindow::leaveDemo(WhenEnded then) {
    m_home.leaveDemo();
    showPlace(HomePlace);
    if (then == WhenEnded::AddDevices)
        addDevices();
}

void MainWindow::stopFirst(WhenEnded then) {
    waitFor(then);
    m_controller.stop();
}

void MainWindow::waitFor(WhenEnded then) {
    m_whenEnded = then;
    showNotice(m_home.isDemo() ? tr("The demo ends once the weights are saved.")
                               : tr("The window closes once the weights are saved."));
}

void MainWindow::waitNoMore() {
    if (std::exchange(m_whenEnded, WhenEnded::Nothing) == WhenEnded::Nothing)
        return;
    m_notice->hide();
    Q_EMIT stays();
}

/// The home may tell of the end later than the run itself.
void MainWindow::goOnAfterEnd() {
    if (m_whenEnded == WhenEnded::Nothing || m_run.isLive() || isTraining())
        return;
    const WhenEnded then = std::exchange(m_whenEnded, WhenEnded::Nothing);
    m_notice->hide();
    if (then == WhenEnded::Close) {
        close();
        return;
    }
    // Queued: with the demo the run is forgotten that is just telling its end.
    QMetaObject::invokeMethod(
        this, [this, then] { leaveDemo(then); }, Qt::QueuedConnection);
}

void MainWindow::closeEvent(QCloseEvent *event) {
    finishTyping(this);
    const QString comeBack = QStringLiteral("hearth attach %1").arg(m_run.runId()) + stateOption(m_home.stateDir());
    const Asked about = asked();
    if (std::exchange(m_whenEnded, WhenEnded::Nothing) != WhenEnded::Nothing)
        m_notice->hide();
    CloseAnswer answer =
        isTraining() ? m_questions.askClose(this, {m_home.isDemo(), shownRound(), comeBack}) : CloseAnswer::Close;
    if (asked() != about)
        answer = CloseAnswer::Stay;
    else if (answer == CloseAnswer::StopAndClose && !isTraining())
        answer = CloseAnswer::Close;
    if (answer == CloseAnswer::StopAndClose)
        stopFirst(WhenEnded::Close);
    event->setAccepted(answer == CloseAnswer::Close);
    if (answer == CloseAnswer::Stay)
        Q_EMIT stays();
    if (!event->isAccepted())
        return;
    if (const auto kept = m_keep ? m_keep() : Result<void>(); !kept) {
        event->ignore();
        showError(kept.error());
        Q_EMIT stays();
        return;
    }
    m_phone.end();
    Q_EMIT closed();
}

}  // namespace hearth
