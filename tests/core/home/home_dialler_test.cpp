// Where a device is looked for, in which order and how often; the network is played.
#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

#include "core/home/device_info.h"
#include "core/home/home_dialler.h"
#include "core/wire/loopback_channel.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

/// Keeps what is dialled until the test says how it ends.
struct PlayedNetwork {
    struct Attempt {
        QString host;
        QPointer<QObject> context;
        DialCallback callback;
    };
    QList<Attempt> attempts;

    HomeDialler::Dial dial() {
        return [this](const QString &host, quint16, const Fingerprint &, QObject *context, DialCallback callback) {
            attempts.append({host, context, std::move(callback)});
        };
    }
    QStringList hosts() const {
        QStringList list;
        for (const Attempt &attempt : attempts)
            list << attempt.host;
        return list;
    }
    void fail(qsizetype index, const char *code = "wire.unreachable") {
        auto callback = std::exchange(attempts[index].callback, nullptr);
        callback(hearth::fail(QLatin1String(code), attempts[index].host + QStringLiteral(" cannot be reached.")));
    }
    void succeed(qsizetype index) {
        auto callback = std::exchange(attempts[index].callback, nullptr);
        callback(std::move(makeLoopbackPair().first));
    }
};

int logged = 0;  // lines

void countLines(QtMsgType, const QMessageLogContext &context, const QString &) {
    logged += qstrcmp(context.category, "hearth.home.dial") == 0 ? 1 : 0;
}

Fingerprint device(quint8 number) {
    Fingerprint fingerprint;
    fingerprint.bytes.fill(number);
    return fingerprint;
}

QStringList addresses(const QString &hosts) {
    QStringList list;
    for (const QString &host : hosts.split(QLatin1Char(' '), Qt::SkipEmptyParts))
        list << joinAddress(host, 47600);
    return list;
}

}  // namespace

class HomeDiallerTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_trust = std::make_unique<TrustStore>(*TrustStore::load(m_folder->filePath(QStringLiteral("trust.json"))));
        m_network = {};
        m_linked = false;
        m_dialler =
            std::make_unique<HomeDialler>(*m_trust, m_network.dial(), [this](const Fingerprint &) { return m_linked; });
    }
    void cleanup() { m_dialler.reset(); }

    void theNextAddressDoesNotWaitForOneThatKeepsSilent() {
        know("10.0.0.1 10.0.0.2 10.0.0.3");
        m_dialler->dialKnown();
        QCOMPARE(m_network.hosts(), QStringList{QStringLiteral("10.0.0.1")});
        QTRY_COMPARE_WITH_TIMEOUT(m_network.attempts.size(), 3, patience);
    }

    void anAddressThatFailsMakesWayAtOnce() {
        know("10.0.0.1 10.0.0.2");
        m_dialler->dialKnown();
        m_network.fail(0);
        QCOMPARE(m_network.hosts(), (QStringList{QStringLiteral("10.0.0.1"), QStringLiteral("10.0.0.2")}));
    }

    void theFirstConnectionWinsAndTheOthersEnd() {
        know("10.0.0.1 10.0.0.2");
        QStringList connected;
        connect(m_dialler.get(), &HomeDialler::connected, this, [&](Channel *channel, const QString &address) {
            connected << address;
            delete channel;
        });
        m_dialler->dialKnown();
        QTRY_COMPARE_WITH_TIMEOUT(m_network.attempts.size(), 2, patience);
        m_network.succeed(1);
        m_network.succeed(0);  // a moment too late
        QCOMPARE(connected, addresses(QStringLiteral("10.0.0.2")));
        QTRY_VERIFY_WITH_TIMEOUT(!m_network.attempts[0].context, patience);
    }

    void aRoundWithoutSuccessIsFollowedByAnother() {
        know("10.0.0.1");
        m_dialler->dialKnown();
        m_network.fail(0);
        QTRY_COMPARE_WITH_TIMEOUT(m_network.attempts.size(), 2, patience);
    }

    void anAddressThatStaysAwayIsLoggedOnce() {
        know("10.0.0.1 10.0.0.2");
        logged = 0;
        const QtMessageHandler before = qInstallMessageHandler(countLines);
        m_dialler->dialKnown();
        for (int attempt = 0; attempt < 6; ++attempt) {  // three rounds
            if (!QTest::qWaitFor([&] { return m_network.attempts.size() > attempt; }, patience))
                break;
            m_network.fail(attempt);
        }
        qInstallMessageHandler(before);
        QCOMPARE(m_network.attempts.size(), 6);
        QCOMPARE(logged, 2);
    }

    void whatIsAnnouncedWithoutEndDoesNotFillTheLog() {
        know("10.0.0.1");
        logged = 0;
        const QtMessageHandler before = qInstallMessageHandler(countLines);
        for (quint8 number = 2; number < 102; ++number) {
            const bool isKnown =
                m_trust->add({device(number), QStringLiteral("device"), addresses(QStringLiteral("10.0.0.9"))})
                    .has_value();
            m_dialler->setHints(device(number), addresses(QStringLiteral("10.0.0.8")));
            if (isKnown && !m_network.attempts.isEmpty())
                m_network.fail(m_network.attempts.size() - 1);
        }
        qInstallMessageHandler(before);
        QVERIFY2(logged > 0 && logged < 100, qPrintable(QString::number(logged)));
    }

    void whereItWasLinkedLastComesFirst() {
        know("10.0.0.1 10.0.0.2");
        m_dialler->setSeenAt(device(1), addresses(QStringLiteral("10.0.0.2")).first());
        m_dialler->dialKnown();
        QCOMPARE(m_network.hosts(), QStringList{QStringLiteral("10.0.0.2")});
    }

    void anAnnouncementOfADeviceWithoutLinkIsFollowedAtOnce() {
        know("");
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.9")));
        QCOMPARE(m_network.hosts(), QStringList{QStringLiteral("10.0.0.9")});
    }

    void anAnnouncementDoesNotWaitForOldAddressesThatKeepSilent() {
        know("10.0.0.1 10.0.0.2 10.0.0.3 10.0.0.4 10.0.0.5");
        m_dialler->dialKnown();
        QTRY_COMPARE_WITH_TIMEOUT(m_network.attempts.size(), int(HomeDialler::maximumAtOnce), patience);
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.9 10.0.0.2")));
        QCOMPARE(m_network.hosts().mid(4), QStringList{QStringLiteral("10.0.0.9")});
        // And nobody sets the pace by announcing.
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.10")));
        QCOMPARE(m_network.attempts.size(), 5);
    }

    void anAnnouncementOfALinkedDeviceIsNotFollowed() {
        know("10.0.0.1");
        m_linked = true;
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.9")));
        m_dialler->dialKnown();
        QVERIFY(m_network.attempts.isEmpty());
    }

    void anAnnouncementOfAStrangerIsNotFollowed() {
        know("10.0.0.1");
        m_dialler->setHints(device(2), addresses(QStringLiteral("10.0.0.9")));
        QVERIFY(m_network.attempts.isEmpty());
    }

    void knownAndAnnouncedAddressesTakeTurns() {
        know("10.0.0.1 10.0.0.2");
        m_linked = true;
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.8 10.0.0.9 10.0.0.1")));
        m_linked = false;
        m_dialler->dialKnown();
        for (int i = 0; i < 4; ++i)
            m_network.fail(i);
        QCOMPARE(m_network.hosts().join(QLatin1Char(' ')), QStringLiteral("10.0.0.1 10.0.0.8 10.0.0.2 10.0.0.9"));
    }

    void aFloodOfAnnouncementsCostsLittle() {
        know("10.0.0.1");
        QElapsedTimer timer;
        timer.start();
        for (int i = 0; i < 200; ++i) {
            QStringList many;
            for (int j = 0; j < 50; ++j)
                many << joinAddress(QStringLiteral("10.1.%1.%2").arg(i).arg(j), 47600);
            m_dialler->setHints(device(1), many);
            while (!m_network.attempts.isEmpty() && m_network.attempts.last().callback)
                m_network.fail(m_network.attempts.size() - 1);
        }
        // One round that the first of them brought forward: the others wait for their turn, which comes on a machine
        // that is so slow.
        const qint64 rounds = 1 + timer.elapsed() / HomeDialler::hintPause.count();
        QVERIFY2(m_network.attempts.size() <= rounds * (1 + HomeDialler::maximumHints),
                 qPrintable(QString::number(m_network.attempts.size())));
        QVERIFY(m_network.hosts().contains(QStringLiteral("10.0.0.1")));
    }

    void whereSomebodyElseWasFoundIsLeftAlone() {
        know("10.0.0.1");
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.9")));
        QCOMPARE(m_network.hosts(), QStringList{QStringLiteral("10.0.0.1")});
        m_network.fail(0);
        m_network.fail(1, "wire.wrong-identity");
        QTRY_COMPARE_WITH_TIMEOUT(m_network.attempts.size(), 3, patience);
        m_network.fail(2);
        QTRY_COMPARE_WITH_TIMEOUT(m_network.attempts.size(), 4, patience);
        QCOMPARE(m_network.hosts().count(QStringLiteral("10.0.0.9")), 1);
    }

    void nothingIsDialledAfterTheEnd() {
        know("10.0.0.1 10.0.0.2");
        m_dialler->dialKnown();
        m_dialler->stop();
        m_network.fail(0);
        m_dialler->setHints(device(1), addresses(QStringLiteral("10.0.0.9")));
        m_dialler->dialKnown();
        QCOMPARE(m_network.attempts.size(), 1);
    }

  private:
    void know(const char *hosts) {
        QVERIFY(m_trust->add({device(1), QStringLiteral("nano"), addresses(QLatin1String(hosts))}));
    }

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<TrustStore> m_trust;
    PlayedNetwork m_network;
    bool m_linked = false;
    std::unique_ptr<HomeDialler> m_dialler;
};

QTEST_GUILESS_MAIN(HomeDiallerTest)
#include "home_dialler_test.moc"
