// An agent and its graphics card, with a played hearth-worker-cuda: a script that answers as its test says.
#include <QFile>
#include <QSaveFile>
#include <limits>

#include "core/agent/card_finder.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

namespace {

constexpr const char *twoCards =
    R"({"format":"hearth-cards/1","cards":[)"
    R"({"index":0,"name":"NVIDIA GeForce GT 1030","uuid":"GPU-1","memory":2147483648,"capability":"6.1"},)"
    R"({"index":1,"name":"NVIDIA GeForce RTX 3060","uuid":"GPU-2","memory":12884901888,"capability":"8.6"}],)"
    R"("cause":""})";

}  // namespace

class AgentCardTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        for (const char *name : {"hearth-worker", "hearth-coordinator"}) {
            const QString program = QLatin1Char('/') + QLatin1String(name);
            QVERIFY(QFile::link(QStringLiteral(HEARTH_FAKE_BIN_DIR) + program, m_folder->path() + program));
        }
        qputenv("HEARTH_BIN_DIR", m_folder->path().toUtf8());
        qputenv("HEARTH_NVML", HEARTH_PLAYED_NVML);
        qputenv("HEARTH_PLAYED_CARDS", m_folder->filePath(QStringLiteral("cards")).toUtf8());
        qputenv("HEARTH_FAKE_HEARD", m_folder->filePath(QStringLiteral("heard")).toUtf8());
    }

    void cleanup() {
        m_client.reset();
        m_home = {};
    }

    void theCardWithTheMostMemoryIsUsed() {
        play(answering(twoCards));
        start();
        QTRY_VERIFY_WITH_TIMEOUT(self().card && self().card->computes(), PlayedHome::patience);
        QCOMPARE(self().card->name, QStringLiteral("NVIDIA GeForce RTX 3060"));
        QCOMPARE(self().memoryBytes, qint64{12} << 30);
        const QByteArrayList words = wordsOf(startedWorker());
        QVERIFY2(words.value(0).endsWith("hearth-worker"), words.value(0).constData());  // which plays the other
        QCOMPARE(words.value(words.indexOf("--card") + 1), QByteArray("1"));
        QCOMPARE(words.value(words.indexOf("--memory") + 1).toLongLong(), qint64{12} << 30);
    }

    void aWorkerThatIsWantedAtOnceWaitsForTheAnswer() {
        QFile answers(m_folder->filePath(QStringLiteral("answers")));
        play("until [ -e '" + answers.fileName().toUtf8() + "' ]; do sleep 0.05; done\n" + answering(twoCards));
        start();
        const auto run = startRun(*m_client, playedOrder("worker", self().id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QVERIFY(follower.waitFor("state"));  // its next word asks for the worker
        QVERIFY(!self().card);
        QVERIFY(answers.open(QIODevice::WriteOnly));
        QVERIFY(follower.waitFor("worker"));
        QVERIFY(wordsOf(follower.workerPid()).contains("--card"));
    }

    void whoHasNoProgramForCardsSaysNothing() {
        start();
        QVERIFY(!wordsOf(startedWorker()).contains("--card"));
        QVERIFY(!self().card);
    }

    void whoMayNotUseTheCardDoesNotAsk() {
        play(answering(twoCards));
        start(false);
        QVERIFY(!wordsOf(startedWorker()).contains("--card"));
        QVERIFY(!self().card);
    }

    void theProcessorComputesWhereNoCardCan_data() {
        QTest::addColumn<QByteArray>("script");
        QTest::addColumn<QString>("cause");
        QTest::newRow("a cause") << answering(R"({"format":"hearth-cards/1","cards":[],"cause":"It is too old."})")
                                 << QStringLiteral("It is too old.");
        QTest::newRow("no cause") << answering(R"({"format":"hearth-cards/1","cards":[],"cause":""})")
                                  << QStringLiteral("There is no graphics card to compute on.");
        QTest::newRow("a crash") << QByteArray("kill -SEGV $$\n") << QStringLiteral("crashed (signal 11");
        QTest::newRow("a library that is not there")
            << QByteArray("echo 'libcudart.so.13: cannot open' >&2; exit 127\n")
            << QStringLiteral("libcudart.so.13: cannot open");
        QTest::newRow("no JSON") << answering("cards: 1") << QStringLiteral("cannot be read");
        QTest::newRow("another format") << answering(R"({"format":"hearth-cards/9","cards":[]})")
                                        << QStringLiteral("hearth-cards/9");
        QTest::newRow("a card without memory")
            << answering(R"({"format":"hearth-cards/1","cards":[{"index":0,"name":"x"}]})")
            << QStringLiteral("cannot be read");
        QTest::newRow("silence") << QByteArray("exec sleep 60\n") << QStringLiteral("did not answer in time");
    }
    void theProcessorComputesWhereNoCardCan() {
        QFETCH(QByteArray, script);
        QFETCH(QString, cause);
        play(script);
        const bool isSilent = qstrcmp(QTest::currentDataTag(), "silence") == 0;
        start(true, std::chrono::milliseconds(isSilent ? 500 : PlayedHome::patience));
        QVERIFY(!wordsOf(startedWorker()).contains("--card"));
        const auto card = self().card;
        QVERIFY(card && !card->computes());
        QVERIFY2(card->cause.contains(cause), qPrintable(card->cause.english()));
        QVERIFY(computesOn(*card).english().startsWith(QLatin1String("Computes on the processor. ")));
        QCOMPARE(self().memoryBytes, hostResources().memoryBytes);
    }

    void whatTheDriverSaysCanBeSaidInAnyLanguage() {
        const auto found = readCards(R"({"format":"hearth-cards/1","cards":[],"cause":"The driver says: it is lost.",)"
                                     R"("sentences":{"cause":["The driver says: %1.","it is lost"]}})");
        QVERIFY(!found);
        const Sentence &cause = found.error().cause;
        QCOMPARE(cause.english(), QStringLiteral("The driver says: it is lost."));
        QCOMPARE(cause.source(), QByteArray("The driver says: %1."));
    }

    void aCardThatFailsInTheStartLeavesTheRunTheProcessor() {
        play(answering(twoCards) + "echo 'CUDA error: the device is lost' >&2; kill -ABRT $$\n");
        start();
        QTRY_VERIFY_WITH_TIMEOUT(self().card.has_value(), PlayedHome::patience);
        const QByteArrayList words = wordsOf(startedWorker());
        QVERIFY2(words.value(0).endsWith("hearth-worker"), words.value(0).constData());
        QVERIFY(!words.contains("--card"));
        QCOMPARE(words.value(words.indexOf("--memory") + 1).toLongLong(), hostResources().memoryBytes);
        QCOMPARE(m_follower->lines("lost").size(), 0);  // the run hears of one worker, and of a warning
        QCOMPARE(m_follower->lines("warning").size(), 1);
        QVERIFY(m_follower->lines("warning")[0].contains("computes on its processor in this run"));
        QVERIFY(m_follower->lines("warning")[0].contains("the device is lost"));
        QVERIFY(!self().card->computes());
        QVERIFY(self().card->cause.contains(QLatin1String("the device is lost")));

        play(answering(twoCards));
        QVERIFY(wordsOf(startedWorker()).contains("--card"));
        QVERIFY(self().card->computes());
    }

    void aWorkerThatIsKilledInItsStartHasNoSuccessor() {
        play(answering(twoCards) + "exec sleep 60\n");
        start();
        QTRY_VERIFY_WITH_TIMEOUT(self().card.has_value(), PlayedHome::patience);
        const auto run = startRun(*m_client, playedOrder("worker", self().id));
        QVERIFY(run);
        const Follower follower(*m_client, *run);
        QTRY_COMPARE_WITH_TIMEOUT(self().state, DeviceState::Training, PlayedHome::patience);
        QVERIFY(commandRun(*m_client, *run, "pause"));  // the played coordinator stops its worker
        QVERIFY(follower.waitFor("worker"));
        QCOMPARE(follower.workerPid(), 0);
        QCOMPARE(follower.lines("warning").size(), 0);
        QTRY_COMPARE_WITH_TIMEOUT(self().state, DeviceState::Ready, PlayedHome::patience);
        QVERIFY(self().card->computes());
    }

    void theDriverIsToldAndWhatOthersHoldIsLeftToThem() {
        play(answering(twoCards));
        playCards(
            "card GPU-1 2147483648 0 0 40 5 30 NVIDIA GeForce GT 1030\n"
            "card GPU-2 12884901888 1073741824 7 51 33.5 170 NVIDIA GeForce RTX 3060\n");
        start();
        QTRY_VERIFY_WITH_TIMEOUT(self().card.has_value(), PlayedHome::patience);
        QCOMPARE(self().card->driver, QStringLiteral("580.159"));
        QCOMPARE(self().card->wattsLimit, std::optional<double>(170));
        QCOMPARE(self().memoryBytes, qint64{11} << 30);
        playCards("card GPU-2 12884901888 4294967296 7 51 33.5 170 NVIDIA GeForce RTX 3060\n");
        const QByteArrayList words = wordsOf(startedWorker());
        QCOMPARE(words.value(words.indexOf("--memory") + 1).toLongLong(), qint64{8} << 30);

        // Once a second the worker hears how its card is doing, and says so after its rounds.
        playCards("card GPU-2 12884901888 8589934592 97 71 168.25 170 NVIDIA GeForce RTX 3060\n");
        QTRY_VERIFY_WITH_TIMEOUT(
            heard().contains(R"({"busy_percent":97,"celsius":71,"memory_bytes":8589934592,"watts":168.25})"),
            PlayedHome::patience);
    }

    void whatACardDoesNotKnowIsNotMadeUp() {
        play(answering(twoCards));
        playCards("card GPU-2 - - - 50 - - NVIDIA GeForce RTX 3060\n");
        start();
        QVERIFY(wordsOf(startedWorker()).contains("--card"));
        QTRY_COMPARE_WITH_TIMEOUT(heard().value(0), QByteArray(R"({"celsius":50})"), PlayedHome::patience);
        QCOMPARE(self().memoryBytes, qint64{12} << 30);
        QVERIFY(!self().card->wattsLimit);
    }

    void aCardWithoutItsProgramIsSaid() {
        playCards("card GPU-2 12884901888 0 0 51 33 170 NVIDIA GeForce RTX 3060\n");
        start();
        QTRY_VERIFY_WITH_TIMEOUT(self().card.has_value(), PlayedHome::patience);
        QVERIFY(!self().card->computes());
        QCOMPARE(self().card->name, QStringLiteral("NVIDIA GeForce RTX 3060"));
        QVERIFY(self().card->cause.contains(QLatin1String("not installed")));
    }

    void limitsOfTheCardCount() {
        play(answering(twoCards));
        playCards("card GPU-2 12884901888 1073741824 0 51 33 170 NVIDIA GeForce RTX 3060\n");
        start();
        QTRY_VERIFY_WITH_TIMEOUT(self().card.has_value(), PlayedHome::patience);
        DeviceLimits limits;
        limits.cardPercent = 50;
        limits.cardWatts = 120;
        QVERIFY(m_home.agent->limits().set(limits));
        QCOMPARE(self().memoryBytes, qint64{12} * (1 << 30) / 100 * 50);
        const QByteArrayList words = wordsOf(startedWorker());
        QCOMPARE(words.value(words.indexOf("--memory") + 1).toLongLong(), qint64{12} * (1 << 30) / 100 * 50);
        QTRY_COMPARE_WITH_TIMEOUT(power(), QByteArray("120\n"), PlayedHome::patience);
        QVERIFY(commandRun(*m_client, m_run, "stop"));
        QTRY_COMPARE_WITH_TIMEOUT(power(), QByteArray("120\n170\n"), PlayedHome::patience);
        QVERIFY(self().card->trouble.isEmpty());

        limits.withoutCard = true;
        QVERIFY(m_home.agent->limits().set(limits));
        QVERIFY(!self().card->computes());
        QCOMPARE(self().memoryBytes, hostResources().memoryBytes);
        QVERIFY(!wordsOf(startedWorker()).contains("--card"));
    }

    void anAgentThatEndsPutsThePowerBack() {
        play(answering(twoCards));
        playCards("card GPU-2 12884901888 0 0 51 33 170 NVIDIA GeForce RTX 3060\n");
        start();
        DeviceLimits limits;
        limits.cardWatts = 50;  // less than the card can
        QVERIFY(m_home.agent->limits().set(limits));
        QVERIFY(startedWorker() > 0);
        QTRY_COMPARE_WITH_TIMEOUT(power(), QByteArray("100\n"), PlayedHome::patience);
        m_client.reset();
        m_home = {};
        QVERIFY2(power().endsWith("\n170\n"), power().constData());
    }

    void powerThatTheDriverDoesNotLimitIsSaid() {
        play(answering(twoCards));
        playCards("refuses-power\ncard GPU-2 12884901888 0 0 51 33 170 NVIDIA GeForce RTX 3060\n");
        start();
        DeviceLimits limits;
        limits.cardWatts = 120;
        QVERIFY(m_home.agent->limits().set(limits));
        QVERIFY(startedWorker() > 0);
        QTRY_VERIFY_WITH_TIMEOUT(self().card->trouble.contains(QLatin1String("administrator")), PlayedHome::patience);
        QVERIFY(self().card->computes());
        QVERIFY(computesOn(*self().card).contains(QLatin1String("power was not limited")));
        QCOMPARE(power(), QByteArray());
    }

    void aCardThatAnotherProgramUsesIsLeftToIt() {
        play(answering(twoCards));
        const QByteArray card("card GPU-2 12884901888 0 0 51 33 170 NVIDIA GeForce RTX 3060\n");
        playCards(card + "program 4000000 300000000 3\n");  // a desktop
        start();
        DeviceLimits limits;
        limits.cardAlone = true;
        QVERIFY(m_home.agent->limits().set(limits));
        const int worker = startedWorker();
        QVERIFY(worker > 0);
        const QByteArray own = "program " + QByteArray::number(worker) + " 1000000000 99\n";
        const int before = static_cast<int>(heard().size());
        playCards(card + "program 4000000 300000000 3\n" + own);
        QTRY_VERIFY_WITH_TIMEOUT(heard().size() >= before + 2, PlayedHome::patience);
        QCOMPARE(self().rest, Rest::None);
        playCards(card + "program 4000001 300000000 80\n" + own);  // a game
        QTRY_COMPARE_WITH_TIMEOUT(self().rest, Rest::CardTaken, PlayedHome::patience);
        QVERIFY(m_follower->waitFor("leaving"));
        const auto refused = m_home.agent->limits().mustTakeWork();
        QVERIFY(!refused && refused.error().cause.contains(QLatin1String("Another program")));
        QVERIFY(m_home.agent->limits().set({}));
        QCOMPARE(self().rest, Rest::None);
    }

    void aCardIsToldAsItIs() {
        DeviceInfo info;
        info.id = QString(64, QLatin1Char('a'));
        info.card = GraphicsCard{
            QStringLiteral("NVIDIA GeForce RTX 3060"), qint64{12} << 30, QStringLiteral("580.159"), {}, {}};
        QCOMPARE(DeviceInfo::fromCbor(info.toCbor())->card, info.card);
        info.card->wattsLimit = 170;
        QCOMPARE(DeviceInfo::fromCbor(info.toCbor())->card, info.card);
        QCOMPARE(computesOn(*info.card).english(),
                 QStringLiteral("Computes on NVIDIA GeForce RTX 3060, 12 GiB; driver 580.159."));
        info.card->cause = sentence("It was stopped before it began.");
        const auto again = DeviceInfo::fromCbor(info.toCbor());
        QCOMPARE(again->card, info.card);
        QCOMPARE(again->card->cause.kind(), Sentence::Kind::Source);  // to be said in any language
    }

    void aPowerLimitThatIsNoneIsNotBelieved() {
        for (const double watts : {-5.0, 0.0, 1e9, std::numeric_limits<double>::quiet_NaN()}) {
            QCborMap told = GraphicsCard{QStringLiteral("card"), 1, {}, {}, {}}.toCbor();
            told[QStringLiteral("watts_limit")] = watts;
            QVERIFY(!GraphicsCard::fromCbor(told).wattsLimit);
        }
    }

  private:
    static QByteArray answering(const char *line) {
        return QByteArray("[ \"$1\" != --cards ] || { echo '") + line + "'; exit 0; }\n";
    }

    /// The script goes on as the worker on the processor, with the same words.
    void play(const QByteArray &script) {
        const QString path = m_folder->filePath(QStringLiteral("hearth-worker-cuda"));
        QFile::remove(path);
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n" + script + "exec " HEARTH_FAKE_BIN_DIR "/hearth-worker \"$@\"\n");
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }

    /// What NVIDIA's library tells from now on; written whole, for it may be read at any time.
    void playCards(const QByteArray &cards) {
        QSaveFile file(m_folder->filePath(QStringLiteral("cards")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("driver 580.159\n" + cards);
        QVERIFY(file.commit());
    }

    QByteArray contentOf(const char *name) const {
        QFile file(m_folder->filePath(QLatin1String(name)));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    QByteArrayList heard() const { return contentOf("heard").split('\n'); }
    QByteArray power() const { return contentOf("cards.power"); }

    void start(bool usesCard = true,
               std::chrono::milliseconds cardAnswer = std::chrono::milliseconds(PlayedHome::patience)) {
        m_home = PlayedHome::start(*m_folder, QStringLiteral("one"), 0, usesCard, cardAnswer);
        QVERIFY(m_home.agent);
        m_client = std::make_unique<AgentClient>();
        QVERIFY(m_home.connectTo(*m_client));
    }

    DeviceInfo self() const { return m_home.agent->devices()[0]; }

    /// The process of a new run's worker; 0 where there is none.
    int startedWorker() {
        const auto run = startRun(*m_client, playedOrder("worker", self().id));
        if (!run)
            return 0;
        m_run = *run;
        m_follower = std::make_unique<Follower>(*m_client, *run);
        return m_follower->waitFor("worker") ? m_follower->workerPid() : 0;
    }

    static QByteArrayList wordsOf(int pid) {
        QFile file(QStringLiteral("/proc/%1/cmdline").arg(pid));
        return file.open(QIODevice::ReadOnly) ? file.readAll().split('\0') : QByteArrayList();
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    PlayedHome m_home;
    std::unique_ptr<AgentClient> m_client;
    std::unique_ptr<Follower> m_follower;
    QString m_run;
};

QTEST_GUILESS_MAIN(AgentCardTest)
#include "agent_card_test.moc"
