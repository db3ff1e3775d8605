// Texts fit at 1024×640, in German too; colours have contrast; every control has a name.
#include <QAbstractButton>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTemporaryDir>
#include <QTest>
#include <array>
#include <cmath>

#include "tests/core/base/patience.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/fake_home.h"
#include "ui/base/rail.h"
#include "ui/base/theme.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/job/weights_card.h"
#include "ui/shell/main_window.h"

using namespace hearth;

namespace {

/// WCAG 2: relative luminance and contrast.
double luminance(const QColor &colour) {
    const auto channel = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) + 0.0722 * channel(colour.blueF());
}
double contrast(const QColor &a, const QColor &b) {
    const double first = luminance(a), second = luminance(b);
    return (std::max(first, second) + 0.05) / (std::min(first, second) + 0.05);
}

/// CIE 1976: how different two colours look; 2 can just be told apart side by side.
double difference(const QColor &a, const QColor &b) {
    const auto lab = [](const QColor &colour) {
        const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
        const double red = linear(colour.redF()), green = linear(colour.greenF()), blue = linear(colour.blueF());
        const auto root = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
        const double x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
        const double y = root(luminance(colour));
        const double z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888);
        return std::array{116 * y - 16, 500 * (x - y), 200 * (y - z)};
    };
    const auto first = lab(a), second = lab(b);
    return std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]);
}

}  // namespace

class WindowLayoutTest : public QObject {
    Q_OBJECT

    std::vector<RunEvent> m_events;

  private Q_SLOTS:
    void initTestCase() { m_events = RecordedRun::load(); }

    void textsFitAtTheSmallestSize_data() {
        QTest::addColumn<QString>("language");
        QTest::newRow("English") << "en";
        QTest::newRow("German") << "de";
    }
    void textsFitAtTheSmallestSize() {
        QFETCH(QString, language);
        const QTemporaryDir files;
        const Language spoken{QLocale(language)};
        FakeHomeSource home;
        home.list = RecordedRun::devices(m_events);
        FakeController controller;
        FakeQuestions questions;
        MainWindow window(home, controller, questions);
        window.resize(1024, 640);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        QCOMPARE(window.size(), QSize(1024, 640));
        controller.open(QStringLiteral("run"));
        QStringList clipped;
        const auto check = [&window, &clipped](const QString &when) {
            QStringList texts;
            const auto fits = [&] {
                texts = clippedTexts(window) + cutNotes(window);
                return texts.isEmpty();
            };
            // What is read beside the event loop is still being laid out. Only the first place without room is told.
            if (!clipped.isEmpty() || QTest::qWaitFor(fits, patience))
                return;
            for (const QString &text : texts)
                clipped << when + text;
        };
        for (const RunEvent &one : m_events)
            controller.send(one);
        QTest::qWait(100);
        for (int place = HomePlace; place <= HistoryPlace; ++place) {
            window.showPlace(place);
            check(QStringLiteral("place %1: ").arg(place));
        }
        window.showPlace(TrainPlace);
        window.findChild<QPushButton *>(QStringLiteral("trainShowDevices"))->click();
        check(QStringLiteral("the devices above the plots: "));
        controller.open(QStringLiteral("another"));
        for (int place = HomePlace; place <= HistoryPlace; ++place) {
            window.showPlace(place);
            check(QStringLiteral("empty place %1: ").arg(place));
        }
        window.showFirstStart();
        check(QStringLiteral("first start: "));
        const auto *ways = window.findChild<QScrollArea *>(QStringLiteral("firstStartScroll"));
        QVERIFY2(ways->widget()->width() <= ways->viewport()->width(), "the three ways do not fit side by side");
        window.showPlace(JobPlace);
        const auto *facts = window.findChild<QLabel *>(QStringLiteral("modelFacts"));
        QTRY_VERIFY_WITH_TIMEOUT(facts->text().contains(QLatin1Char('\n')), patience);
        check(QStringLiteral("what models take: "));
        const QString folder = QStringLiteral("/home/somebody/in_a_folder_far_below_others/");
        window.jobDraft().setModel(folder +
                                   QStringLiteral("a_model_with_a_long_name_that_somebody_chose_in_a_hurry.json"));
        window.jobDraft().setData(folder + QStringLiteral("pictures_of_all_the_holidays_that_somebody_ever_had.json"));
        const auto *note = window.findChild<QLabel *>(QStringLiteral("jobDataNote"));
        QTRY_COMPARE_WITH_TIMEOUT(note->property("role").toString(), QStringLiteral("wrong"), patience);
        const auto *error = window.findChild<QLabel *>(QStringLiteral("modelError"));
        QTRY_VERIFY_WITH_TIMEOUT(error->isVisible(), patience);
        window.findChild<WeightsCard *>()->setWeights(StartWeights{
            QStringLiteral("a"), QStringLiteral("fashion-cnn, 21.11.26 09:45"), folder + QStringLiteral("runs/a")});
        check(QStringLiteral("a job of files that are gone: "));
        const auto *job = window.findChild<QScrollArea *>(QStringLiteral("jobScroll"));
        QVERIFY2(job->widget()->width() <= job->viewport()->width(), "the job is wider than the window");
        QFile prices(files.filePath(QStringLiteral("prices.csv")));
        QVERIFY(prices.open(QIODevice::WriteOnly));
        prices.write("rooms,price\n");
        for (int i = 0; i < 60; ++i)
            prices.write(QByteArray::number(i % 5) + ',' + QByteArray::number(i * 1000.5) + '\n');
        prices.close();
        window.jobDraft().setModel(QStringLiteral("mlp"));
        window.jobDraft().setData(prices.fileName());
        const auto *fit = window.findChild<QPushButton *>(QStringLiteral("jobFitData"));
        QTRY_VERIFY_WITH_TIMEOUT(fit->isVisible(), patience);
        check(QStringLiteral("a job that does not fit its data: "));
        QVERIFY2(job->widget()->width() <= job->viewport()->width(), "what does not fit is wider than the window");
        home.leaveDemo();
        home.setWaiting({});
        home.set({RecordedRun::devices(m_events).front()});
        window.showPlace(HomePlace);
        window.findChild<QPushButton *>(QStringLiteral("homeAdd"))->click();
        check(QStringLiteral("adding a device: "));
        const auto *address = window.findChild<QLineEdit *>(QStringLiteral("pairAddress"));
        const QString example = address->placeholderText();
        QVERIFY2(address->fontMetrics().horizontalAdvance(example) <= address->width() - 3 * grid, qPrintable(example));
        QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
        QCOMPARE(window.size(), QSize(1024, 640));
    }

