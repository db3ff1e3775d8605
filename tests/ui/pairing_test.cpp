// Pairing in the window: the quiet entry, the dialog from its beginning to each of its ends, and forgetting.
#include <QAbstractItemView>
#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QLineEdit>
#include <QProgressBar>

#include "tests/ui/window_fixture.h"
#include "ui/base/theme.h"
#include "ui/home/pairing_dialog.h"

using namespace hearth;

class PairingTest : public WindowFixture {
    Q_OBJECT

    FakePairing &pairing() const { return m_home->fakePairing; }
    PairingDialog *dialog() const {
        for (auto *each : m_window->findChildren<PairingDialog *>()) {
            if (each->isVisible())
                return each;
        }
        return nullptr;
    }
    template <class Widget>
    Widget *inDialog(const char *name) const {
        auto *found = dialog() ? dialog()->findChild<Widget *>(QLatin1String(name)) : nullptr;
        if (found == nullptr)
            qFatal("no %s in a dialog", name);
        return found;
    }
    void press(const char *name) const { QTest::mouseClick(inDialog<QPushButton>(name), Qt::LeftButton); }
    QString said(const char *name) const { return inDialog<QLabel>(name)->text(); }
    static PairingStatus status(PairingPhase phase) {
        PairingStatus status;
        status.phase = phase;
        status.name = QStringLiteral("nano-1");
        status.fingerprint = QString(64, QLatin1Char('a'));
        status.address = QStringLiteral("10.0.0.2");
        status.secondsLeft = 42;
        if (phase == PairingPhase::Compare || phase == PairingPhase::WaitingForOther)
            status.code = QStringLiteral("012345");
        return status;
    }
    void beginByAddress(const char *address = "10.0.0.2") {
        click("homeAdd");
        find<QLineEdit>("pairAddress")->setText(QString::fromLatin1(address));
        click("pairByAddress");
    }

