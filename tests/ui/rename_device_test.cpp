// Giving a device another name, in its details.
#include <QKeyEvent>
#include <QLineEdit>
#include <QTest>

#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/widgets.h"
#include "ui/home/home_view.h"
#include "ui/train/train_devices.h"

using namespace hearth;

class RenameDeviceTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        showWindowOfOwnHome();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        find<HomeView>("homeView")->select(device(1).id);
    }
    void cleanup() { endWindow(); }

    void aNameIsChangedWhereItStands() {
        click("renameDevice");
        auto *field = find<QLineEdit>("detailNameField");
        QVERIFY(field->isVisible() && field->hasFocus());
        QCOMPARE(field->text(), device(1).name);
        QCOMPARE(field->selectedText(), device(1).name);
        QVERIFY(!find<QLabel>("detailName")->isVisible());
        QTest::keyClicks(field, QStringLiteral(" Kitchen "));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_home->calls, QStringList{QStringLiteral("rename %1 Kitchen").arg(device(1).id.left(4))});
        QVERIFY(!field->isVisible());
        QCOMPARE(text("detailName"), QStringLiteral("Kitchen"));
        QVERIFY(find<QPushButton>("renameDevice")->hasFocus());
    }

    void f2BeginsAndEscapeGivesUp() {
        find<HomeView>("homeView")->setFocus();
        QTest::keyClick(m_window.get(), Qt::Key_F2);
        auto *field = find<QLineEdit>("detailNameField");
        QVERIFY(field->isVisible() && field->hasFocus());
        QTest::keyClicks(field, QStringLiteral("Hall"));
        QTest::keyClick(field, Qt::Key_Escape);
        QVERIFY(!field->isVisible());
        QVERIFY(m_home->calls.isEmpty());
        QCOMPARE(text("detailName"), device(1).name);
    }

    void whatHappensToTheHomeMeanwhileLeavesTheTextAlone() {
        click("renameDevice");
        auto *field = find<QLineEdit>("detailNameField");
        QTest::keyClicks(field, QStringLiteral("Hall"));
        Q_EMIT m_home->devicesChanged();
        QCOMPARE(field->text(), QStringLiteral("Hall"));
        QVERIFY(field->isVisible());
        // Another device has a name of its own.
        find<HomeView>("homeView")->select(device(0).id);
        QVERIFY(!field->isVisible());
        QCOMPARE(text("detailName"), device(0).name);
        QVERIFY(m_home->calls.isEmpty());
    }

    void leavingTheFieldGivesUp() {
        click("renameDevice");
        auto *field = find<QLineEdit>("detailNameField");
        QTest::keyClicks(field, QStringLiteral("Hall"));
        find<QPushButton>("closeDetail")->setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(!field->isVisible(), patience);
        QVERIFY(m_home->calls.isEmpty());
    }

    void theTrainPageCallsItByItsNewName() {
        m_home->rename(device(1).id, QStringLiteral("Kitchen"));
        QStringList said;
        for (const auto *label : find<DeviceTile>("tile-Kitchen")->findChildren<ElidedLabel *>())
            said << label->fullText();
        QVERIFY2(said.contains(QStringLiteral("Kitchen")), qPrintable(said.join(QLatin1Char('\n'))));
    }

    void theSameNameIsNoChange() {
        click("renameDevice");
        QTest::keyClick(find<QLineEdit>("detailNameField"), Qt::Key_Return);
        QVERIFY(m_home->calls.isEmpty());
    }

    void aNameThatCannotBeIsMarked_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("tells");
        QTest::newRow("none") << QString() << QStringLiteral("1 to 64 printable");
        QTest::newRow("a key") << QString(64, QLatin1Char('a')) << QStringLiteral("cannot look like a fingerprint");
        QTest::newRow("that of another device") << QStringLiteral("LOCAL-1") << QStringLiteral("has this name already");
    }

    void aNameThatCannotBeIsMarked() {
        QFETCH(QString, name);
        QFETCH(QString, tells);
        click("renameDevice");
        auto *field = find<QLineEdit>("detailNameField");
        field->setText(name);
        QTest::keyClick(field, Qt::Key_Return);
        QVERIFY(field->isVisible());
        QVERIFY(find<QLabel>("detailNameWrong")->isVisible());
        QVERIFY2(text("detailNameWrong").contains(tells), qPrintable(text("detailNameWrong")));
        QVERIFY(m_home->calls.isEmpty());
        // Whatever is typed next is another name.
        if (name.isEmpty())
            QTest::keyClicks(field, QStringLiteral("x"));
        else
            QTest::keyClick(field, Qt::Key_Backspace);
        QVERIFY(!find<QLabel>("detailNameWrong")->isVisible());
    }

    void inADemoHomeNamesStay() {
        m_home->demo = true;
        Q_EMIT m_home->devicesChanged();
        QVERIFY(!find<QPushButton>("renameDevice")->isVisible());
        QTest::keyClick(m_window.get(), Qt::Key_F2);
        QVERIFY(!find<QLineEdit>("detailNameField")->isVisible());
    }

  private:
    const DeviceInfo &device(int index) const { return m_home->list[static_cast<std::size_t>(index)]; }
};

QTEST_MAIN(RenameDeviceTest)
#include "rename_device_test.moc"
