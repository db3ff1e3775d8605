// Computers found in the network, in the wizard that installs: listed as they come and go, chosen, and never believed.
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <chrono>

#include "tests/core/base/patience.h"
#include "tests/ui/active_window.h"
#include "tests/ui/clipped_texts.h"
#include "tests/ui/fake_installation.h"
#include "ui/home/computer_look.h"
#include "ui/home/install_dialog.h"

using namespace hearth;

class InstallFoundTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() {
        m_language = std::make_unique<Language>(QLocale(QLocale::English));
        qputenv("USER", "anna");
    }
    void cleanupTestCase() { m_language.reset(); }

    void init() {
        m_home = std::make_unique<InstallingHome>();
        m_home->demo = false;
        m_home->around.status.state = DiscoveryState::Running;
        m_questions = std::make_unique<FakeQuestions>();
        m_dialog = std::make_unique<InstallDialog>(*m_home, *m_questions);
        QVERIFY(showActive(*m_dialog));
    }

    void cleanup() {
        m_dialog.reset();
        m_questions.reset();
        m_home.reset();
    }

    void whereNobodyIsFoundItSaysWhy_data() {
        QTest::addColumn<DiscoveryState>("state");
        QTest::addColumn<ComputerSearch>("search");
        QTest::addColumn<QString>("said");
        const auto row = [](const char *name, DiscoveryState state, ComputerSearch search, const char *said) {
            QTest::newRow(name) << state << search << QString::fromUtf8(said);
        };
        row("nobody has answered yet", DiscoveryState::Running, ComputerSearch::Looking, "Looking for computers …");
        row("nobody there", DiscoveryState::Running, ComputerSearch::Looked,
            "No computer here announces SSH. Type its address below.");
        row("an agent that does not look", DiscoveryState::Running, ComputerSearch::Impossible,
            "Type its address below.");
        row("no Avahi", DiscoveryState::Absent, ComputerSearch::Looked,
            "Can't look for devices: network discovery (Avahi) is off.");
        row("turned off", DiscoveryState::Off, ComputerSearch::Looked,
            "Not looking for devices: discovery is turned off in the agent of this computer.");
    }
    void whereNobodyIsFoundItSaysWhy() {
        QFETCH(DiscoveryState, state);
        QFETCH(ComputerSearch, search);
        QFETCH(QString, said);
        m_home->search = search;
        Nearby around;
        around.status.state = state;
        m_home->setNearby(around);
        QVERIFY(!list()->isVisible());
        QVERIFY(find<QLabel>("foundNoComputers")->isVisible());
        QCOMPARE(find<QLabel>("foundNoComputers")->text(), said);
    }

    void computersAreListedAsTheyComeAndGo() {
        tell({foundComputer(QStringLiteral("nano-1"), QStringLiteral("192.168.1.7"))});
        QVERIFY(list()->isVisible());
        QVERIFY(!find<QLabel>("foundNoComputers")->isVisible());
        QCOMPARE(lines(), QStringList{QStringLiteral("nano-1 · 192.168.1.7")});
        FoundComputer known = foundComputer(QStringLiteral("laptop"), QStringLiteral("192.168.1.8"));
        known.hasHearth = true;
        FoundComputer silent = foundComputer(QStringLiteral("tower"), QStringLiteral("192.168.1.9"));
        silent.sshPort = 0;
        tell({silent, known});
        QCOMPARE(lines(), (QStringList{QStringLiteral("tower · 192.168.1.9 · does not announce SSH"),
                                       QStringLiteral("laptop · 192.168.1.8 · has Hearth")}));
        tell({});
        QVERIFY(!list()->isVisible());
    }

    void theListStaysWhereItWasScrolledTo() {
        std::vector<FoundComputer> many;
        for (int i = 10; i < 40; ++i)
            many.push_back(foundComputer(QStringLiteral("nano-%1").arg(i), QStringLiteral("192.168.1.%1").arg(i)));
        tell(many);
        auto *bar = list()->verticalScrollBar();
        const int place = bar->maximum() / 2;
        QVERIFY(place > 0);
        bar->setValue(place);
        many.push_back(foundComputer(QStringLiteral("nano-40"), QStringLiteral("192.168.1.40")));
        tell(many);
        QCOMPARE(list()->count(), 31);
        QCOMPARE(bar->value(), place);
    }

    void whatStandsBelowTheListDoesNotMove_data() {
        QTest::addColumn<int>("computers");
        for (const int computers : {1, 3, 30})
            QTest::addRow("%d", computers) << computers;
    }
    void whatStandsBelowTheListDoesNotMove() {
        QFETCH(int, computers);
        const auto place = [this] {
            QCoreApplication::sendPostedEvents();
            return find<QLineEdit>("installHost")->mapTo(m_dialog.get(), QPoint());
        };
        const QPoint before = place();
        std::vector<FoundComputer> many;
        for (int i = 0; i < computers; ++i)
            many.push_back(foundComputer(QStringLiteral("nano-%1").arg(i), QStringLiteral("192.168.1.%1").arg(i + 1)));
        tell(many);
        QCOMPARE(place(), before);
        QVERIFY(list()->isVisible());
    }

    void oneIsChosenByTheKeyboard() {
        tell({foundComputer(QStringLiteral("nano-1"), QStringLiteral("192.168.1.7")),
              foundComputer(QStringLiteral("nano-2"), QStringLiteral("192.168.1.8"))});
        QVERIFY(find<QLineEdit>("installHost")->hasFocus());
        list()->setFocus(Qt::BacktabFocusReason);
        QVERIFY2(host().isEmpty(), "who only passes by chooses nothing");
        QTest::keyClick(list(), Qt::Key_Down);
        QCOMPARE(host(), QStringLiteral("anna@192.168.1.7"));
        QTest::keyClick(list(), Qt::Key_Down);
        QCOMPARE(host(), QStringLiteral("anna@192.168.1.8"));
        find<QLineEdit>("installHost")->clear();
        QTest::keyClick(list(), Qt::Key_Return);
        QCOMPARE(host(), QStringLiteral("anna@192.168.1.8"));
        QVERIFY(find<QPushButton>("installGo")->isEnabled());
        QVERIFY2(m_home->installation == nullptr, "choosing does not begin");
    }

    void whereItListensIsFilledIn_data() {
        QTest::addColumn<QString>("address");
        QTest::addColumn<quint16>("port");
        QTest::addColumn<QString>("place");
        QTest::newRow("as usual") << QStringLiteral("192.168.1.7") << quint16(22) << QStringLiteral("192.168.1.7");
        QTest::newRow("another port") << QStringLiteral("192.168.1.7") << quint16(2222)
                                      << QStringLiteral("192.168.1.7:2222");
        QTest::newRow("SSH unknown") << QStringLiteral("192.168.1.7") << quint16(0) << QStringLiteral("192.168.1.7");
        QTest::newRow("IPv6") << QStringLiteral("fe80::1%eth0") << quint16(2222)
                              << QStringLiteral("[fe80::1%eth0]:2222");
    }
    void whereItListensIsFilledIn() {
        QFETCH(QString, address);
        QFETCH(quint16, port);
        QFETCH(QString, place);
        FoundComputer computer = foundComputer(QStringLiteral("nano-1"), address);
        computer.sshPort = port;
        tell({computer});
        clickLine(0);
        QCOMPARE(host(), QStringLiteral("anna@") + place);
        click("installGo");
        QCOMPARE(m_home->request.target.toString(), host());
    }

    void whoWasTypedStays() {
        tell({foundComputer(QStringLiteral("nano-1"), QStringLiteral("192.168.1.7"))});
        find<QLineEdit>("installHost")->setText(QStringLiteral("bob@somewhere"));
        clickLine(0);
        QCOMPARE(host(), QStringLiteral("bob@192.168.1.7"));
    }

    void whatIsTypedOutlastsTheList() {
        const FoundComputer one = foundComputer(QStringLiteral("nano-1"), QStringLiteral("192.168.1.7"));
        const FoundComputer two = foundComputer(QStringLiteral("nano-2"), QStringLiteral("192.168.1.8"));
        tell({two});
        clickLine(0);
        find<QLineEdit>("installHost")->setText(QStringLiteral("bob@elsewhere"));
        tell({one, two});
        QCOMPARE(list()->selectedItems().size(), 1);
        QCOMPARE(list()->row(list()->selectedItems().first()), 1);
        QCOMPARE(host(), QStringLiteral("bob@elsewhere"));
        tell({one});
        QVERIFY(list()->selectedItems().isEmpty());
        QCOMPARE(host(), QStringLiteral("bob@elsewhere"));
    }

    void namesAreTextAndNothingElse_data() {
        QTest::addColumn<QString>("name");
        for (const char *name : {"<b>nano</b><img src=x>", "-oProxyCommand=touch /tmp/x", "&File", "%1 %2 %n", "a@b:22",
                                 "`reboot`; $(reboot)"})
            QTest::newRow(name) << QString::fromLatin1(name);
        QTest::newRow("long") << QString(256, QLatin1Char('m'));
    }
    void namesAreTextAndNothingElse() {
        QFETCH(QString, name);
        const int width = m_dialog->width();
        tell({foundComputer(name, QStringLiteral("192.168.1.7"))});
        QCOMPARE(lines(), QStringList{name + QStringLiteral(" · 192.168.1.7")});
        QVERIFY(list()->item(0)->toolTip().isEmpty());
        clickLine(0);
        click("installGo");
        QCOMPARE(m_home->request.target.toString(), QStringLiteral("anna@192.168.1.7"));
        QCOMPARE(m_dialog->width(), width);
    }

    void theNetworkIsLookedAtAsSoonAsTheListIsSeen() {
        QCOMPARE(m_home->looks, 1);
        m_dialog->hide();
        m_dialog->show();
        QCOMPARE(m_home->looks, 2);
    }

    void itIsLookedAtAgainWhileSomebodySeesWhatIsFound() {
        using namespace std::chrono_literals;
        FakeHomeSource home;
        QWidget place;
        new ComputerLook(home, &place, 1ms);
        QCOMPARE(home.looks, 0);
        place.show();
        QTRY_VERIFY_WITH_TIMEOUT(home.looks > 3, patience);
        place.hide();
        const int before = home.looks;
        // In which it would have asked some times.
        QTimer later;
        const QSignalSpy ticks(&later, &QTimer::timeout);
        later.start(1ms);
        QTRY_VERIFY_WITH_TIMEOUT(ticks.size() > 3, patience);
        QCOMPARE(home.looks, before);
        place.show();
        QTRY_VERIFY_WITH_TIMEOUT(home.looks > before + 3, patience);
    }

    void itFitsASmallWindowInGerman() {
        const Language german(QLocale(QLocale::German, QLocale::Germany));
        std::vector<FoundComputer> many;
        for (int i = 10; i < 40; ++i) {
            many.push_back(
                foundComputer(QStringLiteral("der-alte-Spielerechner-meines-Bruders-unter-der-Treppe-%1").arg(i),
                              QStringLiteral("192.168.1.%1").arg(i)));
        }
        tell(many);
        m_dialog = std::make_unique<InstallDialog>(*m_home, *m_questions);
        m_dialog->show();
        const auto check = [this] {
            const QStringList clipped = clippedTexts(*m_dialog);
            QVERIFY2(clipped.isEmpty(), qPrintable(clipped.join(QLatin1Char('\n'))));
            QVERIFY2(m_dialog->width() <= 1024 && m_dialog->height() <= 640,
                     qPrintable(QStringLiteral("%1 x %2").arg(m_dialog->width()).arg(m_dialog->height())));
        };
        check();
        QVERIFY(list()->isVisible());
        click("installAdvanced");
        QVERIFY(!list()->isVisible());
        check();
        click("installAdvanced");
        QVERIFY(list()->isVisible());
    }

  private:
    template <class Widget>
    Widget *find(const char *name) const {
        auto *widget = m_dialog->findChild<Widget *>(QLatin1String(name));
        if (widget == nullptr)
            qFatal("no widget is called %s", name);
        return widget;
    }
    void click(const char *name) const { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    QListWidget *list() const { return find<QListWidget>("foundComputers"); }
    void clickLine(int row) const {
        QTest::mouseClick(list()->viewport(), Qt::LeftButton, {}, list()->visualItemRect(list()->item(row)).center());
    }
    QString host() const { return find<QLineEdit>("installHost")->text(); }
    QStringList lines() const {
        QStringList texts;
        for (int row = 0; row < list()->count(); ++row)
            texts << list()->item(row)->text();
        return texts;
    }
    void tell(const std::vector<FoundComputer> &computers) const {
        Nearby around = m_home->around;
        around.computers = computers;
        m_home->setNearby(around);
    }

    std::unique_ptr<Language> m_language;
    std::unique_ptr<InstallingHome> m_home;
    std::unique_ptr<FakeQuestions> m_questions;
    std::unique_ptr<InstallDialog> m_dialog;
};

QTEST_MAIN(InstallFoundTest)
#include "install_found_test.moc"
