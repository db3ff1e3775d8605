#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <memory>
#include <optional>

#include "core/wire/loopback_channel.h"
#include "core/wire/rpc.h"
#include "tests/core/base/patience.h"
#include "tests/core/wire/wire_samples.h"

using namespace hearth;
using namespace std::chrono_literals;

namespace {

const QString echo = QStringLiteral("echo");

struct Ends {
    std::unique_ptr<Channel> nearChannel;
    std::unique_ptr<Channel> farChannel;
    std::unique_ptr<Rpc> near;
    std::unique_ptr<Rpc> far;
    QObject context;
    std::vector<Result<QCborMap>> results;

    Ends() {
        std::tie(nearChannel, farChannel) = makeLoopbackPair();
        near = std::make_unique<Rpc>(nearChannel.get());
        far = std::make_unique<Rpc>(farChannel.get());
    }
    void call(const QString &op, const QCborMap &args = {}, std::chrono::milliseconds deadline = 60s,
              Rpc::Bounds bounds = Rpc::Bounds::Answer) {
        near->call(
            op, args, deadline, &context, [this](Result<QCborMap> result) { results.push_back(result); }, bounds);
    }
    QString code(std::size_t index) const { return results.at(index) ? QString() : results.at(index).error().code; }
};

}  // namespace

class TestRpc : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aCallIsAnswered() {
        Ends ends;
        ends.far->handle(echo, [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
        ends.call(echo, note(5));
        QVERIFY(ends.results.empty());
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QVERIFY(ends.results[0]);
        QCOMPARE(*ends.results[0], note(5));
    }

    void aReplyMayComeLaterAndOutOfOrder() {
        Ends ends;
        QList<Reply> waiting;
        ends.far->handle(echo, [&waiting](const QCborMap &, const Reply &reply) { waiting << reply; });
        ends.call(echo);
        ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(waiting.size(), 2, patience);
        waiting[1].ok(note(2));
        waiting[1].ok(note(3));  // only the first answer counts
        waiting[1].fail({});
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(*ends.results[0], note(2));
        waiting[0].fail({QStringLiteral("test.no"), QStringLiteral("No."), {}, QStringLiteral("Try.")});
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(2), patience);
        QCOMPARE(ends.code(1), QStringLiteral("test.no"));
        QCOMPARE(ends.results[1].error().advice, QStringLiteral("Try."));
    }

    void aDroppedReplyIsAnError() {
        Ends ends;
        ends.far->handle(echo, [](const QCborMap &, const Reply &) {});
        ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(ends.code(0), QStringLiteral("rpc.unanswered"));
    }

    void anUnknownOperationIsAnError() {
        Ends ends;
        ends.call(QStringLiteral("nothing"));
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(ends.code(0), QStringLiteral("rpc.unknown-op"));
        QVERIFY(ends.nearChannel->isOpen());
    }

    void theDeadlinePassesAndALateAnswerIsDropped() {
        Ends ends;
        QList<Reply> waiting;
        ends.far->handle(echo, [&waiting](const QCborMap &, const Reply &reply) { waiting << reply; });
        ends.call(echo, {}, 1ms);
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(ends.code(0), QStringLiteral("rpc.deadline"));
        QTRY_COMPARE_WITH_TIMEOUT(waiting.size(), 1, patience);
        waiting[0].ok();
        ends.far->handle(echo, [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
        ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(2), patience);
        QVERIFY(ends.results[1]);
    }

    void whoSaysThatItWorksHasItsTimeAnewWhereSilenceCounts() {
        Ends ends;
        QList<Reply> waiting;
        ends.far->handle(echo, [&waiting](const QCborMap &, const Reply &reply) { waiting << reply; });
        ends.call(echo);
        ends.call(echo, {}, 60s, Rpc::Bounds::Silence);
        QTRY_COMPARE_WITH_TIMEOUT(waiting.size(), 2, patience);
        const auto deadlines = ends.near->findChildren<QTimer *>();
        QCOMPARE(deadlines.size(), 2);
        for (QTimer *deadline : deadlines)
            deadline->stop();
        for (const Reply &reply : std::as_const(waiting))
            reply.tellWorking(1ms);
        QTRY_VERIFY_WITH_TIMEOUT(deadlines[1]->isActive(), patience);
        QVERIFY(!deadlines[0]->isActive());
        waiting.clear();
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(2), patience);
        QCOMPARE(ends.code(0), QStringLiteral("rpc.unanswered"));
        QCOMPARE(ends.code(1), QStringLiteral("rpc.unanswered"));
        QTRY_VERIFY_WITH_TIMEOUT(ends.far->findChildren<QTimer *>().isEmpty(), patience);
    }

    void outstandingCallsGetTheReasonOfTheEnd_data() {
        QTest::addColumn<int>("how");
        QTest::addColumn<QString>("code");
        QTest::newRow("we close") << 0 << QStringLiteral("test.done");
        QTest::newRow("the peer closes") << 1 << QStringLiteral("wire.closed");
        QTest::newRow("our channel is destroyed") << 2 << QStringLiteral("wire.closed");
    }

