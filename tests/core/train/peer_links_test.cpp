// Where a worker looks for another one.
#include <QTest>
#include <QTimer>

#include "core/train/peer_links.h"
#include "core/wire/loopback_channel.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

Fingerprint workerKey(int number) {
    Fingerprint fingerprint;
    fingerprint.bytes[0] = static_cast<quint8>(number);
    return fingerprint;
}

/// Only one place leads to the other worker.
class OnePlace : public PeerConnector {
  public:
    explicit OnePlace(QString place) : m_place(std::move(place)) {}

    void connectTo(const Fingerprint &peer, const QString &address, quint16, QObject *context,
                   Connected done) override {
        dialled << address;
        const bool isThere = address == m_place;
        QTimer::singleShot(0, context, [this, peer, isThere, done] {
            if (!isThere)
                return done(fail(QStringLiteral("wire.unreachable"), QStringLiteral("Nobody is there.")));
            auto [ours, theirs] = makeLoopbackPair(workerKey(1), peer);
            other->adopt(std::move(theirs));
            done(std::move(ours));
        });
    }

    QStringList dialled;
    PeerLinks *other = nullptr;

  private:
    QString m_place;
};

}  // namespace

class PeerLinksTest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aPeerIsSoughtAtBothOfItsPlaces_data() {
        const QString address = QStringLiteral("10.0.0.2"), elsewhere = QStringLiteral("10.1.0.2");
        QTest::addColumn<QString>("place");
        QTest::addColumn<QStringList>("dialled");
        QTest::newRow("and found at the first") << address << QStringList{address};
        QTest::newRow("and found at the other") << elsewhere << QStringList{address, elsewhere};
    }
    void aPeerIsSoughtAtBothOfItsPlaces() {
        QFETCH(QString, place);
        OnePlace near(place), far(QStringLiteral("nowhere"));
        PeerLinks links(QStringLiteral("run"), workerKey(1).toHex(), near);
        PeerLinks other(QStringLiteral("run"), workerKey(2).toHex(), far);
        near.other = &other;
        Deployment deployment;
        deployment.stages = {{0, 1, {{workerKey(1).toHex(), 0, 1}}, 1}, {1, 2, {{workerKey(2).toHex(), 0, 1}}, 1}};
        deployment.peers = {{workerKey(1).toHex(), QStringLiteral("10.0.0.1"), 1},
                            {workerKey(2).toHex(), QStringLiteral("10.0.0.2"), 1, QStringLiteral("10.1.0.2")}};
        std::optional<Result<void>> connected;
        for (PeerLinks *each : {&links, &other})
            each->setMembers({workerKey(1), workerKey(2)});
        other.connectPeers(deployment, {}, {}, [](const Result<void> &) {});
        links.connectPeers(deployment, {}, {}, [&](const Result<void> &result) { connected = result; });
        QTRY_VERIFY_WITH_TIMEOUT(connected.has_value(), patience);
        QVERIFY(*connected);
        QTEST(near.dialled, "dialled");
        QVERIFY(far.dialled.isEmpty());  // who is listed first dials
    }
};

QTEST_GUILESS_MAIN(PeerLinksTest)
#include "peer_links_test.moc"
