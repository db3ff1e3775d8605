// What the lines of a run's event stream say, worked out without the help of what is tested.
#pragma once

#include <QJsonArray>
#include <QJsonObject>
#include <QLocale>
#include <QMap>
#include <QPointF>
#include <QStringList>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace hearth {

inline QJsonValue of(const QJsonObject &object, const char *key) {
    return object.value(QLatin1String(key));
}
inline QString word(const QJsonObject &object, const char *key) {
    return of(object, key).toString();
}
inline double number(const QJsonObject &object, const char *key) {
    return of(object, key).toDouble();
}

/// Numbers as the English window writes them, made without its help.
inline QString figures(double value) {
    const int decimals = value == 0 || std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}
inline QString percent(double fraction) {
    return QLocale().toString(100 * fraction, 'f', 1) + QStringLiteral(" %");
}
inline QString span(double seconds) {
    if (seconds == 0)
        return QStringLiteral("0 s");
    if (seconds < 1e-3)
        return figures(seconds * 1e6) + QStringLiteral(" µs");
    if (seconds < 1)
        return figures(seconds * 1e3) + QStringLiteral(" ms");
    if (seconds < 60)
        return figures(seconds) + QStringLiteral(" s");
    const auto whole = std::lround(seconds);
    return QStringLiteral("%1 min %2 s").arg(whole / 60).arg(whole % 60);
}
/// What is over or left of a run.
inline QString wholeSpan(double seconds) {
    if (seconds > 0 && seconds < 1)
        return QStringLiteral("under 1 s");
    const auto whole = std::lround(seconds);
    return whole < 60 ? QStringLiteral("%1 s").arg(whole) : span(static_cast<double>(whole));
}
/// What somebody waited for.
inline QString waitSpan(double seconds) {
    if (seconds <= 0 || seconds >= 9.95)
        return wholeSpan(seconds);
    return seconds < 0.1 ? QStringLiteral("under 0.1 s") : QLocale().toString(seconds, 'f', 1) + QStringLiteral(" s");
}

/// Takes the lines in their order; shows what a person should be shown after the last of them.
struct StreamStory {
    struct Round {
        qint64 number;
        qint64 term;
        double t, speed, smoothed, predicted, loss;
    };
    struct Told {
        double t;
        QStringList parts;  // that the sentence must hold
    };
    using Points = std::vector<QPointF>;

    QString state, job;
    qint64 rounds = 0, batch = 0, evaluateEvery = 0;
    double lastT = 0;
    double boundaryT = 0, evaluationSeconds = 0;  // since when an evaluation can be under way; a moving average
    std::vector<Round> kept;
    std::vector<std::array<double, 4>> evaluations;  // round, seconds, fraction, loss
    Points ticks;
    QMap<QString, QString> names;
    QMap<QString, Points> computing, waiting, sending, memory, links;
    Points allLinks;
    qint64 termOfLinks = 0;
    QMap<QString, double> linksInUse;            // of this term, in the newest round
    QMap<QString, std::array<double, 3>> split;  // moving averages of the three, in seconds per round
    QMap<QString, int> stageOf;
    QStringList marks;
    std::vector<Told> told;
    qsizetype keptRow = -1;
    int copies = 0, saves = 0;