    void germanIsComplete() {
        QFile file(QStringLiteral(HEARTH_UI_TEST_DATA "/../../../translations/hearth_de.ts"));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray source = file.readAll();
        QVERIFY(source.contains("<translation>"));
        QVERIFY2(!source.contains("type=\"unfinished\""),
                 "run \"ninja update_translations\" and translate the new texts");
    }

    void textsHaveContrast_data() {
        QTest::addColumn<int>("kind");
        QTest::newRow("light") << static_cast<int>(ThemeKind::Light);
        QTest::newRow("dark") << static_cast<int>(ThemeKind::Dark);
    }
    void textsHaveContrast() {
        QFETCH(int, kind);
        const Theme &theme = Theme::of(static_cast<ThemeKind>(kind));
        constexpr double readable = 4.5;
        for (const QColor &surface :
             {theme.window, theme.rail, theme.surface, theme.raised, theme.hover, theme.selected}) {
            for (const QColor &text : {theme.text, theme.secondary, theme.accentText})
                QVERIFY2(
                    contrast(text, surface) >= readable,
                    qPrintable(
                        QStringLiteral("%1 on %2: %3").arg(text.name(), surface.name()).arg(contrast(text, surface))));
        }
        for (const QColor &text : {theme.good, theme.slow, theme.bad, theme.info})
            QVERIFY2(contrast(text, theme.surface) >= readable, qPrintable(text.name()));
        QVERIFY(contrast(theme.bad, theme.badSurface) >= readable);
        QVERIFY(contrast(theme.text, theme.badSurface) >= readable);
        QVERIFY(contrast(theme.onAccent, theme.accent) >= readable);
        QVERIFY(contrast(theme.onAccent, theme.accentHover) >= readable);
        for (int stage = 0; stage < 8; ++stage)
            QVERIFY2(
                contrast(theme.onStage(), theme.stageFill(stage)) >= readable,
                qPrintable(
                    QStringLiteral("stage %1: %2").arg(stage).arg(contrast(theme.onStage(), theme.stageFill(stage)))));
        // Frames of controls and the focus ring need 3:1.
        QVERIFY(contrast(theme.controlBorder, theme.surface) >= 3);
        QVERIFY(contrast(theme.focus, theme.window) >= 3);
    }

    void curvesAreToldApart_data() { textsHaveContrast_data(); }
    void curvesAreToldApart() {
        QFETCH(int, kind);
        const Theme &theme = Theme::of(static_cast<ThemeKind>(kind));
        constexpr double seen = 3, apart = 18;
        for (int i = 0; i < Theme::lineColours; ++i) {
            const QColor line = theme.line(i);
            QVERIFY2(contrast(line, theme.surface) >= seen,
                     qPrintable(QStringLiteral("%1: %2").arg(line.name()).arg(contrast(line, theme.surface))));
            for (int other = 0; other < i; ++other) {
                const QColor second = theme.line(other);
                QVERIFY2(
                    difference(line, second) >= apart,
                    qPrintable(
                        QStringLiteral("%1 and %2: %3").arg(line.name(), second.name()).arg(difference(line, second))));
            }
        }
    }

    void everyControlHasANameAndCanBeReached() {
        FakeHomeSource home;
        home.list = RecordedRun::devices(m_events);
        FakeController controller;
        FakeQuestions questions;
        const MainWindow window(home, controller, questions);
        for (const QAbstractButton *button : window.findChildren<QAbstractButton *>()) {
            if (button->objectName().startsWith(QLatin1String("qt_")) || button->inherits("QTableCornerButton"))
                continue;
            QVERIFY2(!button->objectName().isEmpty(), qPrintable(describe(button)));
            QVERIFY2(!button->text().isEmpty() || !button->accessibleName().isEmpty(), qPrintable(describe(button)));
            QVERIFY2((button->focusPolicy() & Qt::TabFocus) != 0, qPrintable(describe(button)));
        }
        for (const QLineEdit *edit : window.findChildren<QLineEdit *>())
            QVERIFY2(!edit->accessibleName().isEmpty(), qPrintable(describe(edit)));
        for (const QComboBox *box : window.findChildren<QComboBox *>())
            QVERIFY2(!box->accessibleName().isEmpty(), qPrintable(describe(box)));
    }
};

QTEST_MAIN(WindowLayoutTest)
#include "window_layout_test.moc"
