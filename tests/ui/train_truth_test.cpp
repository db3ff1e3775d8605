// What the Train page shows equals the event stream: recorded runs are replayed into the window, and every figure on
// the page is compared with what this test computes from the lines of the file on its own.
#include <QHelpEvent>
#include <QJsonDocument>
#include <QListView>
#include <QToolTip>
#include <cmath>

#include "tests/ui/stream_story.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/still_text.h"
#include "ui/base/widgets.h"
#include "ui/train/live_plot.h"
#include "ui/train/train_devices.h"

using namespace hearth;

class TrainTruthTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { m_language = std::make_unique<Language>(QLocale(QLocale::English, QLocale::UnitedStates)); }
    void cleanupTestCase() { m_language.reset(); }
    void cleanup() { endWindow(); }

    void everyFigureIsTheStreams_data() {
        QTest::addColumn<QString>("recording");
        QTest::addColumn<double>("waiting");  // of what the recording, older than the difference, has as AllReduce
        QTest::newRow("a run that goes well") << QStringLiteral("recorded_run") << 0.0;
        QTest::newRow("a run that loses a device and gets it back") << QStringLiteral("lossy_run") << 0.0;
        QTest::newRow("a run whose groups wait for the slowest") << QStringLiteral("lossy_run") << 0.9;
    }
    void everyFigureIsTheStreams() {
        QFETCH(QString, recording);
        QFETCH(double, waiting);
        m_events = RecordedRun::load(recording);
        QFile file(QStringLiteral(HEARTH_UI_TEST_DATA "/%1.jsonl").arg(recording));
        QVERIFY(file.open(QIODevice::ReadOnly));
        makeWindow();
        m_window->show();
        goTo("railTrain");
        m_controller->open(QStringLiteral("run"));
        StreamStory story;
        int compared = 0;
        for (std::size_t i = 0; !file.atEnd(); ++i) {
            const QJsonObject line = withWaiting(QJsonDocument::fromJson(file.readLine()).object(), waiting);
            m_controller->send(*RunEvent::fromLine(QJsonDocument(line).toJson(QJsonDocument::Compact)));
            story.take(line);
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
    static QJsonObject withWaiting(QJsonObject line, double part) {
        QJsonObject devices = line.value(QLatin1String("devices")).toObject();
        if (part == 0 || devices.isEmpty())
            return line;
        for (auto device = devices.begin(); device != devices.end(); ++device) {
            QJsonObject times = device.value().toObject();
            const double sum = number(times, "allreduce_s");
            times[QLatin1String("wait_allreduce_s")] = part * sum;
            times[QLatin1String("allreduce_s")] = (1 - part) * sum;
            device.value() = times;
        }
        line[QLatin1String("devices")] = devices;
        return line;
    }
    static void same(const QString &shown, const QString &told, const QByteArray &what) {
        QVERIFY2(plain(shown) == told, qPrintable(QStringLiteral("%1: the page says \"%2\", the stream \"%3\"")
                                                      .arg(QString::fromUtf8(what), shown, told)));
    }
    QString note(const char *figure) const { return find<Figure>(figure)->findChildren<QLabel *>().last()->text(); }

    void compareFigures(const StreamStory &story, const QByteArray &when) const {
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
        const StreamStory::Round &last = story.kept.back();
        same(find<Figure>("figureRound")->value(), QLocale().toString(last.number), when);
        same(note("figureRound"), QStringLiteral("of %1").arg(QLocale().toString(story.rounds)), when);
        same(find<Figure>("figureSpeed")->value(), figures(last.smoothed), when);
        same(note("figureSpeed"), QStringLiteral("predicted %1").arg(figures(last.predicted)), when);
        same(find<Figure>("figureLoss")->value(), QLocale().toString(last.loss, 'f', 4), when);
        same(note("figureLoss"), QStringLiteral("first %1").arg(QLocale().toString(story.kept.front().loss, 'f', 4)),
             when);
        const bool ended = story.state == QLatin1String("finished");
        same(find<Figure>("figureTimeLeft")->value(), wholeSpan(ended ? 0 : story.secondsLeft()), when);
        same(note("figureTimeLeft"),
             (ended ? QStringLiteral("%1 in all") : QStringLiteral("%1 so far")).arg(wholeSpan(story.lastT)), when);
        const QString state = story.state.left(1).toUpper() + story.state.mid(1);
        same(text("statusRun"),
             QStringLiteral("%1 · round %2 of %3")
                 .arg(state, QLocale().toString(last.number), QLocale().toString(story.rounds)),
             when);
        same(find<ElidedLabel>("trainPageSubtitle")->fullText(), story.job + QStringLiteral(" · ") + state, when);
    }

    void compareCurve(const char *plot, int curve, const StreamStory::Points &told, const QByteArray &when) const {
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
    void compareNamed(const char *plot, int first, const QMap<QString, StreamStory::Points> &told,
                      const QByteArray &when) const {
        const auto *shown = find<LivePlot>(plot);
        QCOMPARE(shown->curveCount() - first, static_cast<int>(told.size()));
        for (int curve = first; curve < shown->curveCount(); ++curve) {
            QVERIFY2(told.contains(shown->curveName(curve)), qPrintable(shown->curveName(curve)));
            compareCurve(plot, curve, told.value(shown->curveName(curve)), when);
        }
    }
    void comparePlots(const StreamStory &story, const QByteArray &when) const {
        StreamStory::Points speed, smoothed, predicted, loss, evaluated, accuracy;
        for (const StreamStory::Round &round : story.kept) {
            speed.emplace_back(round.t, round.speed);
            smoothed.emplace_back(round.t, round.smoothed);
            if (std::isfinite(round.predicted))
                predicted.emplace_back(round.t, round.predicted);
            loss.emplace_back(round.t, round.loss);
        }
        for (const auto &one : story.evaluations) {
            accuracy.emplace_back(one[1], 100 * one[2]);
            evaluated.emplace_back(one[1], one[3]);
        }
        compareCurve("throughputPlot", 0, speed, when);
        compareCurve("throughputPlot", 1, smoothed, when);
        compareCurve("throughputPlot", 2, predicted, when);
        compareCurve("throughputPlot", 3, story.ticks, when);
        compareCurve("lossPlot", 0, loss, when);
        compareCurve("lossPlot", 2, evaluated, when);
        compareCurve("lossPlot", 3, accuracy, when);
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

    static QString toolTipOf(QWidget *widget) {
        const QPoint at = widget->rect().center();
        QHelpEvent asked(QEvent::ToolTip, at, widget->mapToGlobal(at));
        QCoreApplication::sendEvent(widget, &asked);
        return QToolTip::text();
    }
    void compareDevices(const StreamStory &story, const QByteArray &when) const {
        for (auto it = story.split.cbegin(); it != story.split.cend(); ++it) {
            const double whole = it.value()[0] + it.value()[1] + it.value()[2];
            const auto *label = find<StillText>(qPrintable(QStringLiteral("split-") + story.names.value(it.key())));
            same(label->text(), percent(it.value()[0] / whole), when);
            auto *meter = find<QWidget>(qPrintable(QStringLiteral("meter-") + story.names.value(it.key())));
            same(toolTipOf(meter),
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

    void compareSentences(const StreamStory &story, const QByteArray &when) const {
        const auto *list = find<QListView>("eventList")->model();
        QVERIFY2(list->rowCount() == static_cast<int>(story.told.size()),
                 qPrintable(QStringLiteral("%1: %2 sentences, the stream has %3: \"%4\"")
                                .arg(QString::fromUtf8(when))
                                .arg(list->rowCount())
                                .arg(story.told.size())
                                .arg(list->index(list->rowCount() - 1, 0).data().toString())));
        for (int row = 0; row < list->rowCount(); ++row) {
            const StreamStory::Told &told = story.told[static_cast<std::size_t>(row)];
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
