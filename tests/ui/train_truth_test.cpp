// What the Train page shows equals the event stream: recorded runs are replayed into the window, and every figure on
// the page is compared with what this test computes from the lines of the file on its own.
#include <QJsonArray>
#include <QListView>
#include <cmath>

#include "tests/ui/window_fixture.h"
#include "ui/base/still_text.h"
#include "ui/base/widgets.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_devices.h"

using namespace hearth;

namespace {

QJsonValue of(const QJsonObject &object, const char *key) {
    return object.value(QLatin1String(key));
}
QString word(const QJsonObject &object, const char *key) {
    return of(object, key).toString();
}
double number(const QJsonObject &object, const char *key) {
    return of(object, key).toDouble();
}

/// Numbers as the English window writes them, made without its help.
QString figures(double value) {
    const int decimals = std::abs(value) >= 100 ? 0 : std::abs(value) >= 10 ? 1 : 2;
    return QLocale().toString(value, 'f', decimals);
}
QString percent(double fraction) {
    return QLocale().toString(100 * fraction, 'f', 1) + QStringLiteral(" %");
}
QString span(double seconds) {
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

/// What the lines say so far.
struct Story {
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
    qint64 rounds = 0, batch = 0;
    double lastT = 0;
    std::vector<Round> kept;
    std::vector<std::array<double, 3>> evaluations;  // round, seconds, fraction
    Points ticks;
    QMap<QString, QString> names;
    QMap<QString, Points> computing, waiting, sending, memory, links;
    Points allLinks;
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
            evaluations.push_back({round, t, number(line, "accuracy")});
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
                 {span(number(line, "seconds")), QString::number(of(line, "replayed_rounds").toInteger()),
                  span(number(line, "detect_s")), span(number(line, "replay_s")), span(number(line, "move_s")),
                  span(number(line, "rebuild_s")), span(number(line, "plan_s"))}});
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

    qint64 done() const { return kept.empty() ? 0 : kept.back().number; }

  private:
    void takeState(double t, const QString &now) {
        const QString before = std::exchange(state, now);
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
                                              number(device, "wait_forward_s") + number(device, "wait_backward_s"),
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
        double all = 0;
        for (const QJsonValue &value : of(line, "links").toArray()) {
            const QJsonObject link = value.toObject();
            const double rate = number(link, "bytes") / number(line, "round_s") / 1e6;
            links[names.value(word(link, "from")) + QStringLiteral(" to ") + names.value(word(link, "to"))]
                .emplace_back(t, rate);
            all += rate;
        }
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

}  // namespace

class TrainTruthTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void cleanupTestCase() { m_language.reset(); }
    void cleanup() { endWindow(); }

    void everyFigureIsTheStreams_data() {
        QTest::addColumn<QString>("recording");
        QTest::newRow("a run that goes well") << QStringLiteral("recorded_run");
        QTest::newRow("a run that loses a device and gets it back") << QStringLiteral("lossy_run");
    }
    void everyFigureIsTheStreams() {
        QFETCH(QString, recording);
        m_events = RecordedRun::load(recording);
        QFile file(QStringLiteral(HEARTH_UI_TEST_DATA "/%1.jsonl").arg(recording));
        QVERIFY(file.open(QIODevice::ReadOnly));
        makeWindow();
        m_window->show();
        goTo("railTrain");
        m_controller->open(QStringLiteral("run"));
        Story story;
        int compared = 0;
        for (std::size_t i = 0; !file.atEnd(); ++i) {
            const QByteArray line = file.readLine().trimmed();
            m_controller->send(m_events[i]);
            story.take(QJsonDocument::fromJson(line).object());
            constexpr std::size_t every = 7;
            if (i % every != 0 && !file.atEnd())
                continue;
            // A page that comes into sight is brought up to date at once.
            goTo("railHome");
            goTo("railTrain");
            const QByteArray when = "after line " + QByteArray::number(i + 1);
            compareFigures(story, when);
            comparePlots(story, when);
            compareDevices(story, when);
            compareSentences(story, when);
            if (QTest::currentTestFailed())
                return;
            ++compared;
        }
        QVERIFY(compared > 15);
        QCOMPARE(story.state, QStringLiteral("finished"));
    }

