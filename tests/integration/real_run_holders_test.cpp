// Two devices of a real home hold a part of the data each.
#include <QDirIterator>
#include <QJsonArray>
#include <QJsonDocument>
#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <utility>

#include "core/data/data_registry.h"
#include "core/model/safetensors.h"
#include "tests/integration/real_run.h"

using namespace hearth;

namespace {

constexpr int side = 28, trained = 90, tested = 20;

QByteArray bigEndian(quint32 number) {
    QByteArray bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>(number >> shift);
    return bytes;
}

void write(const QString &path, const QByteArray &bytes) {
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size())
        qFatal("cannot write %s", qPrintable(path));
}

/// IDX files of grey pictures that differ from set to set, registered under this name.
void makeSet(const QString &folder, const QString &name, const QStringList &classes) {
    QJsonObject described{{QStringLiteral("format"), QStringLiteral("hearth-data/1")},
                          {QStringLiteral("name"), name},
                          {QStringLiteral("classes"), QJsonArray::fromStringList(classes)}};
    for (const auto &[split, count] : {std::pair("train", trained), std::pair("test", tested)}) {
        QByteArray images =
            bigEndian(0x803) + bigEndian(static_cast<quint32>(count)) + bigEndian(side) + bigEndian(side);
        QByteArray labels = bigEndian(0x801) + bigEndian(static_cast<quint32>(count));
        for (int i = 0; i < count; ++i) {
            for (int pixel = 0; pixel < side * side; ++pixel)
                images += static_cast<char>((i * 7 + qint64{pixel} * (name.size() + i % 3)) % 251);
            labels += static_cast<char>(i % classes.size());
        }
        const QString prefix = name + QLatin1Char('-') + QLatin1String(split);
        write(folder + QLatin1Char('/') + prefix + QStringLiteral("-images"), images);
        write(folder + QLatin1Char('/') + prefix + QStringLiteral("-labels"), labels);
        described[QLatin1String(split)] = QJsonObject{{QStringLiteral("images"), prefix + QStringLiteral("-images")},
                                                      {QStringLiteral("labels"), prefix + QStringLiteral("-labels")}};
    }
    const QString path = folder + QLatin1Char('/') + name + QStringLiteral(".json");
    write(path, QJsonDocument(described).toJson());
    if (const auto registered = registerDataset(name, path, false); !registered)
        qFatal("%s", qPrintable(registered.error().toString()));
}

QByteArray readAll(const QString &path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Processes that serve samples, of those that find their data in this folder.
std::vector<pid_t> dataProcesses(const QString &home) {
    std::vector<pid_t> found;
    for (QDirIterator each(QStringLiteral("/proc"), QDir::Dirs | QDir::NoDotAndDotDot); each.hasNext();) {
        const QString process = each.next();
        const QList<QByteArray> words = readAll(process + QStringLiteral("/cmdline")).split('\0');
        if (words.front().endsWith("hearth-coordinator") && words.contains("--serve") &&
            readAll(process + QStringLiteral("/environ")).contains("XDG_DATA_HOME=" + home.toLocal8Bit()))
            found.push_back(each.fileName().toInt());
    }
    return found;
}

}  // namespace

class RealRunHoldersTest : public RealRun {
    Q_OBJECT

    RunOrder orderOf(const QJsonArray &data, int rounds, const QString &save = {}) const {
        RunOrder asked = order(rounds);
        asked.job[QStringLiteral("data")] = data;
        asked.job[QStringLiteral("precision")] = QStringLiteral("float64");
        asked.job[QStringLiteral("evaluate_every")] = rounds;
        asked.job[QStringLiteral("augment")] = QJsonObject{{QStringLiteral("mixup"), 0.4}};
        asked.job[QStringLiteral("validation")] = 0;
        if (!save.isEmpty())
            asked.options[QStringLiteral("save")] = save;
        return asked;
    }

    /// The largest difference of two files of weights.
    static double apart(const QString &one, const QString &other) {
        const auto a = readSafetensors(one), b = readSafetensors(other);
        if (!a || !b || a->size() != b->size())
            return std::nan("");
        double most = 0;
        for (std::size_t i = 0; i < a->size(); ++i) {
            const auto x = (*a)[i].data->bytes(), y = (*b)[i].data->bytes();
            if (x.size() != y.size())
                return std::nan("");
            for (std::size_t at = 0; at < x.size(); at += sizeof(double)) {
                double p = 0, q = 0;
                std::memcpy(&p, x.data() + at, sizeof p);
                std::memcpy(&q, y.data() + at, sizeof q);
                most = std::max(most, std::abs(p - q));
            }
        }
        return most;
    }

