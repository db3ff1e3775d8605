// What kind of computer this is, on files that look like the kernel's.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/home/device_kind.h"

using namespace hearth;

class DeviceKindTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void whatTheFirmwareSays_data() {
        QTest::addColumn<QByteArray>("chassis");
        QTest::addColumn<QString>("kind");
        const QString desktop = QStringLiteral("desktop"), laptop = QStringLiteral("laptop");
        for (const int type : {3, 4, 5, 6, 7, 13, 15, 16, 24, 35, 36})
            QTest::addRow("desktop, type %d", type) << QByteArray::number(type) + '\n' << desktop;
        for (const int type : {8, 9, 10, 14, 31, 32})
            QTest::addRow("laptop, type %d", type) << QByteArray::number(type) + '\n' << laptop;
        QTest::newRow("a virtual machine") << QByteArray("1\n") << QString();
        QTest::newRow("a server in a rack") << QByteArray("23\n") << QString();
        QTest::newRow("a type of later firmware") << QByteArray("250\n") << QString();
        QTest::newRow("no number") << QByteArray("To be filled by O.E.M.\n") << QString();
        QTest::newRow("an empty file") << QByteArray("") << QString();
        QTest::newRow("no firmware that says anything") << QByteArray() << QString();
    }

    void whatTheFirmwareSays() {
        QFETCH(QByteArray, chassis);
        const QTemporaryDir root;
        write(root, "sys/class/dmi/id/chassis_type", chassis);
        QTEST(toWord(deviceKind(root.path())), "kind");
    }

    void whatADeviceTreeSays_data() {
        QTest::addColumn<QByteArray>("model");
        QTest::addColumn<QByteArray>("chassis");
        QTest::addColumn<QString>("kind");
        const QString board = QStringLiteral("board"), laptop = QStringLiteral("laptop");
        const auto zeroEnded = [](const char *text) { return QByteArray(text).append('\0'); };
        QTest::newRow("a Raspberry Pi") << zeroEnded("Raspberry Pi 4 Model B Rev 1.4") << QByteArray() << board;
        QTest::newRow("a Jetson") << zeroEnded("NVIDIA Jetson Nano Developer Kit") << QByteArray() << board;
        QTest::newRow("one that says so") << zeroEnded("A board") << zeroEnded("embedded") << board;
        QTest::newRow("a laptop") << zeroEnded("Apple MacBook Air (M1, 2020)") << zeroEnded("laptop") << laptop;
        QTest::newRow("one that turns into a tablet") << zeroEnded("Kohaku") << zeroEnded("convertible") << laptop;
        QTest::newRow("a desktop") << zeroEnded("Apple Mac mini (M1, 2020)") << zeroEnded("desktop")
                                   << QStringLiteral("desktop");
        QTest::newRow("a telephone") << zeroEnded("Librem 5") << zeroEnded("handset") << QString();
        QTest::newRow("a virtual machine") << zeroEnded("linux,dummy-virt") << QByteArray() << QString();
        QTest::newRow("an empty one") << zeroEnded("") << QByteArray() << QString();
    }

    void whatADeviceTreeSays() {
        QFETCH(QByteArray, model);
        QFETCH(QByteArray, chassis);
        const QTemporaryDir root;
        write(root, "proc/device-tree/model", model);
        write(root, "proc/device-tree/chassis-type", chassis);
        QTEST(toWord(deviceKind(root.path())), "kind");
    }

    void aDeviceTreeCountsBeforeTheFirmwareOfABoard() {
        const QTemporaryDir root;
        write(root, "proc/device-tree/model", "NVIDIA Jetson AGX Orin");
        write(root, "sys/class/dmi/id/chassis_type", "3\n");
        QCOMPARE(deviceKind(root.path()), DeviceKind::Board);
    }

    void aWordOfALaterVersionIsUnknown() {
        QCOMPARE(deviceKindFromWord(QStringLiteral("fridge")), DeviceKind::Unknown);
        QCOMPARE(deviceKindFromWord({}), DeviceKind::Unknown);
        for (const DeviceKind kind : {DeviceKind::Unknown, DeviceKind::Desktop, DeviceKind::Laptop, DeviceKind::Board})
            QCOMPARE(deviceKindFromWord(toWord(kind)), kind);
    }

  private:
    /// No file for a null text.
    static void write(const QTemporaryDir &root, const char *path, const QByteArray &text) {
        if (text.isNull())
            return;
        const QString name = root.filePath(QLatin1String(path));
        QVERIFY(QDir().mkpath(QFileInfo(name).path()));
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        QCOMPARE(file.write(text), text.size());
    }
};

QTEST_GUILESS_MAIN(DeviceKindTest)
#include "device_kind_test.moc"