    void outstandingCallsGetTheReasonOfTheEnd() {
        QFETCH(int, how);
        QFETCH(QString, code);
        Ends ends;
        QList<Reply> waiting;
        ends.far->handle(echo, [&waiting](const QCborMap &, const Reply &reply) { waiting << reply; });
        ends.call(echo);
        ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(waiting.size(), 2, patience);
        const Error reason{QStringLiteral("test.done"), QStringLiteral("Done."), {}, {}};
        if (how == 0)
            ends.nearChannel->close(reason);
        else if (how == 1)
            ends.farChannel->close(reason);
        else
            ends.nearChannel.reset();
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(2), patience);
        QCOMPARE(ends.code(0), code);
        QCOMPARE(ends.code(1), code);
        ends.call(echo);
        QCOMPARE(ends.results.size(), std::size_t(2));  // never from within call()
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(3), patience);
        QCOMPARE(ends.code(2), QStringLiteral("wire.closed"));
        waiting[0].ok();  // harmless
    }

    void aCallTooLargeToSendFailsLater() {
        Ends ends;
        ends.call(echo, {{QStringLiteral("long"), QByteArray(Channel::maximumControlBytes, 'x')}});
        QVERIFY(!ends.nearChannel->isOpen());
        QVERIFY(ends.results.empty());
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(ends.code(0), QStringLiteral("wire.bad-control"));
    }

    void nothingIsCalledBackWithoutItsContext() {
        Ends ends;
        bool called = false;
        auto context = std::make_unique<QObject>();
        ends.far->handle(echo, [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
        ends.near->call(echo, {}, 60s, context.get(), [&called](const Result<QCborMap> &) { called = true; });
        context.reset();
        ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QVERIFY(!called);
    }

    void notesReachTheirHandlers() {
        Ends ends;
        QList<QCborMap> notes;
        ends.far->onNotify(echo, [&notes](const QCborMap &args) { notes << args; });
        ends.near->notify(QStringLiteral("unheard"));
        ends.near->notify(echo, note(1));
        ends.near->notify(echo, note(2));
        QTRY_COMPARE_WITH_TIMEOUT(notes.size(), 2, patience);
        QCOMPARE(notes[1], note(2));
    }

    void bothSidesMayCallEachOther() {
        Ends ends;
        ends.near->handle(echo, [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
        ends.far->handle(echo, [&ends](const QCborMap &args, const Reply &reply) {
            ends.far->call(echo, args, 60s, &ends.context, [reply](const Result<QCborMap> &result) {
                if (result)
                    reply.ok(*result);
            });
        });
        ends.call(echo, note(9));
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(*ends.results[0], note(9));
    }

    void tooManyWaitingCallsAreRefused() {
        Ends ends;
        QList<Reply> waiting;
        ends.far->handle(echo, [&waiting](const QCborMap &, const Reply &reply) { waiting << reply; });
        for (int i = 0; i <= Rpc::maximumPending; ++i)
            ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QCOMPARE(ends.code(0), QStringLiteral("rpc.busy"));
        waiting.clear();
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(Rpc::maximumPending + 1), patience);
    }

    void malformedMessagesCloseTheChannel_data() {
        QTest::addColumn<QCborMap>("message");
        const QString k = QStringLiteral("k");
        const QString id = QStringLiteral("id");
        const QString op = QStringLiteral("op");
        const QString a = QStringLiteral("a");
        const QString call = QStringLiteral("call");
        QTest::newRow("nothing in it") << QCborMap{};
        QTest::newRow("an unknown kind") << QCborMap{{k, QStringLiteral("shout")}, {a, QCborMap()}};
        QTest::newRow("a call without an id") << QCborMap{{k, call}, {op, echo}, {a, QCborMap()}};
        QTest::newRow("a call with a negative id") << QCborMap{{k, call}, {id, -1}, {op, echo}, {a, QCborMap()}};
        QTest::newRow("a call without an operation") << QCborMap{{k, call}, {id, 1}, {a, QCborMap()}};
        QTest::newRow("a call whose arguments are a list")
            << QCborMap{{k, call}, {id, 1}, {op, echo}, {a, QCborArray()}};
        QTest::newRow("a note without an operation") << QCborMap{{k, QStringLiteral("note")}, {a, QCborMap()}};
    }

    void malformedMessagesCloseTheChannel() {
        QFETCH(QCborMap, message);
        Ends ends;
        QSignalSpy closed(ends.farChannel.get(), &Channel::closed);
        ends.nearChannel->sendControl(message);
        QTRY_COMPARE_WITH_TIMEOUT(closed.count(), 1, patience);
        QCOMPARE(closed.at(0).at(0).value<Error>().code, QStringLiteral("rpc.malformed"));
    }

    void answersNobodyWaitsForAreDropped() {
        Ends ends;
        ends.farChannel->sendControl({{QStringLiteral("k"), QStringLiteral("ok")},
                                      {QStringLiteral("id"), 77},
                                      {QStringLiteral("a"), QCborMap()}});
        ends.far->handle(echo, [](const QCborMap &args, const Reply &reply) { reply.ok(args); });
        ends.call(echo);
        QTRY_COMPARE_WITH_TIMEOUT(ends.results.size(), std::size_t(1), patience);
        QVERIFY(ends.nearChannel->isOpen());
    }
};

QTEST_GUILESS_MAIN(TestRpc)
#include "test_rpc.moc"