    void take(const QJsonObject &line) {
        const QString kind = word(line, "event");
        const double t = lastT = std::max(lastT, number(line, "t"));
        const QString name = names.value(word(line, "id"));
        const QString next = QLocale().toString(done() + 1), now = QLocale().toString(done());
        if (kind == QLatin1String("run")) {
            const QJsonObject parameters = of(line, "job").toObject();
            rounds = of(parameters, "rounds").toInteger();
            batch = of(parameters, "batch").toInteger();
            evaluateEvery = of(parameters, "evaluate_every").toInteger();
            job = word(parameters, "model") + QStringLiteral(" on ") + word(parameters, "data");
            told.push_back({t, {job}});
        } else if (kind == QLatin1String("state")) {
            takeState(t, word(line, "state"));
        } else if (kind == QLatin1String("device")) {
            names[word(line, "id")] = word(line, "name");
            if (word(line, "state") == QLatin1String("ready"))
                told.push_back({t, {word(line, "name"), QStringLiteral("ready")}});
            else if (word(line, "state") == QLatin1String("lost"))
                told.push_back({t, {word(line, "name"), QStringLiteral("cannot be reached")}});
        } else if (kind == QLatin1String("plan")) {
            takePlan(t, line);
        } else if (kind == QLatin1String("round")) {
            takeRound(t, line);
        } else if (kind == QLatin1String("evaluation")) {
            const double round = number(line, "round");
            std::erase_if(evaluations, [round](const auto &one) { return one[0] == round; });
            const double took = t - std::exchange(boundaryT, t);
            evaluationSeconds = evaluationSeconds == 0 ? took : 0.8 * evaluationSeconds + 0.2 * took;
            evaluations.push_back({round, t, number(line, "accuracy"), number(line, "loss")});
            told.push_back({t, {QLocale().toString(of(line, "round").toInteger()), percent(number(line, "accuracy"))}});
        } else if (kind == QLatin1String("suspect")) {
            told.push_back({t, {name, next}});
            marks << name + QStringLiteral(" silent");
        } else if (kind == QLatin1String("lost")) {
            told.push_back({t, {name, QString::number(of(line, "round").toInteger())}});
            marks << name + QStringLiteral(" lost");
            split.remove(word(line, "id"));
        } else if (kind == QLatin1String("joined")) {
            told.push_back({t, {name, now}});
            marks << name + QStringLiteral(" back");
        } else if (kind == QLatin1String("recovered")) {
            told.push_back(
                {t,
                 {waitSpan(number(line, "seconds")), QString::number(of(line, "replayed_rounds").toInteger()),
                  waitSpan(number(line, "detect_s")), waitSpan(number(line, "replay_s")),
                  waitSpan(number(line, "move_s")), waitSpan(number(line, "rebuild_s")),
                  waitSpan(number(line, "plan_s"))}});
            marks << QStringLiteral("recovered");
        } else if (kind == QLatin1String("warning")) {
            told.push_back({t, {word(line, "what"), word(line, "cause"), word(line, "advice")}});
            marks << QStringLiteral("warning");
        } else if (kind == QLatin1String("finished")) {
            told.push_back(
                {t, {QLocale().toString(of(line, "rounds").toInteger()), figures(number(line, "samples_per_s"))}});
        } else if (kind == QLatin1String("replica") || kind == QLatin1String("checkpoint")) {
            ticks.emplace_back(t, 0);
            ++(kind == QLatin1String("replica") ? copies : saves);
            const QString count = QString::number(kind == QLatin1String("replica") ? copies : saves);
            if (keptRow < 0) {
                keptRow = static_cast<qsizetype>(told.size());
                told.push_back({t, {}});
            }
            told[static_cast<std::size_t>(keptRow)].parts = QStringList{count};
        }
    }

    double secondsLeft() const {
        double seconds = static_cast<double>((rounds - done()) * batch) / kept.back().smoothed;
        for (qint64 round = done(); evaluateEvery > 0 && round <= rounds; ++round) {
            const bool was =
                round == done() && !evaluations.empty() && evaluations.back()[0] >= static_cast<double>(round);
            if (!was && round > 0 && (round % evaluateEvery == 0 || round == rounds))
                seconds += evaluationSeconds;
        }
        return seconds;
    }
    qint64 done() const { return kept.empty() ? 0 : kept.back().number; }

