#include "ui/run/event_sentences.h"

#include <QCoreApplication>
#include <QLocale>

#include "ui/words/codec_words.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"
#include "ui/words/unbroken.h"

namespace hearth {

namespace {

/// One overload per kind of event; the others say nothing.
class Narrator {
    Q_DECLARE_TR_FUNCTIONS(Narrator)
  public:
    explicit Narrator(const RunModel &run) : m_run(run) {}

    static QString earlier(int count) {
        return tr("%n earlier event(s) are not listed; the file events.jsonl of the run has them all.", nullptr, count);
    }

    template <class Silent>
    void operator()(const Silent &) {}

    void operator()(const event::Run &) {
        if (!m_run.job()) {
            say(tr("The run began."));
            return;
        }
        const Job &job = *m_run.job();
        say(tr("The run began: %1 on %2.").arg(job.model, job.dataText()));
    }
    void operator()(const event::State &e) {
        if (m_run.isMeasuringBreak())
            say(tr("Training rests for some seconds: devices measure the network, for a better plan."));
        else if (e.state == QLatin1String("profiling"))
            say(tr("Measuring how fast each device computes."));
        else if (e.state == QLatin1String("planning"))
            say(tr("Working out who computes what."));
        else if (e.state == QLatin1String("training"))
            sayTraining();
        else if (e.state == QLatin1String("paused"))
            say(tr("Paused after round %1.").arg(formatCount(m_run.completedRounds())), Tone::Slow);
        else if (e.state == QLatin1String("recovering"))
            say(tr("Recovering: the remaining devices go back to the newest complete state and share the layers."),
                Tone::Slow);
        else if (e.state == QLatin1String("waiting"))
            say(tr("The run waits for devices that rest."), Tone::Slow);
        else if (e.state == QLatin1String("interrupted"))
            say(tr("The run was interrupted."), Tone::Bad);
        else if (e.state == QLatin1String("stopped"))
            say(tr("Stopped after round %1.").arg(formatCount(m_run.completedRounds())), Tone::Slow);
        else if (e.state == QLatin1String("failed"))
            say(tr("The run failed."), Tone::Bad);
        else if (!e.why.isEmpty())
            say(tr("The run ended early. %1").arg(coreText(e.why)), Tone::Good);
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
        const QString who = tr("%n device(s)", nullptr, static_cast<int>(plan.deviceCount()));
        const QString how = tr("%n stage(s)", nullptr, static_cast<int>(plan.stages.size()));
        QString what = tr("%1 on %2").arg(how, who);
        if (plan.prediction) {
            what = tr("%1, predicted %2").arg(what, speedText(plan.prediction->samplesPerSecond));
        }
        const QString because = planReasonText(e.reason);
        QString text;
        if (e.reason == QLatin1String("first"))
            text = tr("The plan is ready: %1.").arg(what);
        else if (because.isEmpty())
            text = tr("A new plan from round %1 on: %2.").arg(formatCount(e.round), what);
        else
            text = tr("A new plan from round %1 on, %2: %3.").arg(formatCount(e.round), because, what);
        say(QStringList{text, coreText(e.why)}.join(QLatin1Char(' ')).trimmed());
    }
    void operator()(const event::Suspect &e) {
        say(tr("%1 does not answer in round %2. It is asked again.")
                .arg(m_run.devices().name(e.id), formatCount(m_run.completedRounds() + 1)),
            Tone::Slow);
    }
    void operator()(const event::Lost &e) {
        say(tr("%1 was lost in round %2. %3")
                .arg(m_run.devices().name(e.id), formatCount(e.round), coreText(e.cause))
                .trimmed(),
            Tone::Bad);
    }
    void operator()(const event::Joined &e) {
        say(tr("%1 joined after round %2.").arg(m_run.devices().name(e.id), formatCount(m_run.completedRounds())),
            Tone::Good);
    }
    void operator()(const event::Left &e) {
        say(tr("%1 left after round %2.").arg(m_run.devices().name(e.id), formatCount(m_run.completedRounds())),
            Tone::Slow);
    }
    void operator()(const event::Recovered &e) {
        QStringList text;
        const QStringList heirs = m_run.devices().heirs();
        if (!heirs.isEmpty())
            text << tr("The layers of %1 moved to %2.")
                        .arg(QLocale().createSeparatedList(m_run.devices().lostNames()),
                             QLocale().createSeparatedList(heirs));
        const QString repeated = e.replayedRounds == 0
                                     ? tr("no round was repeated")
                                     : tr("%n round(s) were repeated", nullptr, static_cast<int>(e.replayedRounds));
        text << tr("Resumed after %1; %2.").arg(formatSpan(e.seconds), repeated);
        const bool fromDisk = e.method == QLatin1String("disk");
        if (e.movedBytes > 0 || fromDisk)
            text << tr("Detected in %1, planned in %2, moved %3 in %4, rebuilt in %5, first round in %6.")
                        .arg(formatSpan(e.detectS), formatSpan(e.planS), formatBytes(e.movedBytes), formatSpan(e.moveS),
                             formatSpan(e.rebuildS), formatSpan(e.replayS));
        else
            text << tr("Detected in %1, planned in %2, rebuilt in %3, first round in %4; nothing had to be moved.")
                        .arg(formatSpan(e.detectS), formatSpan(e.planS), formatSpan(e.rebuildS), formatSpan(e.replayS));
        if (fromDisk)
            text << tr("The state came from the disk, as it was after round %1.")
                        .arg(formatCount(static_cast<qint64>(e.fromVersion)));
        else if (e.method == QLatin1String("heavy"))
            text << tr("All layers were assigned again.");
        say(text.join(QLatin1Char(' ')), Tone::Good);
    }
    void operator()(const event::Replica &) { sayKept(); }
    void operator()(const event::Checkpoint &) { sayKept(); }
    void operator()(const event::Warning &e) {
        say(coreText(Sentence::joined({e.what, e.cause, e.advice})), Tone::Slow);
    }
    void operator()(const event::Codec &e) {
        const auto words = [](const QString &name) {
            const Codec *codec = codecByName(name);
            return codec ? codecText(*codec) : name;
        };
        say(tr("Compression lost too much: %1 From round %2 on more bits cross between stages %3 and %4: activations "
               "%5, gradients %6.")
                .arg(coreText(e.reason), formatCount(e.round))
                .arg(e.cut + 1)
                .arg(e.cut + 2)
                .arg(words(e.forward), words(e.backward)),
            Tone::Slow);
    }
    void operator()(const event::Evaluation &e) {
        const bool first = e.round == 0, only = !m_run.only().isEmpty();
        QStringList text;
        if (e.meanAbsoluteError) {
            const QString error = formatNumber(*e.meanAbsoluteError);
            text << (only ? tr("Evaluated: mean absolute error %1.").arg(error)
                     : first
                         ? tr("Evaluated before the first round: mean absolute error %1.").arg(error)
                         : tr("Evaluated after round %1: mean absolute error %2.").arg(formatCount(e.round), error));
        } else {
            const QString part = formatPercent(e.accuracy);
            text << (only    ? tr("Evaluated: %1 correct.").arg(part)
                     : first ? tr("Evaluated before the first round: %1 correct.").arg(part)
                             : tr("Evaluated after round %1: %2 correct.").arg(formatCount(e.round), part));
        }
        if (e.top5)
            text << tr("Among the five likeliest: %1.").arg(formatPercent(*e.top5));
        if (e.f1)
            text << tr("F1: %1.").arg(QLocale().toString(*e.f1, 'f', 3));
        if (e.perplexity)
            text << tr("Perplexity: %1.").arg(formatNumber(*e.perplexity));
        for (const auto &[prompt, added] : e.continued)
            text << tr("“%1” goes on: “%2”.").arg(prompt.simplified(), added.simplified());
        say(text.join(QLatin1Char(' ')), first && !only ? Tone::Plain : Tone::Good);
    }
    void operator()(const event::Best &e) {
        say(tr("The weights after round %1 are kept as the best so far (loss %2).")
                .arg(formatCount(e.round), formatLoss(e.loss)));
    }
    void operator()(const event::Finished &e) {
        if (e.rounds == 0)
            return;  // it trained nothing, and has told what it found
        say(tr("Finished: %1 rounds at %2.").arg(formatCount(e.rounds), speedText(e.samplesPerS)), Tone::Good);
    }
    void operator()(const event::Failure &e) { say(errorText(e.error), Tone::Bad); }