  private:
    static void same(const QString &shown, const QString &told, const QByteArray &what) {
        QVERIFY2(plain(shown) == told, qPrintable(QStringLiteral("%1: the page says \"%2\", the stream \"%3\"")
                                                      .arg(QString::fromUtf8(what), shown, told)));
    }
    QString note(const char *figure) const { return find<Figure>(figure)->findChildren<QLabel *>().last()->text(); }

    void compareFigures(const Story &story, const QByteArray &when) const {
        same(text("statusDevices"), QStringLiteral("3 of 3 devices ready"), when);
        if (!story.evaluations.empty()) {
            same(find<Figure>("figureAccuracy")->value(), percent(story.evaluations.back()[2]), when);
            const auto round = static_cast<qint64>(story.evaluations.back()[0]);
            same(note("figureAccuracy"),
                 round > 0 ? QStringLiteral("after round %1").arg(QLocale().toString(round))
                           : QStringLiteral("before the first round"),
                 when);
        }
        if (story.kept.empty()) {
            same(find<Figure>("figureRound")->value(), QStringLiteral("–"), when);
            return;
        }
        const Story::Round &last = story.kept.back();
        same(find<Figure>("figureRound")->value(), QLocale().toString(last.number), when);
        same(note("figureRound"), QStringLiteral("of %1").arg(QLocale().toString(story.rounds)), when);
        same(find<Figure>("figureSpeed")->value(), figures(last.smoothed), when);
        same(note("figureSpeed"), QStringLiteral("predicted %1").arg(figures(last.predicted)), when);
        same(find<Figure>("figureLoss")->value(), QLocale().toString(last.loss, 'f', 4), when);
        same(note("figureLoss"), QStringLiteral("first %1").arg(QLocale().toString(story.kept.front().loss, 'f', 4)),
             when);
        const bool ended = story.state == QLatin1String("finished");
        const double left = static_cast<double>((story.rounds - last.number) * story.batch) / last.smoothed;
        same(find<Figure>("figureTimeLeft")->value(), span(ended ? 0 : left), when);
        same(note("figureTimeLeft"),
             (ended ? QStringLiteral("%1 in all") : QStringLiteral("%1 so far")).arg(span(story.lastT)), when);
        const QString state = story.state.left(1).toUpper() + story.state.mid(1);
        same(text("statusRun"),
             QStringLiteral("%1 · round %2 of %3")
                 .arg(state, QLocale().toString(last.number), QLocale().toString(story.rounds)),
             when);
        same(find<ElidedLabel>("trainPageSubtitle")->fullText(), story.job + QStringLiteral(" · ") + state, when);
    }

