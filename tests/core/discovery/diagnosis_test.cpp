// Looking at the real computer that this runs on: whatever it is like, all looks end, and say something.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTcpServer>
#include <QTest>

#include "core/discovery/probes.h"
#include "core/home/link_watch.h"
#include "tests/core/agent/played_home.h"
#include "tests/core/base/patience.h"
#include "tests/core/base/standstill.h"

using namespace hearth;

namespace {

const Finding *find(const std::vector<Finding> &findings, const QString &id) {
    const auto at = std::find_if(findings.begin(), findings.end(), [&](const Finding &each) { return each.id == id; });
    return at == findings.end() ? nullptr : &*at;
}

}  // namespace

class DiagnosisTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void allThatIsLookedAtIsToldAsPendingAndThenAsFound() {
        QTcpServer there;
        QVERIFY(there.listen(QHostAddress(QHostAddress::LocalHost)));
        const QString open = joinAddress(QStringLiteral("127.0.0.1"), there.serverPort());
        DiagnosisOrder order;
        order.listenHost = QStringLiteral("127.0.0.1");
        order.devices = {
            {QStringLiteral("a"), QStringLiteral("open"), false, false, {QStringLiteral("127.0.0.1:1"), open}},
            {QStringLiteral("b"), QStringLiteral("shut"), true, false, {QStringLiteral("127.0.0.1:1")}},
            {QStringLiteral("c"), QStringLiteral("odd"), true, false, {QStringLiteral("nonsense")}},
            {QStringLiteral("d"), QStringLiteral("linked"), true, true, {open}}};
        order.askBack = [](const QString &, QObject *context,
                           const std::function<void(std::optional<DiagnosisOrder::Back>)> &told) {
            QTimer::singleShot(0, context, [told] {
                told(DiagnosisOrder::Back{QStringLiteral("10.0.0.1:1"), false, 90'000});
            });
        };
        constexpr std::chrono::seconds plenty(patience / 2000);
        Diagnosis diagnosis(order, nullptr, plenty, plenty);
        QSignalSpy found(&diagnosis, &Diagnosis::found);
        QSignalSpy finished(&diagnosis, &Diagnosis::finished);
        QVERIFY(finished.wait(patience));

        QSet<QString> pending;
        for (const QList<QVariant> &signal : found) {
            const auto finding = signal.first().value<Finding>();
            if (finding.verdict == Verdict::Pending)
                pending << finding.id;
            else
                QVERIFY2(pending.contains(finding.id), qPrintable(finding.id));
        }
        QCOMPARE(static_cast<std::size_t>(pending.size()), diagnosis.findings().size());
        for (const Finding &finding : diagnosis.findings()) {
            QVERIFY2(finding.verdict != Verdict::Pending && !finding.finding.isEmpty() && !finding.subject.isEmpty(),
                     qPrintable(finding.id));
        }
        const auto verdict = [&](const char *id) { return find(diagnosis.findings(), QLatin1String(id))->verdict; };
        QCOMPARE(verdict("avahi"), Verdict::Warn);  // discovery is off
        QCOMPARE(verdict("port"), Verdict::Bad);    // loopback
        QCOMPARE(verdict("reach:a"), Verdict::Ok);
        QVERIFY(find(diagnosis.findings(), QStringLiteral("reach:a"))->finding.contains(open));
        QCOMPARE(verdict("reach:b"), Verdict::Bad);
        QCOMPARE(verdict("reach:c"), Verdict::Bad);
        QCOMPARE(verdict("reach:d"), Verdict::Ok);
        QCOMPARE(verdict("back:d"), Verdict::Bad);
        QCOMPARE(verdict("clock:d"), Verdict::Warn);
    }

    void thisComputersOwnAnswerIsNotTheDevices() {
        QTcpServer agent;
        QVERIFY(agent.listen(QHostAddress(QHostAddress::LocalHost)));
        const QString own = joinAddress(QStringLiteral("127.0.0.1"), agent.serverPort());
        DiagnosisOrder order;
        order.port = agent.serverPort();
        order.devices = {
            {QStringLiteral("a"), QStringLiteral("off"), true, false, {own, QStringLiteral("127.0.0.1:1")}},
            {QStringLiteral("b"), QStringLiteral("moved"), true, false, {own}}};
        constexpr std::chrono::seconds plenty(patience / 2000);
        Diagnosis diagnosis(order, nullptr, plenty, plenty);
        QSignalSpy finished(&diagnosis, &Diagnosis::finished);
        QVERIFY(finished.wait(patience));
        const Finding *off = find(diagnosis.findings(), QStringLiteral("reach:a"));
        QCOMPARE(off->verdict, Verdict::Bad);
        QVERIFY2(!off->finding.contains(own), qPrintable(off->finding.english()));
        const Finding *moved = find(diagnosis.findings(), QStringLiteral("reach:b"));
        QVERIFY2(!moved->finding.contains(own), qPrintable(moved->finding.english()));
    }

    void whatNeverAnswersIsUnknownInTheEnd() {
        DiagnosisOrder order;
        order.devices = {{QStringLiteral("d"), QStringLiteral("linked"), true, true, {QStringLiteral("127.0.0.1:1")}}};
        order.askBack = [](const QString &, QObject *, const auto &) {};
        Diagnosis diagnosis(order, nullptr, std::chrono::seconds(1));
        QSignalSpy finished(&diagnosis, &Diagnosis::finished);
        QVERIFY(finished.wait(patience));
        QCOMPARE(find(diagnosis.findings(), QStringLiteral("back:d"))->verdict, Verdict::Unknown);
    }

    void aProgramIsEndedAtItsDeadline() {
        std::optional<ToolOutput> output;
        runTool(QStringLiteral("sleep"), {QStringLiteral("1000")}, std::chrono::milliseconds(50), this,
                [&](const ToolOutput &each) { output = each; });
        QTRY_VERIFY_WITH_TIMEOUT(output.has_value(), patience);
        QVERIFY(output->exists && !output->ran);
    }

    void whatAProgramSaysIsTakenAsItIs() {
        std::optional<ToolOutput> output;
        runTool(QStringLiteral("echo"), {QStringLiteral("$HOME; *")}, std::chrono::seconds(20), this,
                [&](const ToolOutput &each) { output = each; });
        QTRY_VERIFY_WITH_TIMEOUT(output.has_value(), patience);
        QVERIFY(output->ran);
        QCOMPARE(output->status, 0);
        QCOMPARE(output->text, QStringLiteral("$HOME; *\n"));  // no shell has seen it
    }

    void aProgramThatIsMissingIsToldSo() {
        std::optional<ToolOutput> output;
        runTool(QStringLiteral("no-such-program"), {}, std::chrono::seconds(20), this,
                [&](const ToolOutput &each) { output = each; });
        QTRY_VERIFY_WITH_TIMEOUT(output.has_value(), patience);
        QVERIFY(!output->exists);
    }

    void twoLinkedAgentsTryTheWayBack() {
        const QTemporaryDir folder;
        const PlayedHome one = PlayedHome::start(folder, QStringLiteral("one"));
        const PlayedHome two = PlayedHome::start(folder, QStringLiteral("two"));
        QVERIFY(one.agent->trust().add({QStringLiteral("two"), two.agent->fingerprint(), {two.agent->address()}}));
        QVERIFY(two.agent->trust().add({QStringLiteral("one"), one.agent->fingerprint(), {one.agent->address()}}));
        const QString id = two.agent->fingerprint().toHex();
        AgentClient client;
        QVERIFY(one.connectTo(client));
        QSignalSpy live(&client, &AgentClient::finding);
        const QString digits = id.left(16);
        for (Tries tries;;) {
            Standstill machine;
            QTRY_COMPARE_WITH_TIMEOUT(one.stateOf(id), DeviceState::Ready, patience);
            live.clear();
            std::optional<Result<std::vector<Finding>>> answer;
            client.diagnose(this, [&](const auto &result) { answer = result; });
            QTRY_VERIFY_WITH_TIMEOUT(answer.has_value(), patience);
            const auto isOk = [&](const char *kind) {
                const Finding *finding = find(**answer, QLatin1String(kind) + digits);
                return finding && finding->verdict == Verdict::Ok;
            };
            const bool areOk = answer->has_value() && isOk("reach:") && isOk("back:") && isOk("clock:");
            if (!areOk && machine.excuses(LinkWatch::suspectAfter, tries))
                continue;
            QVERIFY(answer->has_value());
            QVERIFY(isOk("reach:"));
            QVERIFY(isOk("back:"));
            QVERIFY(isOk("clock:"));
            QVERIFY(live.size() >= 2 * static_cast<int>((*answer)->size()));
            return;
        }
    }
};

QTEST_GUILESS_MAIN(DiagnosisTest)
#include "diagnosis_test.moc"
