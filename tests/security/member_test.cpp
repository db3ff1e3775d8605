// A device of the run that turns against a worker of another one, over the run's own connections.
#include <QCborArray>
#include <QTcpServer>
#include <QTcpSocket>
#include <QTest>

#include "attack_log.h"
#include "core/model/catalogue.h"
#include "core/protocol/deployment.h"
#include "core/train/peer_links.h"
#include "core/wire/state_chunks.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/real_worker.h"

using namespace hearth;

namespace {

/// One connection of the hostile device to the worker.
struct Link {
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Rpc> rpc;
    bool closed = false;
    QString refused;  // why there is none

    Link(const Identity &identity, const RealWorker &worker) {
        const auto dialled =
            dialPatiently(identity, worker.port, worker.fingerprint, [this](std::unique_ptr<Channel> opened) {
                channel = std::move(opened);
                rpc = std::make_unique<Rpc>(channel.get());
                QObject::connect(channel.get(), &Channel::closed, [this] { closed = true; });
            });
        if (!dialled)
            refused = dialled.error().code;
    }
    ~Link() {
        if (channel)
            channel->disconnect();
    }
    bool isClosed() const {
        return QTest::qWaitFor([this] { return closed; }, patience);
    }
    bool hello(const QString &purpose) {
        return RealWorker::call(*rpc, QStringLiteral("peer.hello"),
                                {{QLatin1String("run"), QLatin1String("r")}, {QLatin1String("purpose"), purpose}})
            .has_value();
    }
    void send(const TensorHeader &header) {
        const std::shared_ptr<Buffer> zeros = Buffer::allocate(static_cast<qsizetype>(*header.bytesOfShape()));
        std::fill_n(zeros->data(), zeros->size(), std::byte{0});
        channel->sendTensor(header, Payload::of(zeros));
    }
};

}  // namespace

class MemberTest : public QObject {
    Q_OBJECT

    const Identity m_coordinator = *Identity::generate(QStringLiteral("coordinator"));
    const Identity m_mallory = *Identity::generate(QStringLiteral("mallory"));
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    std::unique_ptr<RealWorker> m_worker;

    Result<QCborMap> ask(const QString &op, const QCborMap &args = {}) {
        return RealWorker::call(*m_worker->rpc, op, args);
    }
    bool expect(const std::vector<Fingerprint> &members) {
        QCborArray list;
        for (const Fingerprint &each : members)
            list.append(each.toHex());
        return ask(QStringLiteral("expect"), {{QLatin1String("fingerprints"), list}}).has_value();
    }
    /// The worker has the first layers, the hostile device the others; it is to dial.
    Deployment plan() const {
        Deployment result;
        result.run = QStringLiteral("r");
        result.term = 1;
        result.batch = 8;
        result.microBatch = 4;
        result.microBatches = 2;
        result.coordinator = m_coordinator.fingerprint().toHex();
        result.model = m_model.toJson();
        result.input.pad = {2, 2};
        const QString theirs = m_mallory.fingerprint().toHex(), ours = m_worker->fingerprint.toHex();
        result.stages.resize(2);
        result.stages[0].lastLayer = result.stages[1].firstLayer = 2;
        result.stages[1].lastLayer = 5;
        result.stages[0].members = {{ours, 0, 4}};
        result.stages[1].members = {{theirs, 0, 4}};
        result.peers = {{theirs, QStringLiteral("127.0.0.1"), 1}, {ours, QStringLiteral("127.0.0.1"), m_worker->port}};
        return result;
    }
    /// Deployed, with the hostile device's link for data.
    std::unique_ptr<Link> member() {
        if (!expect({m_mallory.fingerprint()}))
            return nullptr;
        auto link = std::make_unique<Link>(m_mallory, *m_worker);
        if (!link->channel)
            return nullptr;
        bool greeted = false;
        link->rpc->call(QStringLiteral("peer.hello"),
                        {{QLatin1String("run"), QLatin1String("r")}, {QLatin1String("purpose"), QLatin1String("data")}},
                        std::chrono::seconds(60), this, [&](const auto &answer) { greeted = answer.has_value(); });
        const auto deployed = ask(QStringLiteral("deploy"), plan().toCbor());
        if (!deployed)
            qWarning("%s", qPrintable(deployed.error().toString()));
        return deployed && QTest::qWaitFor([&] { return greeted; }, patience) ? std::move(link) : nullptr;
    }
    /// It answers its coordinator and has not failed.
    bool isWell() {
        return ask(QStringLiteral("hello"), {{QLatin1String("run"), QLatin1String("r")}}) &&
               m_worker->failures.empty() && m_worker->process.state() == QProcess::Running;
    }
    static TensorHeader activation() {
        TensorHeader header;
        header.kind = TensorKind::Gradient;
        header.term = 1;
        header.round = 1;
        header.dims = {4, 1};
        header.sampleCount = 4;
        return header;
    }