    QTemporaryDir m_sets;
    const QJsonArray m_here{QStringLiteral("summer"), QStringLiteral("winter")};
    const QJsonArray m_apart{QStringLiteral("summer"), QStringLiteral("winter@local-2")};

  private Q_SLOTS:
    void initTestCase() {
        qputenv("XDG_DATA_HOME", m_sets.path().toLocal8Bit());
        makeSet(m_sets.path(), QStringLiteral("summer"), {QStringLiteral("sea"), QStringLiteral("hill")});
        makeSet(m_sets.path(), QStringLiteral("winter"), {QStringLiteral("hill"), QStringLiteral("snow")});
        beginHome();
    }
    void cleanupTestCase() { m_home.reset(); }

    /// Also when the process that serves them is killed in the middle.
    void weightsAreThoseOfAllDataInOnePlace() {
        const QString here = m_folder.filePath(QStringLiteral("here.safetensors")),
                      other = m_folder.filePath(QStringLiteral("apart.safetensors"));
        Follower reference(*m_client);
        QCOMPARE(reference.endOf(orderOf(m_here, 40, here)), QStringLiteral("finished"));
        Follower run(*m_client);
        bool killed = false;
        connect(m_client.get(), &AgentClient::runEvent, &run, [&](const QString &, const QByteArray &line) {
            if (killed || !line.contains("\"event\":\"round\""))
                return;
            killed = true;
            for (const pid_t pid : dataProcesses(m_sets.path()))
                ::kill(pid, SIGKILL);
        });
        QCOMPARE(run.endOf(orderOf(m_apart, 40, other)), QStringLiteral("finished"));
        QVERIFY(killed);
        QVERIFY2(apart(here, other) < 1e-10, qPrintable(QString::number(apart(here, other))));
        const auto told = [](const Follower &one) { return one.all<event::Evaluation>().back(); };
        QVERIFY(std::abs(told(reference).loss - told(run).loss) < 1e-10);
        QTRY_VERIFY_WITH_TIMEOUT(dataProcesses(m_sets.path()).empty(), slowRun);
    }

    void aStopEndsTheProcessThatServes() {
        Follower run(*m_client);
        run.start(orderOf(m_apart, 100000));
        QTRY_VERIFY_WITH_TIMEOUT(run.all<event::Round>().size() >= 2 || run.ended || run.refused, slowRun);
        QCOMPARE(dataProcesses(m_sets.path()).size(), std::size_t(1));
        m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
        QTRY_VERIFY_WITH_TIMEOUT(run.ended, slowRun);
        QCOMPARE(run.lastState(), QStringLiteral("stopped"));
        QTRY_VERIFY_WITH_TIMEOUT(dataProcesses(m_sets.path()).empty(), slowRun);
    }

    void whatNobodyHoldsIsToldWithTheDevice_data() {
        QTest::addColumn<QString>("data");
        QTest::addColumn<QString>("told");
        QTest::newRow("no such device") << QStringLiteral("winter@attic") << QStringLiteral("attic");
        QTest::newRow("no such data there") << QStringLiteral("spring@local-2") << QStringLiteral("local-2");
        QTest::newRow("a path of there") << QStringLiteral("/etc/hosts@local-2") << QStringLiteral("/etc/hosts");
    }
    void whatNobodyHoldsIsToldWithTheDevice() {
        QFETCH(QString, data);
        QFETCH(QString, told);
        Follower run(*m_client);
        const QString end = run.endOf(orderOf({QStringLiteral("summer"), data}, 4));
        QVERIFY2(end != QLatin1String("finished") && end != QLatin1String("no end"), qPrintable(end));
        QVERIFY2(end.contains(told), qPrintable(end));
        QTRY_VERIFY_WITH_TIMEOUT(dataProcesses(m_sets.path()).empty(), slowRun);
    }
};

QTEST_GUILESS_MAIN(RealRunHoldersTest)
#include "real_run_holders_test.moc"
