// A run as it was written down: all events in their order, and what is wrong with a file that holds none.
#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>

#include "core/run/record_reader.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

const QByteArray firstLine = eventLine(1, 0, event::Run{QStringLiteral("r"), QStringLiteral("2026-01-01"), {}, {}});

QByteArray roundLine(int seq) {
    event::Round round;
    round.round = seq - 1;
    round.loss = 1.0 / seq;
    return eventLine(static_cast<quint64>(seq), seq, round);
}

}  // namespace

class RecordReaderTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::vector<RunEvent> m_events;
    QStringList m_calls;
    Error m_error;

    QString write(const QByteArray &content, const QString &name = QStringLiteral("events.jsonl")) const {
        QFile file(m_folder->filePath(name));
        if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
            qFatal("cannot write");
        return file.fileName();
    }
    /// Until the last word of the reader.
    void read(const QString &path) {
        m_events.clear();
        m_calls.clear();
        m_error = {};
        RecordReader reader;
        bool isOpen = false, over = false;
        connect(&reader, &RecordReader::opened, this, [&](const QString &run) {
            isOpen = true;
            m_calls << QStringLiteral("opened ") + run;
        });
        connect(&reader, &RecordReader::event, this, [&](const RunEvent &one) { m_events.push_back(one); });
        connect(&reader, &RecordReader::failed, this, [&](const Error &reason) {
            m_error = reason;
            m_calls << QStringLiteral("failed");
            over = over || !isOpen;
        });
        connect(&reader, &RecordReader::ended, this, [&](const QString &run) {
            m_calls << QStringLiteral("ended ") + run;
            over = true;
        });
        reader.open(path);
        QVERIFY(QTest::qWaitFor([&] { return over; }, patience));
    }

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void everyEventComesInItsOrder_data() {
        QTest::addColumn<bool>("folder");
        QTest::newRow("the file is named") << false;
        QTest::newRow("its folder is named") << true;
    }
    void everyEventComesInItsOrder() {
        QFETCH(bool, folder);
        QByteArray content = firstLine + '\n';
        constexpr int lines = 5000;  // more than one portion
        for (int seq = 2; seq <= lines; ++seq)
            content += roundLine(seq) + '\n';
        const QString file = write(content);
        read(folder ? m_folder->path() : file);
        QCOMPARE(m_calls, (QStringList{QStringLiteral("opened r"), QStringLiteral("ended r")}));
        QCOMPARE(m_events.size(), static_cast<std::size_t>(lines));
        for (std::size_t i = 0; i < m_events.size(); ++i)
            QCOMPARE(m_events[i].seq, static_cast<quint64>(i + 1));
    }

    void whatTakesLongTellsHowFarItIs() {
        QByteArray content = firstLine + '\n';
        for (int seq = 2; seq <= 5000; ++seq)
            content += roundLine(seq) + '\n';
        RecordReader reader;
        reader.setProgressInterval(std::chrono::milliseconds(0));
        std::vector<double> parts;
        bool finished = false;
        connect(&reader, &RecordReader::progressed, this, [&](double part) { parts.push_back(part); });
        connect(&reader, &RecordReader::finished, this, [&] { finished = true; });
        reader.open(write(content));
        QTRY_VERIFY_WITH_TIMEOUT(finished, patience);
        QVERIFY(parts.size() > 3);
        QVERIFY(std::ranges::is_sorted(parts));
        QVERIFY(parts.front() < 0.5);
        QCOMPARE(parts.back(), 1.0);
    }

    void halfALastLineIsLeftOut() {
        read(write(firstLine + '\n' + roundLine(2) + '\n' + roundLine(3).left(20)));
        QCOMPARE(m_events.size(), std::size_t{2});
        QCOMPARE(m_calls.last(), QStringLiteral("ended r"));
        QVERIFY(m_error.code.isEmpty());
    }

    void whatStandsBeforeADamagedLineIsTold() {
        read(write(firstLine + '\n' + roundLine(2) + "\n\x01\x02 nonsense\n" + roundLine(4) + '\n'));
        QCOMPARE(m_events.size(), std::size_t{2});
        QCOMPARE(m_error.code, QStringLiteral("record.damaged"));
        QVERIFY2(m_error.what.startsWith(QLatin1String("Line 3 of ")), qPrintable(m_error.what));
        QCOMPARE(m_calls.last(), QStringLiteral("ended r"));
    }

    void whatHoldsNoRunIsRefused_data() {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("cause");
        QTest::newRow("an empty file") << QByteArray() << "It is empty.";
        QTest::newRow("a film") << QByteArray("\x1a\x45\xdf\xa3 matroska") << "Its first line is no JSON object.";
        QTest::newRow("half a line") << firstLine << "It has no whole line.";
        QTest::newRow("some other JSON") << QByteArray("{\"format\":\"hearth-job/1\"}\n")
                                         << "Its first line is no event of a run.";
        QTest::newRow("the middle of a run")
            << QByteArray(roundLine(2) + '\n') << "Its first line does not begin a run.";
        QTest::newRow("a later format")
            << QByteArray("{\"seq\":1,\"t\":0,\"event\":\"run\",\"format\":\"hearth-events/9\",\"id\":\"r\"}\n")
            << "Its format is \"hearth-events/9\", and this version of Hearth reads \"hearth-events/1\".";
    }
    void whatHoldsNoRunIsRefused() {
        QFETCH(QByteArray, content);
        QFETCH(QString, cause);
        const QString path = write(content);
        read(path);
        QCOMPARE(m_calls, QStringList{QStringLiteral("failed")});
        QCOMPARE(m_error.code, QStringLiteral("record.not-a-run"));
        QVERIFY2(m_error.what.contains(path), qPrintable(m_error.what));
        QCOMPARE(m_error.cause, cause);
    }

    void whatIsNotThereIsRefused_data() {
        QTest::addColumn<QString>("path");
        QTest::newRow("no such file") << "nothing";
        QTest::newRow("a folder without a run") << ".";
        QTest::newRow("a device that never ends") << "/dev/zero";
    }
    void whatIsNotThereIsRefused() {
        QFETCH(QString, path);
        read(QDir(m_folder->path()).absoluteFilePath(path));
        QCOMPARE(m_calls, QStringList{QStringLiteral("failed")});
        QCOMPARE(m_error.code, QStringLiteral("record.missing"));
        QVERIFY(!m_error.cause.isEmpty());
    }

    void aReaderMayDieInTheMiddle() {
        QByteArray content = firstLine + '\n';
        for (int seq = 2; seq <= 5000; ++seq)
            content += roundLine(seq) + '\n';
        const QString file = write(content);
        auto reader = std::make_unique<RecordReader>();
        const QSignalSpy opened(reader.get(), &RecordReader::opened);
        reader->open(file);
        QTRY_COMPARE_WITH_TIMEOUT(opened.size(), 1, patience);
        reader.reset();
    }
};

QTEST_GUILESS_MAIN(RecordReaderTest)
#include "test_record_reader.moc"
