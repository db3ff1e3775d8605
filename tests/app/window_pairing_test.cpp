// The window's side of a pairing, over a real agent.
#include <QTcpServer>

#include "app/window_pairing.h"
#include "tests/core/agent/played_home.h"

using namespace hearth;

class WindowPairingTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theEndOfTheAgentIsToldToWhomeverItLeavesWaiting_data() {
        QTest::addColumn<bool>("underWay");
        QTest::newRow("a pairing is under way") << true;
        QTest::newRow("there is none") << false;
    }
    void theEndOfTheAgentIsToldToWhomeverItLeavesWaiting() {
        QFETCH(bool, underWay);
        const QTemporaryDir folder;
        PlayedHome home = PlayedHome::start(folder, QStringLiteral("one"));
        AgentClient client;
        QVERIFY(home.connectTo(client));
        AgentPairing pairing(client);
        client.subscribe();
        QTcpServer silent;  // takes connections and never says a word
        QVERIFY(silent.listen(QHostAddress::LocalHost));
        if (underWay) {
            pairing.start({joinAddress(QStringLiteral("127.0.0.1"), silent.serverPort())}, QString());
            QTRY_COMPARE_WITH_TIMEOUT(pairing.status().phase, PairingPhase::Connecting, PlayedHome::patience);
        }
        const QSignalSpy failed(&pairing, &PairingControl::failed);
        const QSignalSpy closed(&client, &AgentClient::closed);
        home = {};
        QTRY_COMPARE_WITH_TIMEOUT(closed.size(), 1, PlayedHome::patience);
        QCOMPARE(failed.size(), underWay ? 1 : 0);
        QCOMPARE(pairing.status().phase, PairingPhase::None);
    }
};

QTEST_GUILESS_MAIN(WindowPairingTest)
#include "window_pairing_test.moc"