    void compareCurve(const char *plot, int curve, const Story::Points &told, const QByteArray &when) const {
        const auto shown = find<LivePlot>(plot)->points(curve);
        QVERIFY2(shown.size() == told.size(), qPrintable(QStringLiteral("%1: %2 curve %3 has %4 points, the stream %5")
                                                             .arg(QString::fromUtf8(when), QLatin1String(plot))
                                                             .arg(curve)
                                                             .arg(shown.size())
                                                             .arg(told.size())));
        for (std::size_t i = 0; i < told.size(); ++i) {
            QVERIFY(std::abs(shown[i].x() - told[i].x()) <= 1e-12 * std::abs(told[i].x()));
            QVERIFY2(std::abs(shown[i].y() - told[i].y()) <= 1e-9 * std::max(1e-3, std::abs(told[i].y())),
                     qPrintable(QStringLiteral("%1: %2 curve %3 is %4 at %5 s, the stream says %6")
                                    .arg(QString::fromUtf8(when), QLatin1String(plot))
                                    .arg(curve)
                                    .arg(shown[i].y())
                                    .arg(told[i].x())
                                    .arg(told[i].y())));
        }
    }
    void compareNamed(const char *plot, int first, const QMap<QString, Story::Points> &told,
                      const QByteArray &when) const {
        const auto *shown = find<LivePlot>(plot);
        QCOMPARE(shown->curveCount() - first, static_cast<int>(told.size()));
        for (int curve = first; curve < shown->curveCount(); ++curve) {
            QVERIFY2(told.contains(shown->curveName(curve)), qPrintable(shown->curveName(curve)));
            compareCurve(plot, curve, told.value(shown->curveName(curve)), when);
        }
    }
    void comparePlots(const Story &story, const QByteArray &when) const {
        Story::Points speed, smoothed, predicted, loss, accuracy;
        for (const Story::Round &round : story.kept) {
            speed.emplace_back(round.t, round.speed);
            smoothed.emplace_back(round.t, round.smoothed);
            if (std::isfinite(round.predicted))
                predicted.emplace_back(round.t, round.predicted);
            loss.emplace_back(round.t, round.loss);
        }
        for (const auto &one : story.evaluations)
            accuracy.emplace_back(one[1], 100 * one[2]);
        compareCurve("throughputPlot", 0, speed, when);
        compareCurve("throughputPlot", 1, smoothed, when);
        compareCurve("throughputPlot", 2, predicted, when);
        compareCurve("throughputPlot", 3, story.ticks, when);
        compareCurve("lossPlot", 0, loss, when);
        compareCurve("lossPlot", 1, accuracy, when);
        compareNamed("computingPlot", 0, story.computing, when);
        compareNamed("waitingPlot", 0, story.waiting, when);
        compareNamed("sendingPlot", 0, story.sending, when);
        compareNamed("memoryPlot", 0, story.memory, when);
        if (!story.allLinks.empty()) {
            compareCurve("trafficPlot", 0, story.allLinks, when);
            compareNamed("trafficPlot", 1, story.links, when);
        }
        for (const char *plot : {"throughputPlot", "lossPlot", "computingPlot", "trafficPlot"})
            QCOMPARE(find<LivePlot>(plot)->markLabels(), story.marks);
    }

    void compareDevices(const Story &story, const QByteArray &when) const {
        for (auto it = story.split.cbegin(); it != story.split.cend(); ++it) {
            const double whole = it.value()[0] + it.value()[1] + it.value()[2];
            const auto *label = find<StillText>(qPrintable(QStringLiteral("split-") + story.names.value(it.key())));
            same(label->text(), percent(it.value()[0] / whole), when);
            const auto *meter = find<QWidget>(qPrintable(QStringLiteral("meter-") + story.names.value(it.key())));
            same(meter->toolTip(),
                 QStringLiteral("computing %1, waiting %2, sending %3 per round")
                     .arg(span(it.value()[0]), span(it.value()[1]), span(it.value()[2])),
                 when);
        }
        if (story.state != QLatin1String("training"))
            return;
        for (auto it = story.stageOf.cbegin(); it != story.stageOf.cend(); ++it) {
            const auto *tile = find<DeviceTile>(qPrintable(QStringLiteral("tile-") + story.names.value(it.key())));
            QVERIFY2(tile->chip().endsWith(QStringLiteral("tage %1").arg(it.value())), when.constData());
        }
    }

    void compareSentences(const Story &story, const QByteArray &when) const {
        const auto *list = find<QListView>("eventList")->model();
        QVERIFY2(list->rowCount() == static_cast<int>(story.told.size()),
                 qPrintable(QStringLiteral("%1: %2 sentences, the stream has %3: \"%4\"")
                                .arg(QString::fromUtf8(when))
                                .arg(list->rowCount())
                                .arg(story.told.size())
                                .arg(list->index(list->rowCount() - 1, 0).data().toString())));
        for (int row = 0; row < list->rowCount(); ++row) {
            const Story::Told &told = story.told[static_cast<std::size_t>(row)];
            const QString sentence = plain(list->index(row, 0).data().toString());
            QCOMPARE(list->index(row, 0).data(Qt::UserRole).toDouble(), told.t);
            for (const QString &part : told.parts)
                QVERIFY2(
                    sentence.contains(part),
                    qPrintable(QStringLiteral("%1: \"%2\" lacks \"%3\"").arg(QString::fromUtf8(when), sentence, part)));
        }
    }
};

QTEST_MAIN(TrainTruthTest)
#include "train_truth_test.moc"
