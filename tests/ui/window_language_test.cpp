// The language, chosen while the window is open: another window goes on where the first one has been.
#include <QLineEdit>
#include <QPointer>

#include "tests/core/base/patience.h"
#include "tests/ui/shell_fixture.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/home/home_view.h"
#include "ui/shell/app_window.h"
#include "ui/shell/language.h"

using namespace hearth;

class WindowLanguageTest : public RunFixture {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<FakeHomeSource> m_home;
    std::unique_ptr<FakeController> m_controller;
    std::unique_ptr<FakeQuestions> m_questions;
    std::unique_ptr<FakeNotifier> m_notifier;
    std::unique_ptr<QSettings> m_settings;
    std::unique_ptr<SpokenLanguage> m_spoken;
    std::unique_ptr<AppWindow> m_app;

    void start() {
        m_settings =
            std::make_unique<QSettings>(m_folder->filePath(QStringLiteral("window.ini")), QSettings::IniFormat);
        m_spoken = std::make_unique<SpokenLanguage>();
        m_app = std::make_unique<AppWindow>(
            AppWindow::Parts{*m_home, *m_controller, *m_questions, *m_notifier, *m_settings, *m_spoken});
        m_app->begin();
        QVERIFY(showActive(m_app->window()));
    }
    void end() {
        m_app.reset();
        m_spoken.reset();
        m_settings.reset();
    }
    template <class Widget>
    Widget *find(const char *name) const {
        auto *widget = m_app->window().findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    QString railText() const { return find<QToolButton>("railHome")->text(); }
    /// Chooses, and waits until it is spoken.
    void choose(const char *action, const QString &home) {
        const QPointer<MainWindow> before(&m_app->window());
        find<QAction>(action)->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(before.isNull(), patience);
        QCOMPARE(railText(), home);
        QVERIFY(find<QAction>(action)->isChecked());
        QVERIFY(m_app->window().isVisible());
    }
    void german() { choose("menuLanguageGerman", QStringLiteral("Zuhause")); }
    void english() { choose("menuLanguageEnglish", QStringLiteral("Home")); }
    void play() const {
        for (const RunEvent &one : m_events)
            m_controller->send(one);
    }

  private Q_SLOTS:
    void initTestCase() {
        m_events = RecordedRun::load();
        QVERIFY(m_events.size() > 100);
    }
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_home = std::make_unique<FakeHomeSource>();
        m_home->list = RecordedRun::devices(m_events);
        m_home->demo = false;
        m_controller = std::make_unique<FakeController>();
        m_questions = std::make_unique<FakeQuestions>();
        m_notifier = std::make_unique<FakeNotifier>();
        start();
        english();
    }
    void cleanup() {
        end();
        m_notifier.reset();
        m_questions.reset();
        m_controller.reset();
        m_home.reset();
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
    }

    void theChoiceIsSpokenAtOnceAndRemembered() {
        german();
        QCOMPARE(m_notifier->action("trayPause")->text(), QStringLiteral("Training auf diesem Rechner pausieren"));
        QCOMPARE(QLocale().decimalPoint(), QStringLiteral(","));
        end();
        start();
        QCOMPARE(railText(), QStringLiteral("Zuhause"));
        QVERIFY(find<QAction>("menuLanguageGerman")->isChecked());
        english();
        QCOMPARE(QLocale().decimalPoint(), QStringLiteral("."));
    }