    const QString &text() const { return m_text; }
    Tone tone() const { return m_tone; }
    bool folds() const { return m_folds; }

  private:
    static QString speedText(double samplesPerSecond) {
        return unbroken(tr("%1 samples/s").arg(formatNumber(samplesPerSecond)));
    }
    /// The event of a recovery tells the rest itself.
    void sayTraining() {
        if (m_run.rounds().empty())
            say(tr("Training."));
        else if (m_run.stateBefore() == QLatin1String("paused"))
            say(tr("Training goes on after round %1.").arg(formatCount(m_run.completedRounds())));
    }
    void sayKept() {
        const KeptStates &kept = m_run.kept();
        QStringList text;
        if (kept.copies > 0)
            text << tr("Backed up weights on other devices %n time(s), last after round %1.", nullptr, kept.copies)
                        .arg(formatCount(static_cast<qint64>(kept.copiedVersion)));
        if (kept.checkpoints > 0)
            text << tr("Saved %n checkpoint(s), the last after round %1 (%2).", nullptr, kept.checkpoints)
                        .arg(formatCount(static_cast<qint64>(kept.savedVersion)), formatBytes(kept.savedBytes));
        say(text.join(QLatin1Char(' ')));
        m_folds = true;
    }
    void say(const QString &text, Tone tone = Tone::Plain) {
        m_text = text;
        m_tone = tone;
    }
    const RunModel &m_run;
    QString m_text;
    Tone m_tone = Tone::Plain;
    bool m_folds = false;
};

class ReasonWords {
    Q_DECLARE_TR_FUNCTIONS(ReasonWords)
  public:
    static QString of(const QString &reason) {
        const std::pair<const char *, QString> words[] = {
            {"replay", tr("because a device was lost")},
            {"full", tr("better than the one the recovery made")},
            {"drift", tr("because devices became slower or faster")},
            {"measured", tr("because devices have measured the network")},
            {"return", tr("because rounds were shorter with it")},
            {"join", tr("because a device joined")},
            {"leave", tr("because a device left")},
            {"user", tr("as you wished")},
            {"codec", tr("because cuts are compressed less or more")},
        };
        for (const auto &[word, text] : words) {
            if (reason == QLatin1String(word)) {
                return text;
            }
        }
        return {};
    }
};

class StateWords {
    Q_DECLARE_TR_FUNCTIONS(StateWords)
  public:
    static QString preparing(const QString &state) {
        if (state.isEmpty())
            return tr("Asking the home …");
        if (state == QLatin1String("paused") || state == QLatin1String("training"))
            return tr("The network answers …");
        return tr("The home's devices get ready: %1 …").arg(of(state));
    }
    static QString of(const QString &state) {
        const std::pair<const char *, QString> words[] = {
            {"profiling", tr("Measuring")},     {"planning", tr("Planning")},     {"training", tr("Training")},
            {"paused", tr("Paused")},           {"recovering", tr("Recovering")}, {"stopped", tr("Stopped")},
            {"interrupted", tr("Interrupted")}, {"failed", tr("Failed")},         {"finished", tr("Finished")},
            {"waiting", tr("Waiting")},
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
    return EventSentence{event.seq, event.t, narrator.text(), narrator.tone(), narrator.folds()};
}

EventSentence earlierSentence(const EventSentence &newest, int count) {
    return {newest.seq, newest.t, Narrator::earlier(count), Tone::Plain, false};
}

QString planReasonText(const QString &reason) {
    return ReasonWords::of(reason);
}

QString stateText(const QString &state) {
    return StateWords::of(state);
}

QString preparingText(const QString &state) {
    return StateWords::preparing(state);
}

}  // namespace hearth
