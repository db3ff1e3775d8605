// Reading runs from their folders: tails, summaries, and the last word for a run whose coordinator died.
#include <sys/stat.h>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <cmath>
#include <functional>
#include <limits>

#include "core/run/files/event_file.h"
#include "core/run/files/lines_backwards.h"

using namespace hearth;

namespace {

/// Single quotes stand for double ones (moc does not read raw strings with brackets).
QByteArray json(QByteArray text) {
    return text.replace('\'', '"');
}

QByteArray line(int seq, const QByteArray &rest) {
    return json("{'seq':") + QByteArray::number(seq) + json(",'t':") + QByteArray::number(seq * 0.5) + "," + rest +
           "}\n";
}

QByteArray sampleRun() {
    return line(
               1,
               json(
                   "'event':'run','id':'r','started':'2026-01-01T12:00:00Z','job':{'model':'fashion-cnn','data':'fashion-mnist'}")) +
           line(2, json("'event':'state','state':'training'")) + line(3, json("'event':'round','round':1,'loss':2.3")) +
           line(4, json("'event':'evaluation','round':1,'accuracy':0.25,'loss':2.2")) +
           line(5, json("'event':'round','round':2,'loss':1.5"));
}

}  // namespace

class EventFileTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

    void aReaderStartsAtAnySeq_data() {
        QTest::addColumn<quint64>("from");
        QTest::addColumn<int>("lines");
        QTest::newRow("the first") << quint64(1) << 5;
        QTest::newRow("zero means the first") << quint64(0) << 5;
        QTest::newRow("one in the middle") << quint64(4) << 2;
        QTest::newRow("the next that will come") << quint64(6) << 0;
    }

    void aReaderStartsAtAnySeq() {
        QFETCH(quint64, from);
        QFETCH(int, lines);
        append(sampleRun());
        EventReader reader(events(), from);
        QCOMPARE(all(reader).size(), lines);
        append(line(6, json("'event':'state','state':'finished'")));
        QCOMPARE(all(reader).size(), 1);
    }

    void inALongRunTheStartIsFoundWithoutReadingWhatLiesBefore_data() {
        QTest::addColumn<quint64>("from");
        QTest::addColumn<QByteArray>("damage");
        QTest::newRow("the second") << quint64(2) << QByteArray();
        QTest::newRow("one in the middle") << quint64(33333) << QByteArray();
        QTest::newRow("the last but one") << quint64(59999) << QByteArray();
        QTest::newRow("the last, and half a line behind it") << quint64(60000) << QByteArray("{\"seq\":60001,");
        QTest::newRow("one that is still to come") << quint64(60003) << QByteArray();
    }

    void inALongRunTheStartIsFoundWithoutReadingWhatLiesBefore() {
        QFETCH(quint64, from);
        QFETCH(QByteArray, damage);
        append(manyRounds() + damage);
        EventReader reader(events(), from);
        const QByteArrayList lines = reader.next(1);
        QVERIFY(bytesReadBy([&] { EventReader(events(), from).next(1); }) < QFileInfo(events()).size() / 3);
        if (from > count) {
            QVERIFY(lines.isEmpty());
            append(rounds(count + 1, 5));
            QCOMPARE(seqOf(all(reader).value(0)), from);
        } else {
            QCOMPARE(seqOf(lines.value(0)), from);
            const auto left = static_cast<qsizetype>(count - from) + 1;
            QCOMPARE(lines.size() + all(reader).size(), left);
        }
    }

    void aLineThatTellsNoSeqOnlyMakesTheSearchLonger() {
        QByteArray text = manyRounds();
        // Around the middle, where the search begins.
        for (qsizetype at = text.size() / 2 - 2000; at < text.size() / 2 + 2000; ++at) {
            if (text[at] != '\n')
                text[at] = '?';
        }
        append(text);
        for (const quint64 from : {quint64(2), quint64(15000), quint64(45000), quint64(count)}) {
            EventReader reader(events(), from);
            QCOMPARE(seqOf(reader.next(1).value(0)), from);
        }
    }

    void halfALineIsNotReadAgainWhileNothingIsWritten() {
        append(sampleRun() + QByteArray(8 << 20, 'x'));
        EventReader reader(events(), 1);
        QCOMPARE(all(reader).size(), 5);
        QVERIFY(bytesReadBy([&] { QVERIFY(reader.next(1 << 20).isEmpty()); }) < (1 << 20));
        append("\n" + line(7, json("'event':'state','state':'finished'")));
        QCOMPARE(all(reader).size(), 2);
    }

    void onlyWholeLinesAreGivenOut() {
        EventReader reader(events(), 1);
        QVERIFY(all(reader).isEmpty());  // there is no file yet
        const QByteArray first = line(1, json("'event':'state','state':'training'"));
        append(first.left(10));
        QVERIFY(all(reader).isEmpty());
        append(first.mid(10));
        QCOMPARE(all(reader), QByteArrayList{first.trimmed()});
    }

    void largeFilesComeInBoundedParts() {
        QByteArray text;
        for (int i = 1; i <= 20000; ++i)
            text += line(i, json("'event':'round','round':1,'loss':0.5"));
        append(text);
        EventReader reader(events(), 1);
        constexpr qint64 bound = 64 << 10;
        int lines = 0;
        for (QByteArrayList part = reader.next(bound); !part.isEmpty(); part = reader.next(bound)) {
            qint64 bytes = 0;
            for (const QByteArray &each : part)
                bytes += each.size();
            QVERIFY(bytes <= 2 * bound);
            lines += static_cast<int>(part.size());
        }
        QCOMPARE(lines, 20000);
    }

    void aSummaryTellsHowFarARunCame() {
        append(sampleRun());
        const auto info = readRun(m_folder->path());
        QVERIFY(info);
        QCOMPARE(info->state, QStringLiteral("training"));
        QCOMPARE(info->model, QStringLiteral("fashion-cnn"));
        QCOMPARE(info->started, QStringLiteral("2026-01-01T12:00:00Z"));
        QCOMPARE(info->rounds, 2);
        QCOMPARE(info->loss, 1.5);
        QCOMPARE(info->accuracy, 0.25);
        QCOMPARE(info->lastSeq, quint64(5));
    }

    void aSummaryOfALongRunTellsTheLastOfEachKind() {
        append(sampleRun());
        QByteArray text;
        for (int i = 6; i <= 20005; ++i)
            text += line(i, "'event':'round','round':" + QByteArray::number(i - 3) + ",'loss':0.5");
        append(json(text));
        append(json("{'seq':20006,'t':3,'event':'state','state':'fin"));  // half a line counts for nothing
        const auto info = readRun(m_folder->path());
        QVERIFY(info);
        QCOMPARE(info->state, QStringLiteral("training"));
        QCOMPARE(info->model, QStringLiteral("fashion-cnn"));
        QCOMPARE(info->rounds, 20002);
        QCOMPARE(info->loss, 0.5);
        QCOMPARE(info->accuracy, 0.25);
        QCOMPARE(info->lastSeq, quint64(20005));
    }

    void linesComeFromTheEnd_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArrayList>("lines");
        const QByteArray longOne(700 << 10, 'x');
        QTest::newRow("nothing") << QByteArray() << QByteArrayList();
        QTest::newRow("half a line") << QByteArray("a") << QByteArrayList();
        QTest::newRow("one") << QByteArray("a\n") << QByteArrayList{"a"};
        QTest::newRow("one and a half") << QByteArray("a\nb") << QByteArrayList{"a"};
        QTest::newRow("empty ones") << QByteArray("\n\na\n\n") << QByteArrayList{"", "a", "", ""};
        QTest::newRow("over several parts of the file") << "a\n" + longOne + "\nb\n"
                                                        << QByteArrayList{"b", longOne, "a"};
        QTest::newRow("half of one over several parts") << "a\n" + longOne << QByteArrayList{"a"};
        QTest::newRow("none within bounds") << "a\n" + QByteArray(17 << 20, 'x') + "\nb\n" << QByteArrayList{"b"};
    }

    void linesComeFromTheEnd() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArrayList, lines);
        append(text);
        QFile file(events());
        QVERIFY(file.open(QIODevice::ReadOnly));
        LinesBackwards reader(file);
        QCOMPARE(reader.wholeBytes(), text.lastIndexOf('\n') + 1);
        QByteArrayList given;
        for (auto each = reader.next(); each; each = reader.next())
            given << *each;
        QCOMPARE(given, lines);
    }

    void aFolderWithoutEventsIsNoRun() { QVERIFY(!readRun(m_folder->path())); }

    void whatIsNoPlainFileIsNoRunAndKeepsNobodyWaiting() {
        QCOMPARE(::mkfifo(QFile::encodeName(events()).constData(), 0600), 0);
        EventReader reader(events(), 1);
        QVERIFY(reader.next(1 << 20).isEmpty());
        QVERIFY(!readRun(m_folder->path()));
        QVERIFY(!closeRun(m_folder->path(), Error{}, QStringLiteral("failed")));
    }

    void theSummaryCrossesTheSocketUnchanged() {
        append(sampleRun());
        const auto info = readRun(m_folder->path());
        const RunInfo again = RunInfo::fromCbor(info->toCbor());
        QCOMPARE(again.toJson(), info->toJson());
        RunInfo fresh;
        fresh.loss = std::nan("");
        QVERIFY(std::isnan(RunInfo::fromCbor(fresh.toCbor()).loss));
    }

    void aDeadRunGetsItsLastWord() {
        append(sampleRun() + json("{'seq':6,'t':3,'ev"));
        const Error error{QStringLiteral("child.killed"), QStringLiteral("It was killed."), QStringLiteral("Why."), {}};
        QVERIFY(closeRun(m_folder->path(), error, QStringLiteral("failed")));
        EventReader reader(events(), 6);
        const QByteArrayList added = all(reader);
        QCOMPARE(added.size(), 2);
        const QJsonObject first = QJsonDocument::fromJson(added[0]).object();
        QCOMPARE(first[QLatin1String("event")].toString(), QStringLiteral("error"));
        QCOMPARE(first[QLatin1String("seq")].toInt(), 6);
        QCOMPARE(first[QLatin1String("t")].toDouble(), 2.5);
        QCOMPARE(first[QLatin1String("what")].toString(), error.what);
        const QJsonObject second = QJsonDocument::fromJson(added[1]).object();
        QCOMPARE(second[QLatin1String("state")].toString(), QStringLiteral("failed"));
        QCOMPARE(second[QLatin1String("seq")].toInt(), 7);
        QCOMPARE(readRun(m_folder->path())->state, QStringLiteral("failed"));
    }

    void aReaderOfADeadRunSeesItsLastWord_data() {
        QTest::addColumn<quint64>("from");
        QTest::addColumn<int>("lines");
        QTest::newRow("from the first event") << quint64(1) << 6;
        QTest::newRow("from the event that was cut short") << quint64(6) << 1;
        QTest::newRow("from the last event but one") << quint64(5) << 2;
    }

    void aReaderOfADeadRunSeesItsLastWord() {
        QFETCH(quint64, from);
        QFETCH(int, lines);
        append(sampleRun() + json("{'seq':6,'t':3,'ev"));
        EventReader reader(events(), from);
        QByteArrayList seen = all(reader);  // half of the sixth line is there now, and something else soon
        QVERIFY(closeRun(m_folder->path(), std::nullopt, QStringLiteral("interrupted")));
        seen += all(reader);
        QCOMPARE(seen.size(), lines);
        QCOMPARE(QJsonDocument::fromJson(seen.last()).object()[QLatin1String("state")].toString(),
                 QStringLiteral("interrupted"));
    }

    void aRunWithAFinalStateIsLeftAlone() {
        append(sampleRun() + line(6, json("'event':'state','state':'finished'")));
        const QByteArray before = content();
        QVERIFY(closeRun(m_folder->path(), Error{}, QStringLiteral("failed")));
        QCOMPARE(content(), before);
    }

    void forTheLastWordOnlyTheEndOfTheFileIsRead() {
        // No coordinator writes rounds behind a final state: whoever finds this one has read all of the file.
        QByteArray text = sampleRun() + line(6, json("'event':'state','state':'finished'"));
        int seq = 6;
        while (text.size() < 2 << 20)
            text += line(++seq, json("'event':'round','round':1,'loss':0.5"));
        append(text);
        QCOMPARE(lastSeqOf(m_folder->path()), static_cast<quint64>(seq));
        QVERIFY(closeRun(m_folder->path(), std::nullopt, QStringLiteral("interrupted")));
        QCOMPARE(readRun(m_folder->path())->state, QStringLiteral("interrupted"));
        QCOMPARE(lastSeqOf(m_folder->path()), static_cast<quint64>(seq + 1));
    }

    void aRunThatWroteNothingGetsAFile() {
        QVERIFY(closeRun(m_folder->path(), Error{QStringLiteral("x"), QStringLiteral("What."), {}, {}},
                         QStringLiteral("failed")));
        EventReader reader(events(), 1);
        QCOMPARE(all(reader).size(), 2);
    }

    void onlyPlainWordsNameARun_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<bool>("valid");
        QTest::newRow("one of ours") << newRunId() << true;
        QTest::newRow("empty") << QString() << false;
        QTest::newRow("the parent folder") << QStringLiteral("..") << false;
        QTest::newRow("a path") << QStringLiteral("a/b") << false;
        QTest::newRow("a line end behind it") << QStringLiteral("abc\n") << false;
        QTest::newRow("capitals") << QStringLiteral("ABC") << false;
        QTest::newRow("too long") << QString(65, QLatin1Char('a')) << false;
    }

    void onlyPlainWordsNameARun() {
        QFETCH(QString, id);
        QFETCH(bool, valid);
        QCOMPARE(isRunId(id), valid);
    }

  private:
    static QByteArray rounds(int from, int count) {
        QByteArray text;
        for (int i = from; i < from + count; ++i)
            text += line(i, json("'event':'round','round':1,'loss':0.5"));
        return text;
    }
    static constexpr int count = 60000;
    static const QByteArray &manyRounds() {
        static const QByteArray text = rounds(1, count);
        return text;
    }
    static quint64 seqOf(const QByteArray &line) {
        return static_cast<quint64>(QJsonDocument::fromJson(line)[QLatin1String("seq")].toInteger());
    }
    /// As the kernel counts them.
    static qint64 bytesReadBy(const std::function<void()> &work) {
        const auto soFar = [] {
            QFile file(QStringLiteral("/proc/self/io"));
            const QByteArray first = file.open(QIODevice::ReadOnly) ? file.readLine() : QByteArray();
            return first.startsWith("rchar: ") ? first.mid(7).trimmed().toLongLong() : -1;
        };
        const qint64 before = soFar();
        work();
        return before < 0 ? std::numeric_limits<qint64>::max() : soFar() - before;
    }
    QString events() const { return m_folder->filePath(QStringLiteral("events.jsonl")); }
    static QByteArrayList all(EventReader &reader) {
        QByteArrayList lines;
        for (QByteArrayList part = reader.next(1 << 20); !part.isEmpty(); part = reader.next(1 << 20))
            lines += part;
        return lines;
    }
    void append(const QByteArray &text) {
        QFile file(events());
        QVERIFY(file.open(QIODevice::Append));
        QCOMPARE(file.write(text), text.size());
    }
    QByteArray content() const {
        QFile file(events());
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(EventFileTest)
#include "event_file_test.moc"
