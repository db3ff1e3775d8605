// "Found nearby" on Home, and the assistant that says why a device cannot be seen.
#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLabel>
#include <QSignalSpy>
#include <QToolTip>
#include <algorithm>

#include "tests/ui/window_fixture.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/home/assistant_dialog.h"
#include "ui/home/nearby_list.h"
#include "ui/home/nearby_view.h"
#include "ui/words/moment.h"

using namespace hearth;

namespace {

NearbyDevice device(int number, NearbyState state = NearbyState::Found) {
    NearbyDevice device;
    device.prefix = QStringLiteral("%1").arg(number, 16, 16, QLatin1Char('0'));
    device.name = QStringLiteral("nano-%1").arg(number);
    device.addresses = {QStringLiteral("192.168.1.%1:47600").arg(number)};
    device.hosts = {device.name + QStringLiteral(".local")};
    device.version = 1;
    device.state = state;
    device.since = 1'000'000;
    return device;
}

Nearby nearby(std::vector<NearbyDevice> devices) {
    Nearby result{std::move(devices), {}};
    result.status.state = DiscoveryState::Running;
    return result;
}

}  // namespace

class NearbyTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() { showWindowOfOwnHome(); }
    void cleanup() { endWindow(); }

    void theModelFollowsTheNetworkRowByRow() {
        NearbyList list(*m_home);
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        QSignalSpy resets(&list, &QAbstractItemModel::modelReset);
        m_home->setNearby(nearby({device(1), device(2), device(3)}));
        QCOMPARE(names(list), QStringLiteral("nano-1 nano-2 nano-3"));
        m_home->setNearby(nearby({device(3), device(1), device(4)}));
        QCOMPARE(names(list), QStringLiteral("nano-3 nano-1 nano-4"));
        QSignalSpy changed(&list, &QAbstractItemModel::dataChanged);
        NearbyDevice renamed = device(1);
        renamed.name = QStringLiteral("kitchen");
        m_home->setNearby(nearby({device(3), renamed, device(4)}));
        QCOMPARE(names(list), QStringLiteral("nano-3 kitchen nano-4"));
        QCOMPARE(changed.size(), 1);
        m_home->setNearby(nearby({}));
        QCOMPARE(list.rowCount(), 0);
        QVERIFY(resets.isEmpty());
    }

    void devicesOfTheHomeAreNotFoundNearby() {
        NearbyList list(*m_home);
        m_home->setNearby(nearby({device(1, NearbyState::Paired), device(2)}));
        QCOMPARE(names(list), QStringLiteral("nano-2"));
    }

    void whatIsIgnoredIsNotShownAndCanBeTakenBack() {
        m_home->setNearby(nearby({device(1), device(2)}));
        QVERIFY(!find<QWidget>("openIgnored")->isVisible());
        click("ignoreNearby-0000000000000002");
        QCOMPARE(m_home->fakePairing.calls.last(), QStringLiteral("ignore 0000"));
        Nearby after = nearby({device(1), device(2, NearbyState::Ignored)});
        after.ignored = {{device(2).prefix, QStringLiteral("<b>nano-2"), 1'000'000}};
        m_home->setNearby(after);
        QVERIFY(m_window->findChild<QWidget *>(QStringLiteral("ignoreNearby-0000000000000002")) == nullptr ||
                !find<QWidget>("ignoreNearby-0000000000000002")->isVisible());
        QVERIFY(find<QWidget>("openIgnored")->isVisible());
        click("openIgnored");
        auto *dialog = find<QDialog>("ignoredDialog");
        QVERIFY(std::ranges::any_of(dialog->findChildren<QLabel *>(), [](const QLabel *label) {
            return label->accessibleName() == QStringLiteral("<b>nano-2") && label->textFormat() == Qt::PlainText;
        }));
        click("unignore-0000000000000002");
        QCOMPARE(m_home->fakePairing.calls.last(), QStringLiteral("unignore 0000"));
        m_home->setNearby(nearby({device(1), device(2)}));
        QVERIFY(dialog->findChild<QWidget *>(QStringLiteral("unignore-0000000000000002")) == nullptr ||
                !find<QWidget>("unignore-0000000000000002")->isVisible());
        QVERIFY(!find<QWidget>("openIgnored")->isVisible());
        QVERIFY(text("ignoredIntro").contains(QStringLiteral("No device")));
        click("closeIgnored");
        QVERIFY(!dialog->isVisible());
    }

    void whatIsOddIsSaid() {
        NearbyDevice clone = device(1, NearbyState::Clone);
        clone.hosts << QStringLiteral("evil.local");
        NearbyDevice later = device(2);
        later.version = 7;
        NearbyDevice nameless = device(3);
        nameless.name.clear();
        NearbyList list(*m_home);
        m_home->setNearby(nearby({clone, later, nameless}));
        QVERIFY(list.isOdd(0) && list.isOdd(1) && !list.isOdd(2));
        QVERIFY(
            list.index(0).data(NearbyList::NoteRole).toString().contains(QStringLiteral("nano-1.local, evil.local")));
        QVERIFY(list.index(1).data(NearbyList::NoteRole).toString().contains(QStringLiteral("another version")));
        QVERIFY(!list.index(2).data().toString().isEmpty());
    }

    void sinceWhenIsToldWithItsDayUnlessItIsThisOne() {
        const QDateTime now(QDate(2026, 11, 22), QTime(18, 0));
        QCOMPARE(plain(formatMoment(QDateTime(QDate(2026, 11, 22), QTime(14, 3)), now)), QStringLiteral("2:03 PM"));
        const QString yesterday = plain(formatMoment(QDateTime(QDate(2026, 11, 21), QTime(14, 3)), now));
        QVERIFY2(yesterday.contains(QStringLiteral("11/21/26")) && yesterday.contains(QStringLiteral("2:03 PM")),
                 qPrintable(yesterday));
    }

    void aDemoHomeLooksForNobody() {
        m_home->demo = true;
        Q_EMIT m_home->demoChanged();
        Q_EMIT m_home->devicesChanged();
        QVERIFY(!find<QWidget>("nearbyView")->isVisible());
    }

    void whereNobodyIsFoundItSaysWhy() {
        QVERIFY(find<QWidget>("nearbyEmpty")->isVisible());
        Nearby absent = nearby({});
        absent.status.state = DiscoveryState::Absent;
        m_home->setNearby(absent);
        QVERIFY(text("nearbyEmpty").contains(QStringLiteral("Avahi")));
        m_home->setNearby(nearby({device(1)}));
        QVERIFY(!find<QWidget>("nearbyEmpty")->isVisible());
        QVERIFY(find<QPushButton>("openAssistant")->isVisible());
    }

    void namesAreNeverMarkup() {
        NearbyDevice marked = device(1);
        marked.name = QStringLiteral("<img src=x>");
        m_home->setNearby(nearby({marked}));
        int shown = 0;
        for (const QLabel *label : find<QWidget>("nearbyView")->findChildren<QLabel *>()) {
            if (!label->accessibleName().contains(marked.name))
                continue;
            ++shown;
            QCOMPARE(label->textFormat(), Qt::PlainText);
            QToolTip::showText({}, label->toolTip());
            const QWidgetList windows = QApplication::topLevelWidgets();
            const auto tip =
                std::ranges::find_if(windows, [](const QWidget *each) { return each->inherits("QTipLabel"); });
            QVERIFY(tip != windows.end());
            const auto *tipLabel = qobject_cast<QLabel *>(*tip);
            QVERIFY(tipLabel->text().contains(marked.name));
            QCOMPARE(tipLabel->textFormat(), Qt::PlainText);
        }
        QCOMPARE(shown, 1);
    }

    void aDeviceHasTheButtonsThatAreOffered() {
        auto *view = find<NearbyView>("nearbyView");
        QSignalSpy pair(view, &NearbyView::pairRequested);
        QSignalSpy ignore(view, &NearbyView::ignoreRequested);
        m_home->setNearby(nearby({device(1), device(2)}));
        view->offer({});
        QVERIFY(!find<QPushButton>("pairNearby-0000000000000002")->isVisible());
        view->offer(NearbyView::Pair | NearbyView::Ignore);
        click("pairNearby-0000000000000002");
        click("ignoreNearby-0000000000000001");
        QCOMPARE(pair.first().first().toString(), device(2).prefix);
        QCOMPARE(ignore.first().first().toString(), device(1).prefix);
    }

    void computersThatOfferSshAreOneLine() {
        Nearby around = nearby({});
        for (const char *name : {"tower", "laptop", "nas", "tv"})
            around.computers.push_back(foundComputer(QString::fromLatin1(name), QStringLiteral("192.168.1.7")));
        around.computers[2].sshPort = 0;
        around.computers[3].hasHearth = true;
        m_home->setNearby(around);
        QVERIFY2(find<ElidedLabel>("nearbyComputers")->fullText().startsWith(QStringLiteral("2 computer")),
                 qPrintable(find<ElidedLabel>("nearbyComputers")->fullText()));
        QVERIFY(find<QWidget>("nearbyEmpty")->isVisible());
        click("installNearby");
        auto *dialog = find<QDialog>("installDialog");
        QVERIFY(dialog->isVisible());
        dialog->close();
        m_home->setNearby(nearby({device(1)}));
        QVERIFY(!find<QWidget>("installNearby")->isVisible());
    }

    void computersAreLookedForAsSoonAsHomeIsSeen() {
        const int looks = m_home->looks;
        QVERIFY(looks > 0);
        m_window->showPlace(JobPlace);
        QCOMPARE(m_home->looks, looks);
        m_window->showPlace(HomePlace);
        QCOMPARE(m_home->looks, looks + 1);
    }

    void theAssistantTellsWhatIsFoundAsItComes() {
        click("openAssistant");
        auto *assistant = m_window->findChild<AssistantDialog *>();
        QVERIFY(assistant);
        QCOMPARE(m_home->calls, QStringList{QStringLiteral("diagnose")});
        auto *again = assistant->findChild<QPushButton *>(QStringLiteral("lookAgain"));
        QVERIFY(!again->isEnabled());
        m_home->tell({QStringLiteral("avahi"), QStringLiteral("Avahi daemon"), Verdict::Pending, {}, {}, {}});
        m_home->tell({QStringLiteral("vpn"), QStringLiteral("VPN"), Verdict::Pending, {}, {}, {}});
        QVERIFY(assistant->details().contains(QStringLiteral("Looking …")));
        m_home->tell(
            {QStringLiteral("vpn"), QStringLiteral("VPN"), Verdict::Ok, QStringLiteral("No VPN is on."), {}, {}});
        m_home->tell({QStringLiteral("avahi"), QStringLiteral("Avahi daemon"), Verdict::Bad,
                      QStringLiteral("It is not installed."), QStringLiteral("Install it."),
                      QStringLiteral("sudo apt install avahi-daemon")});
        m_home->endDiagnosis();
        QVERIFY(again->isEnabled());
        QCOMPARE(assistant->findChild<QLabel *>(QStringLiteral("assistantSaid"))->text(),
                 QStringLiteral("1 problem found. Its fix is below."));
        assistant->findChild<QPushButton *>(QStringLiteral("copyFindings"))->click();
        QCOMPARE(QApplication::clipboard()->text(),
                 QStringLiteral("1 problem found. Its fix is below.\n"
                                "Avahi daemon (Problem): It is not installed. Install it.\n"
                                "    sudo apt install avahi-daemon\n"
                                "VPN (All right): No VPN is on."));
        again->click();
        QCOMPARE(m_home->calls.size(), 2);
        QVERIFY(!assistant->details().contains(QStringLiteral("VPN")));
        assistant->findChild<QPushButton *>(QStringLiteral("closeAssistant"))->click();
        QVERIFY(!assistant->isVisible());
    }

    void anAssistantThatCannotLookSaysSo() {
        click("openAssistant");
        Q_EMIT m_home->failed({QStringLiteral("x"), QStringLiteral("The agent is gone."), {}, {}});
        auto *assistant = m_window->findChild<AssistantDialog *>();
        QVERIFY(assistant->details().contains(QStringLiteral("The agent is gone.")));
        QVERIFY(assistant->findChild<QPushButton *>(QStringLiteral("lookAgain"))->isEnabled());
    }

  private:
    static QString names(const NearbyList &list) {
        QStringList names;
        for (int row = 0; row < list.rowCount(); ++row)
            names << list.index(row).data().toString();
        return names.join(QLatin1Char(' '));
    }
};

QTEST_MAIN(NearbyTest)
#include "nearby_test.moc"
