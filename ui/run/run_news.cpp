#include "ui/run/run_news.h"

#include <utility>

#include "ui/base/notifier.h"
#include "ui/base/run_controller.h"
#include "ui/run/event_sentences.h"
#include "ui/run/run_model.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

RunNews::RunNews(const RunModel &run, const RunController &controller, Notifier &notifier,
                 std::function<bool()> isWatched, QObject *parent)
    : QObject(parent), m_run(run), m_controller(controller), m_notifier(notifier), m_isWatched(std::move(isWatched)) {
    connect(&controller, &RunController::event, this, &RunNews::take);
    connect(&controller, &RunController::runEnded, this, &RunNews::takeEnd);
    connect(&run, &RunModel::stateChanged, this, &RunNews::refreshPresence);
    connect(&run, &RunModel::cleared, this, &RunNews::refreshPresence);
}

void RunNews::setEnabled(bool enabled) {
    m_enabled = enabled;
    refreshPresence();
}

void RunNews::setOtherwise(const QString &text) {
    if (std::exchange(m_otherwise, text) != text)
        refreshPresence();
}

/// The agent, or the machine, that led the run is gone: no event tells of it.
void RunNews::takeEnd() {
    const bool wasUnderWay = std::exchange(m_underWay, false);
    if (wasUnderWay && m_enabled && !m_isWatched() && m_run.state() == QLatin1String("interrupted"))
        tellInterrupted();
}

void RunNews::take(const RunEvent &event) {
    if (m_controller.isReplaying())
        return;
    m_underWay = m_run.isLive() && m_run.state() != QLatin1String("interrupted");
    if (std::holds_alternative<event::Round>(event.body))
        refreshPresence();
    else if (m_enabled && !m_isWatched())
        tell(event);
}

void RunNews::tell(const RunEvent &event) {
    using Kind = Notifier::Kind;
    if (const auto *lost = std::get_if<event::Lost>(&event.body)) {
        m_notifier.notify(Kind::Trouble, tr("%1 is lost").arg(m_run.devices().name(lost->id)), m_run.log().lastNews());
    } else if (std::holds_alternative<event::Recovered>(event.body)) {
        m_notifier.notify(Kind::News, tr("Training goes on"), m_run.log().lastNews());
    } else if (const auto *failure = std::get_if<event::Failure>(&event.body)) {
        m_notifier.notify(Kind::Trouble, tr("The run has failed"), coreText(failure->error.what));
    } else if (const auto *state = std::get_if<event::State>(&event.body)) {
        if (state->state == QLatin1String("finished") && m_run.only().isEmpty())
            m_notifier.notify(Kind::News, tr("Training is finished"),
                              state->why.isEmpty()
                                  ? tr("%n round(s) are done.", nullptr, static_cast<int>(m_run.completedRounds()))
                                  : coreText(state->why));
        else if (state->state == QLatin1String("interrupted"))
            tellInterrupted();
    }
}

void RunNews::tellInterrupted() {
    if (!m_run.only().isEmpty())
        return;  // it left nothing to resume from
    m_notifier.notify(Notifier::Kind::Trouble, tr("The run was interrupted"),
                      tr("It can resume from its last checkpoint."));
}

void RunNews::refreshPresence() {
    if (!m_enabled || !m_run.isLive() || m_controller.isReplaying()) {
        m_notifier.setPresence(m_otherwise.isEmpty() ? QString() : tr("Hearth: %1").arg(m_otherwise));
        return;
    }
    const QString state = stateText(m_run.state());
    m_notifier.setPresence(m_run.completedRounds() == 0
                               ? tr("Hearth: %1").arg(state)
                               : tr("Hearth: %1, round %2").arg(state, formatCount(m_run.completedRounds())));
}

}  // namespace hearth