  private Q_SLOTS:
    void init() {
        m_worker = std::make_unique<RealWorker>();
        const auto started = m_worker->start(m_coordinator.fingerprint());
        QVERIFY2(started, qPrintable(started ? QString() : started.error().toString()));
        QVERIFY(m_worker->dial(m_coordinator));
    }
    void cleanup() { m_worker.reset(); }

    void aDeviceThatIsNoMemberAnyMoreLosesItsLinks_data() {
        QTest::addColumn<bool>("byPlan");
        QTest::newRow("when the list of members leaves it out") << false;
        QTest::newRow("when a plan leaves it out") << true;
    }
    void aDeviceThatIsNoMemberAnyMoreLosesItsLinks() {
        QFETCH(bool, byPlan);
        QVERIFY(expect({m_mallory.fingerprint()}));
        Link link(m_mallory, *m_worker);
        QVERIFY2(link.channel, qPrintable(link.refused));
        QVERIFY(link.hello(QStringLiteral("probe")));
        if (byPlan) {
            Deployment alone = plan();
            alone.stages.pop_back();
            alone.stages[0].lastLayer = 5;
            alone.peers.erase(alone.peers.begin());
            QVERIFY(ask(QStringLiteral("deploy"), alone.toCbor()));
        } else {
            QVERIFY(expect({}));
        }
        QVERIFY(link.isClosed());
        const Link again(m_mallory, *m_worker);
        QCOMPARE(again.refused, QStringLiteral("wire.refused"));
        QVERIFY(isWell());
        noteAttack("a removed device at a worker", 2);
    }

