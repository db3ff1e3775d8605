// The memory limit of a process's cgroup, on files that look like the kernel's.
#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include "core/agent/host_resources.h"
#include "core/agent/memory_limit.h"

using namespace hearth;

class MemoryLimitTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void limits_data() {
        QTest::addColumn<QByteArray>("membership");
        QTest::addColumn<QStringList>("files");  // "path=content"
        QTest::addColumn<qint64>("expected");
        const QByteArray one = "5:devices:/\n4:memory:/lab/nano/agent\n1:cpu,cpuacct:/\n0::/\n";
        const QByteArray two = "0::/lab/nano/agent\n";
        const QString group1 = QStringLiteral("memory/lab/nano/agent/memory.limit_in_bytes=");
        const QString parent1 = QStringLiteral("memory/lab/nano/memory.limit_in_bytes=");
        const QString none1 = QStringLiteral("9223372036854771712");
        const QString group2 = QStringLiteral("lab/nano/agent/memory.max=");
        const QString parent2 = QStringLiteral("lab/nano/memory.max=");
        QTest::newRow("version 1: its own") << one << QStringList{group1 + QStringLiteral("1000")} << qint64(1000);
        QTest::newRow("version 1: a parent's")
            << one << QStringList{group1 + none1, parent1 + QStringLiteral("2000\n")} << qint64(2000);
        QTest::newRow("version 1: the tightest")
            << one << QStringList{group1 + QStringLiteral("3000"), parent1 + QStringLiteral("2000")} << qint64(2000);
        QTest::newRow("version 1: the whole tree's, seen from a container")
            << one << QStringList{QStringLiteral("memory/memory.limit_in_bytes=700")} << qint64(700);
        QTest::newRow("version 1: none") << one << QStringList{group1 + none1, parent1 + none1} << qint64(0);
        QTest::newRow("version 1: memory beside other controllers")
            << QByteArray("3:cpu,memory:/lab/nano/agent\n") << QStringList{parent1 + QStringLiteral("50")}
            << qint64(50);
        QTest::newRow("version 1: in the root group")
            << QByteArray("4:memory:/\n") << QStringList{QStringLiteral("memory/memory.limit_in_bytes=60")}
            << qint64(60);
        QTest::newRow("version 2: its own")
            << two << QStringList{group2 + QStringLiteral("1000"), parent2 + QStringLiteral("max")} << qint64(1000);
        QTest::newRow("version 2: a parent's")
            << two << QStringList{group2 + QStringLiteral("max"), parent2 + QStringLiteral("4000")} << qint64(4000);
        QTest::newRow("version 2: none") << two << QStringList{group2 + QStringLiteral("max")} << qint64(0);
        QTest::newRow("both versions: the tightest")
            << QByteArray("4:memory:/lab/nano/agent\n0::/lab/nano/agent\n")
            << QStringList{group1 + QStringLiteral("10"), group2 + QStringLiteral("9")} << qint64(9);
        QTest::newRow("another controller of a similar name")
            << QByteArray("4:memory_other:/lab/nano/agent\n") << QStringList{group1 + QStringLiteral("10")}
            << qint64(0);
        QTest::newRow("nonsense") << QByteArray("::\nmemory\n4:memory:\n\n")
                                  << QStringList{group1 + QStringLiteral("10")} << qint64(0);
    }

    void limits() {
        QFETCH(QByteArray, membership);
        QFETCH(QStringList, files);
        const QTemporaryDir folder;
        write(folder.filePath(QStringLiteral("membership")), membership);
        for (const QString &each : files) {
            const QString path = folder.filePath(each.section(QLatin1Char('='), 0, 0));
            QVERIFY(QDir().mkpath(QFileInfo(path).path()));
            write(path, each.section(QLatin1Char('='), 1).toUtf8());
        }
        QTEST(cgroupMemoryLimit(folder.filePath(QStringLiteral("membership")), folder.path()), "expected");
    }

    void aMachineWithoutCgroupsHasNoLimit() {
        QCOMPARE(cgroupMemoryLimit(QStringLiteral("/no/such/file"), QStringLiteral("/no/such/folder")), 0);
    }

    void thisMachineHasMemoryAndCores() {
        const HostResources host = hostResources();
        QVERIFY(host.memoryBytes > (64 << 20));
        QVERIFY(host.cores >= 1);
        QVERIFY(!host.processor.isEmpty());
    }

  private:
    static void write(const QString &path, const QByteArray &content) {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
    }
};

QTEST_GUILESS_MAIN(MemoryLimitTest)
#include "memory_limit_test.moc"
