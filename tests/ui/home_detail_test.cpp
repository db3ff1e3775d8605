// The details of one device: what comes first, what kind of computer it is, and where it is reached.
#include <QFile>
#include <QTableView>
#include <algorithm>
#include <functional>

#include "tests/core/base/patience.h"
#include "tests/ui/window_fixture.h"
#include "ui/home/device_look.h"

using namespace hearth;

class HomeDetailTest : public WindowFixture {
    Q_OBJECT

  private Q_SLOTS:
    void initTestCase() { speakEnglish(); }
    void cleanupTestCase() { m_language.reset(); }
    void init() {
        showWindowOfOwnHome();
        QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
        click("showList");
        auto *table = find<QTableView>("deviceTable");
        table->setCurrentIndex(table->model()->index(1, 0));
    }
    void cleanup() { endWindow(); }

    void whatIsUsedComesBeforeWhereItIs() {
        change([](DeviceInfo &device) { device.kind = DeviceKind::Board; });
        const QStringList wanted{
            QStringLiteral("detailSpeed"),     QStringLiteral("detailWork"),    QStringLiteral("detailMemory"),
            QStringLiteral("detailLimits"),    QStringLiteral("detailError"),   QStringLiteral("detailKind"),
            QStringLiteral("detailProcessor"), QStringLiteral("detailAddress"), QStringLiteral("detailFingerprint")};
        const auto top = [this](const QString &name) {
            const auto *label = find<QLabel>(qPrintable(name));
            return label->mapTo(m_window.get(), QPoint()).y();
        };
        const auto asSeen = [&] {
            QStringList names = wanted;
            std::ranges::stable_sort(names, [&](const QString &a, const QString &b) { return top(a) < top(b); });
            return names;
        };
        QTRY_VERIFY_WITH_TIMEOUT(top(wanted.first()) < top(wanted.last()), patience);
        QCOMPARE(asSeen(), wanted);
    }

    void whatKindOfComputerItIs_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("battery");  // -1: it has none, or nothing is known
        QTest::addColumn<QString>("word");
        QTest::addColumn<QString>("icon");
        const auto add = [](const char *name, DeviceKind kind, int battery, const char *word, const char *icon) {
            QTest::newRow(name) << static_cast<int>(kind) << battery << QString::fromLatin1(word)
                                << QString::fromLatin1(icon);
        };
        add("a laptop on its battery", DeviceKind::Laptop, 1, "Laptop, on battery", "laptop");
        add("a laptop that is plugged in", DeviceKind::Laptop, 0, "Laptop, on mains power", "laptop");
        add("a laptop without a battery", DeviceKind::Laptop, -1, "Laptop", "laptop");
        add("a desktop", DeviceKind::Desktop, -1, "Desktop computer", "desktop");
        add("a board", DeviceKind::Board, -1, "Single-board computer", "board");
        add("nobody knows, and it has a battery", DeviceKind::Unknown, 1, "Computer, on battery", "computer");
    }
    void whatKindOfComputerItIs() {
        QFETCH(int, kind);
        QFETCH(int, battery);
        QFETCH(QString, word);
        QFETCH(QString, icon);
        change([&](DeviceInfo &device) {
            device.kind = static_cast<DeviceKind>(kind);
            if (battery >= 0)
                device.onBattery = battery == 1;
        });
        QVERIFY(find<QLabel>("detailKind")->isVisible());
        QCOMPARE(text("detailKind"), word);
        QCOMPARE(kindIcon(m_home->list[1]), icon);
        QVERIFY(QFile::exists(QStringLiteral(":/hearth/icons/%1.svg").arg(icon)));
    }

    void whereNothingIsKnownOfItsKindNothingIsSaid() {
        QVERIFY(!find<QLabel>("detailKind")->isVisible());
        QCOMPARE(kindIcon(m_home->list[1]), QStringLiteral("computer"));
        QVERIFY(QFile::exists(QStringLiteral(":/hearth/icons/computer.svg")));
        // Nor of this computer: it may be any.
        QCOMPARE(kindIcon(m_home->list[0]), QStringLiteral("computer"));
    }

    void oneAddressStandsAlone() {
        change([](DeviceInfo &device) { device.state = DeviceState::Ready; });
        QCOMPARE(text("detailAddress"), m_home->list[1].address);
    }

    void ofSeveralAddressesTheOneInUseIsNamed() {
        const QString other = QStringLiteral("10.0.1.2:47600");
        change([&](DeviceInfo &device) {
            device.state = DeviceState::Ready;
            device.otherAddresses = {other};
        });
        const QString address = m_home->list[1].address;
        QCOMPARE(text("detailAddress"), QStringLiteral("%1 (in use)\n%2").arg(address, other));
        // Of one that is away none is used.
        change([](DeviceInfo &device) { device.state = DeviceState::Lost; });
        QCOMPARE(text("detailAddress"), address + QLatin1Char('\n') + other);
    }

  private:
    /// Of the device whose details are shown.
    void change(const std::function<void(DeviceInfo &)> &how) const {
        how(m_home->list[1]);
        Q_EMIT m_home->devicesChanged();
    }
};

QTEST_MAIN(HomeDetailTest)
#include "home_detail_test.moc"