  private:
    void takeState(double t, const QString &now) {
        const QString before = std::exchange(state, now);
        boundaryT = t;
        const QStringList silent{QStringLiteral("finished")};
        if (now == QLatin1String("training")) {
            if (kept.empty())
                told.push_back({t, {QStringLiteral("Training")}});
            else if (before == QLatin1String("paused"))
                told.push_back({t, {QLocale().toString(done())}});
        } else if (!silent.contains(now)) {
            told.push_back({t, {}});
        }
        if (now == QLatin1String("recovering") || now == QLatin1String("paused") || now == QLatin1String("stopped"))
            marks << now;
    }
    void takePlan(double t, const QJsonObject &line) {
        const QJsonObject plan = of(line, "plan").toObject();
        stageOf.clear();
        const QJsonArray stages = of(plan, "stages").toArray();
        for (int stage = 0; stage < stages.size(); ++stage) {
            for (const QString &device : of(stages[stage].toObject(), "shares").toObject().keys())
                stageOf[device] = stage + 1;
        }
        split.clear();
        copies = saves = 0;
        keptRow = -1;
        const bool first = word(line, "reason") == QLatin1String("first");
        marks << (first ? QStringLiteral("plan") : QStringLiteral("new plan"));
        QStringList parts{QString::number(stages.size()) + QStringLiteral(" stage"),
                          QString::number(stageOf.size()) + QStringLiteral(" device"),
                          figures(number(of(plan, "prediction").toObject(), "samples_per_s"))};
        if (!first)
            parts << QLocale().toString(of(line, "round").toInteger());
        told.push_back({t, parts});
    }
    void takeRound(double t, const QJsonObject &line) {
        const qint64 round = of(line, "round").toInteger(), term = of(line, "term").toInteger();
        if (!kept.empty() && kept.back().number >= round)
            undo(round);
        boundaryT = t;
        const double speed = number(line, "samples_per_s"), predicted = number(line, "predicted_round_s");
        double smoothed = speed;
        // Seconds per sample are averaged; the newest round counts a fifth. Each term begins anew.
        if (!kept.empty() && kept.back().term == term)
            smoothed = 1 / (0.8 / kept.back().smoothed + 0.2 / speed);
        kept.push_back({round, term, t, speed, smoothed, predicted > 0 ? static_cast<double>(batch) / predicted : NAN,
                        number(line, "loss")});
        const QJsonObject devices = of(line, "devices").toObject();
        for (auto it = devices.begin(); it != devices.end(); ++it) {
            const QJsonObject device = it.value().toObject();
            const std::array<double, 3> parts{number(device, "compute_s") + number(device, "optimizer_s"),
                                              number(device, "wait_forward_s") + number(device, "wait_backward_s") +
                                                  number(device, "wait_allreduce_s"),
                                              number(device, "send_s") + number(device, "allreduce_s")};
            const double whole = parts[0] + parts[1] + parts[2];
            const QString name = names.value(it.key());
            computing[name].emplace_back(t, 100 * parts[0] / whole);
            waiting[name].emplace_back(t, 100 * parts[1] / whole);
            sending[name].emplace_back(t, 100 * parts[2] / whole);
            memory[name].emplace_back(t, number(device, "memory_bytes") / 1048576);
            const bool first = !split.contains(it.key());
            for (std::size_t i = 0; i < parts.size(); ++i) {
                double &average = split[it.key()][i];
                average = first ? parts[i] : 0.8 * average + 0.2 * parts[i];
            }
        }
        takeLinks(t, line);
    }
    /// A link that has sent under this plan and sends nothing in a round has no bytes in it.
    void takeLinks(double t, const QJsonObject &line) {
        if (std::exchange(termOfLinks, of(line, "term").toInteger()) != of(line, "term").toInteger())
            linksInUse.clear();
        for (double &rate : linksInUse)
            rate = 0;
        double all = 0;
        for (const QJsonValue &value : of(line, "links").toArray()) {
            const QJsonObject link = value.toObject();
            const double rate = number(link, "bytes") / number(line, "round_s") / 1e6;
            linksInUse[names.value(word(link, "from")) + QStringLiteral(" to ") + names.value(word(link, "to"))] = rate;
            all += rate;
        }
        for (auto link = linksInUse.cbegin(); link != linksInUse.cend(); ++link)
            links[link.key()].emplace_back(t, link.value());
        allLinks.emplace_back(t, all);
    }
    void undo(qint64 round) {
        while (!kept.empty() && kept.back().number >= round)
            kept.pop_back();
        std::erase_if(evaluations, [round](const auto &one) { return one[0] >= static_cast<double>(round); });
        const double last = kept.empty() ? -1 : kept.back().t;
        const auto cut = [last](Points &points) {
            std::erase_if(points, [last](const QPointF &point) { return point.x() > last; });
        };
        for (QMap<QString, Points> *all : {&computing, &waiting, &sending, &memory, &links}) {
            for (Points &points : *all)
                cut(points);
        }
        cut(allLinks);
    }
};

}  // namespace hearth
