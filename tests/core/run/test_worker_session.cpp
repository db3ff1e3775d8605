#include <QCborArray>
#include <QSignalSpy>
#include <QTest>
#include <QTimer>

#include "core/protocol/transfer_progress.h"
#include "run_parts.h"
#include "tests/core/base/standstill.h"

using namespace hearth;
using namespace hearth::fake;
using namespace std::chrono_literals;

class TestWorkerSession : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    /// However many words come about transfers, what counts is that something moves.
    void onlyWhatMovesKeepsACallAlive_data() {
        QTest::addColumn<qint64>("moved");
        QTest::addColumn<bool>("computes");
        QTest::addColumn<bool>("isAlive");
        QTest::newRow("notes that nothing moves do not") << qint64(0) << false << false;
        QTest::newRow("notes of bytes that have moved do") << qint64(10'000) << false << true;
        QTest::newRow("notes of what was computed do not") << qint64(0) << true << false;
    }
    void onlyWhatMovesKeepsACallAlive() {
        QFETCH(qint64, moved);
        QFETCH(bool, computes);
        QFETCH(bool, isAlive);
        constexpr auto quiet = 1500ms;
        for (Tries tries;;) {
            QString code;
            Standstill machine;
            RunParts run(2);
            run.home.silent[2] = QStringLiteral("evaluate");
            // Each note is small, and there are many of them before the deadline.
            QTimer notes;
            connect(&notes, &QTimer::timeout, this, [&] {
                const TransferProgress progress{moved, {{key(2, 1).toHex(), 1'000'000}}};
                for (int i = 0; i < 10; ++i) {
                    if (computes)
                        run.home.worker(2)->rpc->notify(QStringLiteral("computed"), {{QStringLiteral("steps"), 5}});
                    else
                        run.home.worker(2)->rpc->notify(QStringLiteral("transfers"), progress.toCbor());
                }
            });
            notes.start(10ms);
            run.session(2).callWhileMoving(
                QStringLiteral("evaluate"), {}, quiet, this,
                [&](const Result<QCborMap> &reply) { code = reply ? QStringLiteral("ok") : reply.error().code; });
            if (isAlive) {
                const bool hasEnded = QTest::qWaitFor([&] { return !code.isEmpty(); }, 4000);
                if (hasEnded && machine.excuses(quiet, tries))
                    continue;
                QVERIFY2(!hasEnded, qPrintable(code));
                notes.stop();
            }
            QVERIFY(comes([&] { return code == QLatin1String("rpc.deadline"); }));
            QCOMPARE(notes.isActive(), !isAlive);
            return;
        }
    }
    void whoWasNotReachedIsToldOnce() {
        RunParts run(2);
        run.home.worker(2)->rpc->notify(QStringLiteral("peers.unreached"),
                                        {{QStringLiteral("fingerprints"), QCborArray{key(2, 1).toHex()}}});
        QStringList peers;
        QVERIFY(comes([&] {
            peers = run.session(2).takeUnreached();
            return !peers.isEmpty();
        }));
        QCOMPARE(peers, QStringList{key(2, 1).toHex()});
        QVERIFY(run.session(2).takeUnreached().isEmpty());
    }
};

QTEST_GUILESS_MAIN(TestWorkerSession)
#include "test_worker_session.moc"