    void aBadFrameEndsTheLinkItCameOn_data() {
        QTest::addColumn<TensorHeader>("header");
        const auto row = [](const char *name, auto change) {
            TensorHeader header = activation();
            change(header);
            QTest::newRow(name) << header;
        };
        row("for a stage that is not there", [](TensorHeader &header) { header.stage = 99; });
        row("of a round far ahead", [](TensorHeader &header) { header.round = 4'000'000'000; });
        row("of a micro-batch that is not there", [](TensorHeader &header) { header.microBatch = 77; });
        row("of another shape", [](TensorHeader &header) { header.dims = {3, 5, 7}; });
        row("of samples that others have", [](TensorHeader &header) { header.firstSample = 3; });
        row("with labels", [](TensorHeader &header) { header.kind = TensorKind::Label; });
        row("with samples", [](TensorHeader &header) { header.kind = TensorKind::Input; });
        row("with weights", [](TensorHeader &header) { header.kind = TensorKind::Replica; });
        row("of a sum without a group", [](TensorHeader &header) { header.kind = TensorKind::AllReduce; });
        row("of a fabric without a group", [](TensorHeader &header) {
            header.kind = TensorKind::AllReduce;
            header.slot = 2;
        });
        row("with more bytes than the plan has", [](TensorHeader &header) { header.dims = {1, 16 << 20}; });
    }
    void aBadFrameEndsTheLinkItCameOn() {
        QFETCH(TensorHeader, header);
        const auto link = member();
        QVERIFY(link);
        link->send(header);
        QVERIFY(link->isClosed());
        QVERIFY(isWell());
        noteAttack("bad frames of a member", 1);
    }

    void statesThatNoPlanHasEndTheLink() {
        const auto link = member();
        QVERIFY(link);
        qint64 bytes = 0;
        for (const Layer &layer : m_model.layers) {
            for (const TensorSpec &tensor : layer.shape.tensors)
                bytes += 3 * tensor.elements() * 4;  // with what an optimizer keeps
        }
        const int enough = static_cast<int>(bytes / stateChunkBytes) + 2;
        for (int i = 0; i < enough; ++i)
            link->send(stateChunkHeader({0, 9, i, enough}, enough * stateChunkBytes, 5));
        QVERIFY(link->isClosed());
        QVERIFY(isWell());
        noteAttack("states of a plan that never comes", 1);
    }

    void frozenTensorsThatNoPlanListsAreNeitherTakenNorGiven() {
        const auto link = member();
        QVERIFY(link);
        constexpr int chunks = 50;
        for (int i = 0; i < chunks; ++i)
            link->send(stateChunkHeader({0, frozenVersion, i, chunks}, chunks * stateChunkBytes, 1));
        const auto given = RealWorker::call(
            *link->rpc, QStringLiteral("frozen.get"),
            {{QLatin1String("term"), 1}, {QLatin1String("layer"), 0}, {QLatin1String("sha256"), QString()}});
        QVERIFY(!given);
        QCOMPARE(given.error().code, QStringLiteral("worker.no-frozen"));
        QVERIFY(isWell());
        noteAttack("frozen tensors of no plan", chunks + 1);
    }

    void beforeThePlanAMemberMaySendWhatAMeasurementTakes() {
        QVERIFY(expect({m_mallory.fingerprint()}));
        Link link(m_mallory, *m_worker);
        QVERIFY2(link.channel, qPrintable(link.refused));
        QVERIFY(link.hello(QStringLiteral("probe")));
        TensorHeader header;
        header.kind = TensorKind::Replica;
        header.dtype = DType::UInt8;
        header.dims = {static_cast<quint32>(PeerLinks::burstFrame)};
        link.send(header);
        QVERIFY(RealWorker::call(*link.rpc, QStringLiteral("peer.ping")));
        header.dims = {static_cast<quint32>(PeerLinks::burstFrame) + 1};
        link.send(header);
        QVERIFY(link.isClosed());
        QVERIFY(isWell());
        noteAttack("large frames before a plan", 1);
    }

    void aMemberHasFewLinks() {
        QVERIFY(expect({m_mallory.fingerprint()}));
        constexpr int tries = 12;
        std::vector<std::unique_ptr<Link>> links;
        for (int i = 0; i < tries; ++i) {
            links.push_back(std::make_unique<Link>(m_mallory, *m_worker));
            QVERIFY2(links.back()->channel, qPrintable(links.back()->refused));
        }
        const auto open = [&] { return std::ranges::count_if(links, [](const auto &link) { return !link->closed; }); };
        QTRY_COMPARE_WITH_TIMEOUT(open(), PeerLinks::maximumLinks, patience);
        for (const auto &link : links)
            QVERIFY(link->closed || link->hello(QStringLiteral("probe")));
        noteAttack("connections of one member", tries);
    }

    void aCoordinatorLooksAtNobodysPorts() {
        const auto probe = [this](quint16 port) {
            const auto answer =
                ask(QStringLiteral("link.probe"), {{QLatin1String("fingerprint"), m_mallory.fingerprint().toHex()},
                                                   {QLatin1String("address"), QLatin1String("127.0.0.1")},
                                                   {QLatin1String("port"), port}});
            return answer ? Error() : answer.error();
        };
        QCOMPARE(probe(m_worker->port).code, QStringLiteral("worker.bad-request"));
        QVERIFY(expect({m_mallory.fingerprint()}));
        QTcpServer taken;
        QVERIFY(taken.listen(QHostAddress::LocalHost));
        const quint16 port = taken.serverPort();
        connect(&taken, &QTcpServer::newConnection, this, [&taken] { taken.nextPendingConnection()->abort(); });
        const Error somebody = probe(port);
        taken.close();
        const Error nobody = probe(port);
        QCOMPARE(somebody.code, QStringLiteral("worker.peer-unreachable"));
        QCOMPARE(nobody.toString(), somebody.toString());
        noteAttack("looking at ports through a worker", 3);
    }
};

QTEST_GUILESS_MAIN(MemberTest)
#include "member_test.moc"
