// Who is asked for frozen tensors, in which order, and who gets an answer.
#include <QSignalSpy>
#include <QTest>
#include <QTimer>
#include <map>

#include "core/train/frozen_exchange.h"
#include "core/wire/loopback_channel.h"
#include "core/wire/state_chunks.h"
#include "tests/core/base/patience.h"

using namespace hearth;

namespace {

Fingerprint key(int device) {
    Fingerprint fingerprint;
    fingerprint.bytes[0] = static_cast<quint8>(device);
    return fingerprint;
}

QString hash(int layer) {
    return QString(64, QLatin1Char(static_cast<char>('a' + layer)));
}

class Side;
using Sides = std::map<QString, Side *>;

/// One worker without any computing.
class Side : public PeerConnector {
  public:
    Side(int number, Sides &all, std::chrono::milliseconds waits)
        : m_all(all),
          self(key(number)),
          links(QStringLiteral("run"), self.toHex(), *this),
          sender([this](const QString &device) { return links.channel(device); }, [] { return false; }),
          exchange(self.toHex(), links, sender,
                   {[this](int layer, const QString &from) { expected[layer] << from; },
                    [this](quint32, int layer) { asked << layer; },
                    [this](int layer, const FrozenExchange::Found &found) {
                        ++looked;
                        if (!isSilent)
                            QTimer::singleShot(0, &exchange, [this, layer, found] { found(here.value(layer)); });
                    }},
                   waits) {
        all[self.toHex()] = this;
        QObject::connect(&links, &PeerLinks::tensorReceived, &exchange,
                         [this](const QString &device, const TensorFrame &frame) {
                             came << std::make_pair(device, int(frame.header.stage));
                             exchange.heard(device);
                         });
    }

    void connectTo(const Fingerprint &peer, const QString &, quint16, QObject *context, Connected done) override {
        QTimer::singleShot(0, context, [this, peer, done] {
            auto [ours, theirs] = makeLoopbackPair(self, peer);
            m_all.at(peer.toHex())->links.adopt(std::move(theirs));
            done(std::move(ours));
        });
    }

  private:
    Sides &m_all;

  public:
    Fingerprint self;
    QMap<int, QStringList> expected;  // by layer: from whom, one after the other
    QList<int> asked;                 // the coordinator
    QList<std::pair<QString, int>> came;
    QMap<int, std::shared_ptr<const Buffer>> here;
    bool isSilent = false;
    int looked = 0;
    PeerLinks links;
    StateSender sender;
    FrozenExchange exchange;
};

std::shared_ptr<const Buffer> bytes() {
    const std::shared_ptr<Buffer> buffer = Buffer::allocate(2 * stateChunkBytes + 5);
    std::ranges::fill(buffer->bytes(), std::byte{7});
    return buffer;
}

}  // namespace

class FrozenExchangeTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { makeSides(std::chrono::milliseconds(patience)); }

    void holdersComeFirstAndThenTheGroup() {
        Deployment deployment = plan({});
        deployment.frozen[0].holders = {2, 0};
        const auto of = [&](int layer, int device) {
            return FrozenExchange::sourcesOf(deployment, layer, key(device).toHex());
        };
        QCOMPARE(of(0, 2), (std::vector<QString>{key(3).toHex(), key(1).toHex()}));
        QCOMPARE(of(0, 1), (std::vector<QString>{key(3).toHex()}));
        QCOMPARE(of(1, 1), std::vector<QString>());
        QCOMPARE(of(1, 3), (std::vector<QString>{key(2).toHex(), key(1).toHex()}));
    }

    void everyLayerComesFromWhoHasIt() {
        const Deployment deployment = plan({1});
        side(2).here = {{0, bytes()}, {1, bytes()}, {2, bytes()}};
        deploy(deployment);
        side(1).exchange.fetch(1, {0, 1, 2});
        side(2).exchange.fetch(1, {});
        for (int layer = 0; layer < 3; ++layer) {
            QTRY_COMPARE_WITH_TIMEOUT(side(1).came.count({key(2).toHex(), layer}), 3, patience);
            QCOMPARE(side(1).expected.value(layer), QStringList{key(2).toHex()});
            // No more than two at a time.
            QCOMPARE(side(1).expected.contains(2), layer > 0);
            side(1).exchange.arrived(1, layer);
        }
        QVERIFY(side(1).asked.isEmpty());
    }

    /// However long that takes.
    void whoAwaitsItSelfAnswersLater() {
        makeSides(std::chrono::milliseconds(0));
        deploy(plan({}));
        side(1).exchange.fetch(1, {0});
        side(2).exchange.fetch(1, {0});
        QCOMPARE(side(1).asked, QList<int>{0});
        QTRY_COMPARE_WITH_TIMEOUT(side(2).expected.value(0), QStringList{key(1).toHex()}, patience);
        QTest::qWait(20);
        side(1).here[0] = bytes();
        side(1).exchange.arrived(1, 0);
        QTRY_COMPARE_WITH_TIMEOUT(side(2).came.size(), 3, patience);
        QVERIFY(side(2).asked.isEmpty());
    }

    void whoFailsIsReplaced_data() {
        QTest::addColumn<QString>("failure");
        for (const char *failure : {"has nothing", "silent", "wrong", "gone", "unreachable"})
            QTest::newRow(failure) << QString::fromLatin1(failure);
    }
    void whoFailsIsReplaced() {
        QFETCH(QString, failure);
        // Nothing else tells of these.
        if (failure == QLatin1String("silent") || failure == QLatin1String("unreachable"))
            makeSides(std::chrono::seconds(4));
        side(2).isSilent = failure == QLatin1String("silent") || failure == QLatin1String("gone");
        if (failure == QLatin1String("wrong"))
            side(2).here[0] = bytes();
        side(3).here[0] = bytes();
        deploy(plan({1, 2}), failure == QLatin1String("unreachable") ? QSet<int>{2} : QSet<int>{});
        side(1).exchange.fetch(1, {0});
        side(2).exchange.fetch(1, {});
        side(3).exchange.fetch(1, {});
        if (failure == QLatin1String("wrong")) {
            QTRY_COMPARE_WITH_TIMEOUT(side(1).came.size(), 3, patience);
            side(1).exchange.wasWrong(1, 0, key(2).toHex());
        } else if (failure == QLatin1String("gone")) {
            QTRY_COMPARE_WITH_TIMEOUT(side(1).expected.value(0).size(), 1, patience);
            side(2).links.closeAll({QStringLiteral("test.gone"), QStringLiteral("Gone."), {}, {}});
        }
        QTRY_COMPARE_WITH_TIMEOUT(side(1).came.count({key(3).toHex(), 0}), 3, patience);
        QCOMPARE(side(1).expected.value(0).last(), key(3).toHex());
        QVERIFY(side(1).asked.isEmpty());
        // That one's are no better: the coordinator, and after it nobody.
        side(1).exchange.wasWrong(1, 0, key(3).toHex());
        QCOMPARE(side(1).asked, QList<int>{0});
        QCOMPARE(side(1).expected.value(0).last(), QString());
        QSignalSpy failed(&side(1).exchange, &FrozenExchange::failed);
        side(1).exchange.wasWrong(1, 0, QString());
        QCOMPARE(failed.size(), 1);
        QCOMPARE(failed.first().at(1).value<Error>().code, QStringLiteral("worker.no-frozen"));
    }

    void onlyWhatIsListedIsGiven_data() {
        QTest::addColumn<int>("term");
        QTest::addColumn<int>("layer");
        QTest::addColumn<QString>("sha256");
        QTest::addColumn<bool>("given");
        QTest::newRow("as listed") << 1 << 0 << hash(0) << true;
        QTest::newRow("another hash") << 1 << 0 << hash(1) << false;
        QTest::newRow("no hash") << 1 << 0 << QString() << false;
        QTest::newRow("a layer that is not listed") << 1 << 3 << hash(0) << false;
        QTest::newRow("a negative layer") << 1 << -1 << hash(0) << false;
        QTest::newRow("an older term") << 0 << 0 << hash(0) << false;
        QTest::newRow("a term that cannot be") << -7 << 0 << hash(0) << false;
    }
    void onlyWhatIsListedIsGiven() {
        QFETCH(int, term);
        QFETCH(int, layer);
        QFETCH(QString, sha256);
        QFETCH(bool, given);
        side(2).here = {{0, bytes()}, {3, bytes()}};
        deploy(plan({1}));
        side(2).exchange.fetch(1, {});
        QTRY_VERIFY_WITH_TIMEOUT(side(1).links.channel(key(2).toHex()), patience);
        const auto answer = ask(term, layer, sha256);
        QCOMPARE(bool(answer), given);
        QCOMPARE(side(1).came.size(), given ? 3 : 0);
        if (!given)
            QCOMPARE(answer.error().code, QStringLiteral("worker.no-frozen"));
    }

    /// A member that asks on and on keeps this device from nothing.
    void twoQuestionsAtATimeAreTaken() {
        side(2).isSilent = true;
        deploy(plan({1}));
        side(2).exchange.fetch(1, {});
        QTRY_VERIFY_WITH_TIMEOUT(side(1).links.channel(key(2).toHex()), patience);
        m_refused = 0;
        for (int i = 0; i < 10; ++i)
            side(1).links.call(key(2).toHex(), QStringLiteral("frozen.get"), question(1, 0, hash(0)),
                               std::chrono::minutes(1), this,
                               [this](const Result<QCborMap> &answer) { m_refused += answer ? 0 : 1; });
        QTRY_COMPARE_WITH_TIMEOUT(m_refused, 8, patience);
    }

    /// Over a new link it asks anew.
    void whatWasAskedForOverALostLinkIsForgotten() {
        side(2).isSilent = true;
        deploy(plan({1}));
        side(2).exchange.fetch(1, {});
        const auto askTwice = [&] {
            QTRY_VERIFY_WITH_TIMEOUT(side(1).links.channel(key(2).toHex()), patience);
            for (const int layer : {0, 1})
                side(1).links.call(key(2).toHex(), QStringLiteral("frozen.get"), question(1, layer, hash(layer)),
                                   std::chrono::minutes(1), this, [](const Result<QCborMap> &) {});
        };
        askTwice();
        QTRY_COMPARE_WITH_TIMEOUT(side(2).looked, 2, patience);
        side(1).links.end(key(2).toHex(), {QStringLiteral("test.gone"), QStringLiteral("Gone."), {}, {}});
        QTRY_VERIFY_WITH_TIMEOUT(!side(2).links.channel(key(1).toHex()), patience);
        side(1).links.connectPeers(plan({1}), {}, {}, [](const Result<void> &) {});
        askTwice();
        QTRY_COMPARE_WITH_TIMEOUT(side(2).looked, 4, patience);
    }

    /// Asked for under the next deployment, it answers once it has that.
    void aQuestionMayComeBeforeTheDeployment() {
        side(2).here[0] = bytes();
        deploy(plan({1}));
        QTRY_VERIFY_WITH_TIMEOUT(side(1).links.channel(key(2).toHex()), patience);
        Deployment next = plan({1});
        next.term = 2;
        side(1).exchange.begin(next);
        side(1).exchange.fetch(2, {0});
        QTest::qWait(50);
        QVERIFY(side(1).came.isEmpty());
        side(2).exchange.begin(next);
        side(2).exchange.fetch(2, {});
        QTRY_COMPARE_WITH_TIMEOUT(side(1).came.size(), 3, patience);
    }

  private:
    void makeSides(std::chrono::milliseconds waits) {
        m_sides.clear();
        m_byKey.clear();
        QSet<Fingerprint> members;
        for (int i = 1; i <= 3; ++i) {
            m_sides.push_back(std::make_unique<Side>(i, m_byKey, waits));
            members.insert(key(i));
        }
        for (const auto &each : m_sides)
            each->links.setMembers(members);
    }

    Side &side(int number) { return *m_sides[static_cast<std::size_t>(number - 1)]; }

    /// Of a group of three, with three frozen layers that these peers have.
    static Deployment plan(const std::vector<int> &holders) {
        Deployment deployment;
        deployment.term = 1;
        deployment.stages = {{0, 4, {{key(1).toHex(), 0, 1}, {key(2).toHex(), 1, 1}, {key(3).toHex(), 2, 1}}, 1}};
        for (int device = 1; device <= 3; ++device)
            deployment.peers.push_back({key(device).toHex(), QStringLiteral("127.0.0.1"), 1});
        for (int layer = 0; layer < 3; ++layer)
            deployment.frozen.push_back({layer, hash(layer), holders});
        return deployment;
    }

    void deploy(const Deployment &deployment, const QSet<int> &without = {}) {
        for (int number = 1; number <= 3; ++number) {
            if (without.contains(number))
                continue;
            side(number).exchange.begin(deployment);
            side(number).links.connectPeers(deployment, {}, {}, [](const Result<void> &) {});
        }
    }

    static QCborMap question(int term, int layer, const QString &sha256) {
        return {{QLatin1String("term"), term}, {QLatin1String("layer"), layer}, {QLatin1String("sha256"), sha256}};
    }

    Result<QCborMap> ask(int term, int layer, const QString &sha256) {
        std::optional<Result<QCborMap>> answer;
        side(1).links.call(key(2).toHex(), QStringLiteral("frozen.get"), question(term, layer, sha256),
                           std::chrono::minutes(1), this, [&](Result<QCborMap> result) { answer = std::move(result); });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, patience))
            return fail(QStringLiteral("test.no-answer"), QStringLiteral("No answer."));
        // Answers overtake tensors.
        (void)QTest::qWaitFor([&] { return !*answer || side(1).came.size() == 3; }, patience);
        return *answer;
    }

    int m_refused = 0;
    Sides m_byKey;
    std::vector<std::unique_ptr<Side>> m_sides;
};

QTEST_GUILESS_MAIN(FrozenExchangeTest)
#include "frozen_exchange_test.moc"
