#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "core/run/trace_file.h"

using namespace hearth;

class TestTraceFile : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void isAnArrayWithoutAnyEvent();
    void keepsNamesAndNumbersAsTheyAre();
    void isReadAfterACrash();
    void refusesWhatIsBeyondTheLimit();
    void saysThatItCannotBeWritten_data();
    void saysThatItCannotBeWritten();

  private:
    QByteArray bytes() const {
        QFile file(path());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QJsonArray events() const { return parsed(bytes()); }
    static QJsonArray parsed(const QByteArray &text) {
        QJsonParseError error;
        const auto document = QJsonDocument::fromJson(text, &error);
        return error.error == QJsonParseError::NoError && document.isArray() ? document.array() : QJsonArray{-1};
    }
    QString path() const { return m_folder.filePath(QStringLiteral("trace.json")); }
    QTemporaryDir m_folder;
};

void TestTraceFile::isAnArrayWithoutAnyEvent() {
    auto file = TraceFile::create(path());
    QVERIFY(file);
    QVERIFY((*file)->close());
    QCOMPARE(events(), QJsonArray());
}

void TestTraceFile::keepsNamesAndNumbersAsTheyAre() {
    const QString name = QStringLiteral("Anna's \"NX\"\\ \n\t<ü→😀>") + QChar(1);
    {
        auto file = TraceFile::create(path());
        QVERIFY(file);
        (*file)->nameProcess(3, name, 7);
        (*file)->nameThread(3, 1, name, 8);
        QVERIFY((*file)->add({3,
                              1,
                              name,
                              QStringLiteral("forward"),
                              1'234'567'891,
                              1'234'567'892,
                              {{QStringLiteral("bytes"), 9'007'199'254'740'991LL}}}));
        (*file)->mark(name, 5000);
    }  // the destructor closes
    const QJsonArray list = events();
    QCOMPARE(list.size(), 6);
    QCOMPARE(list[0][QLatin1String("ph")].toString(), QStringLiteral("M"));
    QCOMPARE(list[0][QLatin1String("name")].toString(), QStringLiteral("process_name"));
    QCOMPARE(list[0][QLatin1String("args")][QLatin1String("name")].toString(), name);
    QCOMPARE(list[1][QLatin1String("args")][QLatin1String("sort_index")].toInt(), 7);
    QCOMPARE(list[2][QLatin1String("args")][QLatin1String("name")].toString(), name);
    const QJsonValue bar = list[4];
    QCOMPARE(bar[QLatin1String("ph")].toString(), QStringLiteral("X"));
    QCOMPARE(bar[QLatin1String("name")].toString(), name);
    QCOMPARE(bar[QLatin1String("ts")].toDouble(), 1234567.891);
    QCOMPARE(bar[QLatin1String("dur")].toDouble(), 0.001);
    QCOMPARE(bar[QLatin1String("args")][QLatin1String("bytes")].toInteger(), 9'007'199'254'740'991LL);
    QCOMPARE(list[5][QLatin1String("ph")].toString(), QStringLiteral("i"));
    QCOMPARE(list[5][QLatin1String("ts")].toDouble(), 5.0);
}

void TestTraceFile::isReadAfterACrash() {
    auto file = TraceFile::create(path());
    QVERIFY(file);
    for (int round = 1; round <= 3; ++round) {
        QVERIFY((*file)->add({1, 1, QStringLiteral("round"), {}, round * 10, round * 10 + 5, {}}));
        QVERIFY((*file)->flush());
        // As a crash would leave it: all but the end of the array, which readers of the format do without.
        QCOMPARE(parsed(bytes() + ']').size(), round);
    }
}

void TestTraceFile::refusesWhatIsBeyondTheLimit() {
    auto file = TraceFile::create(path(), 2);
    QVERIFY(file);
    (*file)->nameProcess(1, QStringLiteral("names do not count"), 0);
    const TraceEvent event{1, 1, QStringLiteral("bar"), {}, 0, 1, {}};
    QVERIFY((*file)->add(event));
    QVERIFY((*file)->add(event));
    QVERIFY(!(*file)->add(event));
    QVERIFY(!(*file)->add(event));
    (*file)->mark(QStringLiteral("the end"), 1);
    QVERIFY((*file)->close());
    QCOMPARE(events().size(), 5);
    QVERIFY((*file)->close());
}

void TestTraceFile::saysThatItCannotBeWritten_data() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<bool>("opens");
    QTest::newRow("a folder that does not exist") << QStringLiteral("/no/such/folder/trace.json") << false;
    QTest::newRow("a folder in place of a file") << QStringLiteral("/tmp") << false;
    QTest::newRow("a disk that is full") << QStringLiteral("/dev/full") << true;
}

void TestTraceFile::saysThatItCannotBeWritten() {
    QFETCH(QString, path);
    QFETCH(bool, opens);
    auto file = TraceFile::create(path);
    QCOMPARE(file.has_value(), opens);
    if (!opens) {
        QCOMPARE(file.error().code, QStringLiteral("trace.unwritable"));
        QVERIFY2(file.error().what.contains(path), qPrintable(file.error().what));
        return;
    }
    (*file)->add({1, 1, QStringLiteral("bar"), {}, 0, 1, {}});
    const auto flushed = (*file)->flush();
    QVERIFY(!flushed);
    QCOMPARE(flushed.error().code, QStringLiteral("trace.unwritable"));
    QVERIFY(!flushed.error().cause.isEmpty());
}

QTEST_GUILESS_MAIN(TestTraceFile)
#include "test_trace_file.moc"
