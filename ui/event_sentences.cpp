#include "ui/event_sentences.h"

#include <QCoreApplication>

#include "ui/format.h"

namespace hearth {

namespace {

/// One overload per kind of event; the others say nothing.
class Narrator {
    Q_DECLARE_TR_FUNCTIONS(Narrator)
  public:
    explicit Narrator(const RunModel &run) : m_run(run) {}

    template <class Silent>
    void operator()(const Silent &) {}

    void operator()(const event::Run &) {
        if (!m_run.job()) {
            say(tr("The run began."));
            return;
        }
        const Job &job = *m_run.job();
        say(tr("The run began: %1 on %2.").arg(job.model, job.data));
    }
    void operator()(const event::State &e) {
        if (e.state == QLatin1String("profiling"))
            say(tr("Measuring how fast each device computes."));
        else if (e.state == QLatin1String("planning"))
            say(tr("Working out who computes what."));
        else if (e.state == QLatin1String("training"))
            say(tr("Training."));
        else if (e.state == QLatin1String("paused"))
            say(tr("Paused after round %1.").arg(formatCount(m_run.completedRounds())), Tone::Slow);
        else if (e.state == QLatin1String("recovering"))
            say(tr("Recovering."), Tone::Slow);
        else if (e.state == QLatin1String("interrupted"))
            say(tr("The run was interrupted."), Tone::Bad);
        else if (e.state == QLatin1String("stopped"))
            say(tr("Stopped after round %1.").arg(formatCount(m_run.completedRounds())), Tone::Slow);
        else if (e.state == QLatin1String("failed"))
            say(tr("The run failed."), Tone::Bad);
    }
    void operator()(const event::Device &e) {
        if (e.state == QLatin1String("ready"))
            say(tr("%1 is ready.").arg(e.name));
        else if (e.state == QLatin1String("leaving"))
            say(tr("%1 is about to leave.").arg(e.name), Tone::Slow);
        else if (e.state == QLatin1String("lost"))
            say(tr("%1 cannot be reached.").arg(e.name), Tone::Bad);
    }
    void operator()(const event::Plan &e) {
        if (!m_run.plan()) {
            return;
        }
        const Plan &plan = *m_run.plan();
        int devices = 0;
        for (const PlanStage &stage : plan.stages) {
            devices += static_cast<int>(stage.shares.size());
        }
        const QString who = tr("%n device(s)", nullptr, devices);
        const QString how = tr("%n stage(s)", nullptr, static_cast<int>(plan.stages.size()));
        const QString text = e.reason == QLatin1String("first")
                                 ? tr("The plan is ready: %1 on %2").arg(how, who)
                                 : tr("A new plan from round %3 on: %1 on %2").arg(how, who, formatCount(e.round));
        if (plan.prediction) {
            say(tr("%1, predicted %2 samples/s.").arg(text, formatNumber(plan.prediction->samplesPerSecond)));
        } else {
            say(text + QLatin1Char('.'));
        }
    }
    void operator()(const event::Suspect &e) { say(tr("%1 does not answer.").arg(m_run.deviceName(e.id)), Tone::Slow); }
    void operator()(const event::Lost &e) {
        say(tr("%1 was lost in round %2. %3").arg(m_run.deviceName(e.id), formatCount(e.round), e.cause).trimmed(),
            Tone::Bad);
    }
    void operator()(const event::Joined &e) { say(tr("%1 joined.").arg(m_run.deviceName(e.id)), Tone::Good); }
    void operator()(const event::Left &e) { say(tr("%1 left.").arg(m_run.deviceName(e.id)), Tone::Slow); }
    void operator()(const event::Recovered &e) {
        const QString repeated = tr("%n round(s) repeated", nullptr, static_cast<int>(e.replayedRounds));
        say(tr("Training goes on after %1, %2.").arg(formatSeconds(e.seconds), repeated), Tone::Good);
    }
    void operator()(const event::Checkpoint &e) {
        say(tr("Saved the state after round %1 (%2).")
                .arg(formatCount(static_cast<qint64>(e.version)), formatBytes(e.bytes)));
    }
    void operator()(const event::Warning &e) {
        say(QStringList{e.what, e.cause, e.advice}.join(QLatin1Char(' ')).simplified(), Tone::Slow);
    }
    void operator()(const event::Evaluation &e) {
        if (e.round == 0) {
            say(tr("Evaluated before the first round: %1 correct.").arg(formatPercent(e.accuracy)));
        } else {
            say(tr("Evaluated after round %1: %2 correct.").arg(formatCount(e.round), formatPercent(e.accuracy)),
                Tone::Good);
        }
    }
    void operator()(const event::Finished &e) {
        say(tr("Finished: %1 rounds at %2 samples/s.").arg(formatCount(e.rounds), formatNumber(e.samplesPerS)),
            Tone::Good);
    }
    void operator()(const event::Failure &e) { say(e.error.toString(), Tone::Bad); }

    const QString &text() const { return m_text; }
    Tone tone() const { return m_tone; }

  private:
    void say(const QString &text, Tone tone = Tone::Plain) {
        m_text = text;
        m_tone = tone;
    }
    const RunModel &m_run;
    QString m_text;
    Tone m_tone = Tone::Plain;
};

class StateWords {
    Q_DECLARE_TR_FUNCTIONS(StateWords)
  public:
    static QString of(const QString &state) {
        const std::pair<const char *, QString> words[] = {
            {"profiling", tr("Measuring")},     {"planning", tr("Planning")},     {"training", tr("Training")},
            {"paused", tr("Paused")},           {"recovering", tr("Recovering")}, {"stopped", tr("Stopped")},
            {"interrupted", tr("Interrupted")}, {"failed", tr("Failed")},         {"finished", tr("Finished")},
        };
        for (const auto &[word, text] : words) {
            if (state == QLatin1String(word)) {
                return text;
            }
        }
        return state;
    }
};

}  // namespace

std::optional<EventSentence> sentenceOf(const RunEvent &event, const RunModel &run) {
    Narrator narrator(run);
    std::visit(narrator, event.body);
    if (narrator.text().isEmpty()) {
        return std::nullopt;
    }
    return EventSentence{event.seq, event.t, narrator.text(), narrator.tone()};
}

QString stateText(const QString &state) {
    return StateWords::of(state);
}

}  // namespace hearth