  private Q_SLOTS:
    void initTestCase() {
        speakEnglish();
        QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0+7"));
    }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        showWindowOfOwnHome();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    }
    void cleanup() { endWindow(); }

    void whoWantsToPairIsOneQuietLine() {
        QVERIFY(!find<QWidget>("wantsToPair")->isVisible());
        auto *focused = m_window->focusWidget();
        pairing().become(status(PairingPhase::WantsToPair));
        QVERIFY(find<QWidget>("wantsToPair")->isVisible());
        QCOMPARE(text("wantsToPairText"), QStringLiteral("“nano-1” wants to pair"));
        QVERIFY(text("wantsToPairDetail").contains(QStringLiteral("10.0.0.2")));
        QCOMPARE(find<QWidget>("wantsToPairAccept")->accessibleName(), QStringLiteral("Pair with nano-1"));
        QCOMPARE(m_window->focusWidget(), focused);
        QVERIFY(!dialog());
        click("wantsToPairIgnore");
        QCOMPARE(pairing().calls, QStringList{QStringLiteral("ignore aaaa")});
        pairing().become(PairingStatus());
        QVERIFY(!find<QWidget>("wantsToPair")->isVisible());
    }

    void whatAStrangerCallsItselfIsPlainText() {
        PairingStatus evil = status(PairingPhase::WantsToPair);
        evil.name = QStringLiteral("<b>you</b><img src=x>");
        pairing().become(evil);
        QCOMPARE(find<QLabel>("wantsToPairText")->textFormat(), Qt::PlainText);
        QVERIFY(text("wantsToPairText").contains(QStringLiteral("<b>you</b>")));
        click("wantsToPairAccept");
        evil.phase = PairingPhase::Compare;
        evil.code = QStringLiteral("000001");
        pairing().become(evil);
        for (const QLabel *label : dialog()->findChildren<QLabel *>())
            QVERIFY2(label->textFormat() == Qt::PlainText, qPrintable(label->objectName()));
        QVERIFY(said("pairingText").contains(QStringLiteral("<img src=x>")));
    }

    void digitsAreComparedAndConfirmed() {
        beginByAddress();
        QCOMPARE(pairing().calls, QStringList{QStringLiteral("start 10.0.0.2:47600")});
        QVERIFY(dialog());
        QVERIFY(dialog()->findChild<QProgressBar *>()->isVisible());
        pairing().become(status(PairingPhase::Asking));
        QVERIFY(said("pairingTitle").contains(QStringLiteral("nano-1")));
        QVERIFY(!inDialog<QWidget>("pairingMatch")->isVisible());
        pairing().become(status(PairingPhase::Compare));
        QCOMPARE(said("pairingDigits").remove(QChar(0x2002)), QStringLiteral("012345"));
        QCOMPARE(inDialog<QLabel>("pairingDigits")->accessibleName(), QStringLiteral("Digits: 0 1 2 3 4 5"));
        QCOMPARE(said("pairingTime"), QStringLiteral("42 seconds left"));
        QVERIFY(said("pairingAllows").contains(QStringLiteral("see the training data")));
        QVERIFY(said("pairingFingerprint").startsWith(QStringLiteral("aaaa aaaa")));
        QVERIFY(inDialog<QLabel>("pairingFingerprint")
                    ->accessibleName()
                    .startsWith(QStringLiteral("Fingerprint of the other device: aaaa aaaa")));
        QVERIFY(inDialog<QLabel>("pairingDigits")->font().pointSizeF() > 2 * titleFont().pointSizeF());
        press("pairingMatch");
        QCOMPARE(pairing().calls.last(), QStringLiteral("match 012345"));
        pairing().become(status(PairingPhase::WaitingForOther));
        QVERIFY(!inDialog<QWidget>("pairingMatch")->isVisible());
        QVERIFY(inDialog<QWidget>("pairingDigits")->isVisible());
        PairingStatus paired = status(PairingPhase::Paired);
        paired.secondsLeft = 0;
        pairing().become(paired);
        QCOMPARE(said("pairingTitle"), QStringLiteral("nano-1 is paired"));
        QVERIFY(!inDialog<QWidget>("pairingDigits")->isVisible());
        press("pairingClose");
        QVERIFY(!dialog());
        QCOMPARE(pairing().calls.last(), QStringLiteral("cancel"));
    }

    void digitsThatDifferAreDenied() {
        beginByAddress();
        pairing().become(status(PairingPhase::Compare));
        press("pairingMismatch");
        QCOMPARE(pairing().calls.last(), QStringLiteral("mismatch 012345"));
        PairingStatus failed = status(PairingPhase::Failed);
        failed.error = Error{QStringLiteral("pairing.mismatch"), QStringLiteral("The digits did not match."),
                             QStringLiteral("Why."), QStringLiteral("Nothing was trusted.")};
        pairing().become(failed);
        QCOMPARE(said("errorWhat"), QStringLiteral("The digits did not match."));
        QCOMPARE(said("errorWhy"), QStringLiteral("Why. Nothing was trusted."));
        QVERIFY(inDialog<QWidget>("pairingError")->isVisible());
        QCOMPARE(inDialog<QPushButton>("pairingClose")->text(), QStringLiteral("Close"));
    }

    void whyItFailedCanBeCopied() {
        beginByAddress();
        PairingStatus failed = status(PairingPhase::Failed);
        failed.error = Error{QStringLiteral("pairing.mismatch"), QStringLiteral("The digits did not match."),
                             QStringLiteral("Why."), QStringLiteral("Nothing was trusted.")};
        pairing().become(failed);
        for (const char *name : {"errorWhat", "errorWhy"})
            QVERIFY(inDialog<QLabel>(name)->textInteractionFlags().testFlag(Qt::TextSelectableByMouse));
        press("copyErrorDetails");
        const QString copied = QApplication::clipboard()->text();
        QVERIFY2(copied.contains(QLatin1String("Nothing was trusted.")) &&
                     copied.contains(QLatin1String("pairing.mismatch")),
                 qPrintable(copied));
        const QRect panel = inDialog<QWidget>("pairingError")->geometry();
        QVERIFY(dialog()->rect().contains(panel));
        // The dialog has its own, and without the reason it would say nothing.
        QVERIFY(!dialog()->findChild<QPushButton *>(QStringLiteral("closeError")));
    }

    void anAttemptThatIsGoneIsOver_data() {
        QTest::addColumn<bool>("incoming");
        QTest::addColumn<QString>("said");
        QTest::newRow("begun there") << true << QStringLiteral("The other device has given up.");
        QTest::newRow("begun here") << false << QStringLiteral("The pairing was cancelled.");
    }
    void anAttemptThatIsGoneIsOver() {
        QFETCH(bool, incoming);
        QFETCH(QString, said);
        beginByAddress();
        // What is told late of the attempt before is no end of this one.
        pairing().become(PairingStatus());
        QVERIFY(!inDialog<QWidget>("pairingError")->isVisible());
        PairingStatus asking = status(PairingPhase::Asking);
        asking.incoming = incoming;
        pairing().become(asking);
        pairing().become(PairingStatus());
        QVERIFY(inDialog<QWidget>("pairingError")->isVisible());
        QCOMPARE(this->said("errorWhat"), said);
        QCOMPARE(inDialog<QPushButton>("pairingClose")->text(), QStringLiteral("Close"));
    }

    void aNewAttemptIsNotCancelledByTheEndOfTheOneBefore() {
        beginByAddress();
        pairing().become(status(PairingPhase::Failed));
        find<QLineEdit>("pairAddress")->setText(QStringLiteral("10.0.0.3"));
        click("pairByAddress");
        QCOMPARE(pairing().calls.last(), QStringLiteral("start 10.0.0.3:47600"));
    }

    void neitherAnswerIsGivenByEnter() {
        beginByAddress();
        pairing().become(status(PairingPhase::Compare));
        const auto before = pairing().calls;
        QTest::keyClick(dialog(), Qt::Key_Return);
        QCOMPARE(pairing().calls, before);
    }

    void escapeCancels() {
        beginByAddress();
        pairing().become(status(PairingPhase::Compare));
        QTest::keyClick(dialog(), Qt::Key_Escape);
        QVERIFY(!dialog());
        QCOMPARE(pairing().calls.last(), QStringLiteral("cancel"));
    }

    void theDeviceThatWaitsIsTaken() {
        pairing().become(status(PairingPhase::WantsToPair));
        click("wantsToPairAccept");
        QCOMPARE(pairing().calls, QStringList{QStringLiteral("accept aaaa")});
        QVERIFY(dialog());
        PairingStatus compare = status(PairingPhase::Compare);
        compare.incoming = true;
        pairing().become(compare);
        QVERIFY(inDialog<QWidget>("pairingMatch")->isVisible());
        // It leaves before anybody has answered.
        pairing().become(PairingStatus());
        QVERIFY(said("errorWhat").contains(QStringLiteral("given up")));
    }

    void whatTheAgentRefusesIsToldInPlace() {
        beginByAddress();
        pairing().fail({QStringLiteral("pairing.wait"), QStringLiteral("Pairing pauses for 8 s."), {}, {}});
        QCOMPARE(said("errorWhat"), QStringLiteral("Pairing pauses for 8 s."));
        QVERIFY(!inDialog<QWidget>("errorWhy")->isVisible());
        press("pairingClose");
        pairing().fail({QStringLiteral("x.y"), QStringLiteral("It cannot be forgotten."), {}, {}});
        QCOMPARE(text("errorWhat"), QStringLiteral("It cannot be forgotten."));
    }

    void anAttemptOfSomebodyElseIsNeitherShownNorCancelled() {
        FakePairing control;
        control.now = status(PairingPhase::Compare);  // as “hearth pair” in a terminal has it
        PairingDialog shown(control);
        shown.show();
        QVERIFY(!shown.findChild<QLabel *>(QStringLiteral("pairingDigits"))->isVisible());
        QVERIFY(!shown.findChild<QPushButton *>(QStringLiteral("pairingMatch"))->isVisible());
        control.fail({QStringLiteral("pairing.active"), QStringLiteral("Another pairing is under way here."), {}, {}});
        QCOMPARE(shown.findChild<QLabel *>(QStringLiteral("errorWhat"))->text(),
                 QStringLiteral("Another pairing is under way here."));
        QTest::mouseClick(shown.findChild<QPushButton *>(QStringLiteral("pairingClose")), Qt::LeftButton);
        QVERIFY(!shown.isVisible());
        QCOMPARE(control.calls, QStringList());
    }

    void aDeviceThatWasFoundNearbyIsDialledAtAllItsAddresses() {
        NearbyDevice device;
        device.prefix = QStringLiteral("0011223344556677");
        device.name = QStringLiteral("nano-1");
        device.addresses = {QStringLiteral("10.0.0.2:47600"), QStringLiteral("[fd00::2]:47600")};
        Nearby nearby;
        nearby.devices = {device};
        m_home->setNearby(nearby);
        click("pairNearby-0011223344556677");
        QCOMPARE(pairing().calls, QStringList{QStringLiteral("start 0011223344556677 10.0.0.2:47600 [fd00::2]:47600")});
        QVERIFY(dialog());
    }

    void aWrongAddressIsMarkedWhereItStands() {
        beginByAddress("nano 1:x");
        QVERIFY(pairing().calls.isEmpty());
        QVERIFY(!dialog());
        QVERIFY(text("pairSaid").contains(QStringLiteral("is not an address")));
        find<QLineEdit>("pairAddress")->setText(QStringLiteral("fe80::1"));
        QVERIFY(text("pairSaid").isEmpty());
        click("pairByAddress");
        QCOMPARE(pairing().calls, QStringList{QStringLiteral("start [fe80::1]:47600")});
    }

    void everythingIsReachedByKeyboard() {
        beginByAddress();
        pairing().become(status(PairingPhase::Compare));
        QStringList reached;
        for (int i = 0; i < 6; ++i) {
            QTest::keyClick(dialog()->focusWidget() ? dialog()->focusWidget() : dialog(), Qt::Key_Tab);
            if (dialog()->focusWidget())
                reached << dialog()->focusWidget()->objectName();
        }
        for (const char *name : {"pairingMatch", "pairingMismatch", "pairingClose"})
            QVERIFY2(reached.contains(QLatin1String(name)), name);
    }

    void aDeviceIsForgottenAfterAQuestion() {
        find<QWidget>("homePage");
        click("showList");
        auto *table = find<QAbstractItemView>("deviceTable");
        table->setCurrentIndex(table->model()->index(0, 0));
        QVERIFY(!find<QWidget>("detailForget")->isVisible());  // this computer
        table->setCurrentIndex(table->model()->index(1, 0));
        QVERIFY(find<QWidget>("detailForget")->isVisible());
        click("detailForget");
        QCOMPARE(m_questions->askedToForget, QStringList{m_home->list[1].name});
        QVERIFY(pairing().calls.isEmpty());
        m_questions->forgets = true;
        click("detailForget");
        QCOMPARE(pairing().calls, QStringList{QStringLiteral("forget ") + m_home->list[1].id});
    }

    void whereTheAgentIsGoneOrOlderHearthCanBeInstalledOnceMore() {
        DeviceInfo &other = m_home->list[1];
        other.version = QStringLiteral("0.1.0+7");
        other.state = DeviceState::Ready;
        Q_EMIT m_home->devicesChanged();
        click("showList");
        auto *table = find<QAbstractItemView>("deviceTable");
        table->setCurrentIndex(table->model()->index(1, 0));
        QVERIFY(!find<QWidget>("detailInstall")->isVisible());
        other.version = QStringLiteral("0.1.0+6");
        Q_EMIT m_home->devicesChanged();
        QCOMPARE(find<QPushButton>("detailInstall")->text(), QStringLiteral("Update …"));
        other.version.clear();
        other.state = DeviceState::Lost;
        other.address = QStringLiteral("[fd00::5]:47600");
        Q_EMIT m_home->devicesChanged();
        QCOMPARE(find<QPushButton>("detailInstall")->text(), QStringLiteral("Install again …"));
        click("detailInstall");
        QCOMPARE(find<QLineEdit>("installHost")->text(), QStringLiteral("[fd00::5]"));
        find<QDialog>("installDialog")->close();
    }

    void aDemoHomeIsWholeAsItIs() {
        m_home->demo = true;
        Q_EMIT m_home->devicesChanged();
        click("showList");
        auto *table = find<QAbstractItemView>("deviceTable");
        table->setCurrentIndex(table->model()->index(1, 0));
        QVERIFY(!find<QWidget>("detailForget")->isVisible());
    }
};

QTEST_MAIN(PairingTest)
#include "pairing_test.moc"