    void theRunThatIsShownIsToldAgain() {
        m_controller->open(m_events[0].json[QLatin1String("id")].toString());
        play();
        m_app->window().showPlace(TrainPlace);
        const std::size_t rounds = m_app->window().run().rounds().size();
        QVERIFY(rounds > 10);
        const QString id = m_app->window().run().runId();
        m_controller->calls.clear();
        german();
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("attach ") + id});
        m_controller->open(id);
        // Once more, before the first of its events.
        english();
        german();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("attach ") + id);
        m_controller->open(id);
        play();
        QCOMPARE(m_app->window().run().rounds().size(), rounds);
        QVERIFY(find<QWidget>("trainPage")->isVisible());
        QVERIFY(find<ElidedLabel>("trainPageSubtitle")->fullText().contains(QStringLiteral("Fertig")));
    }

    void aRecordIsOpenedAgainFromItsFile() {
        m_questions->file = QStringLiteral("/somewhere/events.jsonl");
        find<QAction>("menuOpenRun")->trigger();
        m_controller->open(QStringLiteral("record"));
        play();
        m_controller->calls.clear();
        german();
        QCOMPARE(m_controller->calls, QStringList{QStringLiteral("record /somewhere/events.jsonl")});
        // And once more.
        m_controller->open(QStringLiteral("record"));
        english();
        QCOMPARE(m_controller->calls.last(), QStringLiteral("record /somewhere/events.jsonl"));
    }

    void whatWasTypedStays_data() {
        QTest::addColumn<bool>("demo");
        QTest::newRow("at home") << false;
        QTest::newRow("in a demo") << true;
    }
    void whatWasTypedStays() {
        QFETCH(bool, demo);
        m_home->demo = demo;
        end();
        start();
        english();
        m_app->window().showPlace(JobPlace);
        auto *batch = find<QLineEdit>("jobBatch");
        batch->setText(QStringLiteral("96"));
        auto *rate = find<QLineEdit>("jobLearningRate");
        rate->setText(QStringLiteral("nonsense"));
        find<QLineEdit>("jobMomentum")->setText(QStringLiteral("0.25"));
        german();
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("96"));
        QCOMPARE(find<QLineEdit>("jobLearningRate")->text(), QStringLiteral("nonsense"));
        QCOMPARE(find<QLineEdit>("jobMomentum")->text(), QStringLiteral("0,25"));
        QVERIFY(find<QLabel>("jobMomentumReason")->text().isEmpty());
        QVERIFY(find<QWidget>("jobPage")->isVisible());
    }

    void whatWasTypedIsWrittenInTheLanguageOfTheNextStart() {
        find<QLineEdit>("jobMomentum")->setText(QStringLiteral("0.25"));
        find<QLineEdit>("jobBatch")->setText(QStringLiteral("1,024"));
        find<QLineEdit>("jobLearningRate")->setText(QStringLiteral("nonsense"));
        QVERIFY(m_app->window().close());
        setLanguageIn(*m_settings, QStringLiteral("de"));
        end();
        start();
        QCOMPARE(find<QLineEdit>("jobMomentum")->text(), QStringLiteral("0,25"));
        QCOMPARE(find<QLineEdit>("jobBatch")->text(), QStringLiteral("1.024"));
        QCOMPARE(find<QLineEdit>("jobLearningRate")->text(), QStringLiteral("nonsense"));
    }

    void cardsStayWhereTheyWerePut() {
        const QMap<QString, QPointF> places{{m_home->list[1].id, {0.25, 0.75}}};
        find<HomeView>("homeView")->setPlaces(places);
        german();
        QCOMPARE(find<HomeView>("homeView")->places(), places);
        QVERIFY(find<QPushButton>("homeArrange")->isVisible());
    }

    void changesOfThePlanStay() {
        m_controller->problem = RecordedRun::problem();
        m_controller->open(QStringLiteral("run"));
        play();
        m_app->window().showPlace(PlanPlace);
        auto *strip = find<QWidget>("layerStrip");
        strip->setFocus();
        QTest::keyClick(strip, Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(find<QPushButton>("planUndo")->isEnabled());
        german();
        m_controller->open(QStringLiteral("run"));
        play();
        QVERIFY(find<QPushButton>("planUndo")->isEnabled());
        QVERIFY(find<QWidget>("planPage")->isVisible());
    }
};

QTEST_MAIN(WindowLanguageTest)
#include "window_language_test.moc"
