// A trusted fabric in place of the built-in AllReduce, and the way back when it fails.
#include <QTest>
#include <algorithm>
#include <atomic>
#include <latch>
#include <semaphore>

#include "core/model/catalogue.h"
#include "core/train/group_fabric.h"
#include "tests/core/base/patience.h"
#include "tests/core/train/loopback_home.h"

using namespace hearth;

namespace {

constexpr int batchSize = 16;
constexpr int rounds = 6;
constexpr int failingRound = 3;
const QString gloo = QStringLiteral("gloo");

InputTransform padded() {
    InputTransform input;
    input.pad = {2, 2};
    return input;
}

std::vector<SampleBatch> batches() {
    std::vector<SampleBatch> list;
    for (int r = 0; r < rounds; ++r)
        list.push_back(syntheticBatch(batchSize, 10, 300 + static_cast<quint64>(r)));
    return list;
}

enum class Trouble { None, NoGloo, NeverThere, WrongAddress, Fails, Hangs };

/// Gloo itself, except for what one member is told to do wrong.
class Troubled : public FabricBackend {
  public:
    Troubled(Trouble trouble, std::atomic<int> &sums, std::latch &released)
        : m_trouble(trouble), m_gloo(std::move(*makeFabricBackend(gloo))), m_sums(sums), m_released(released) {}

    Result<void> connect(const FabricPlace &place, const std::shared_ptr<Rendezvous> &rendezvous) override {
        if (m_trouble == Trouble::NeverThere)
            return rendezvous->get("an entry that nobody makes", std::chrono::hours(1)).map([](const QByteArray &) {});
        return m_gloo->connect(place, rendezvous);
    }
    Result<void> allReduce(std::byte *values, qint64 elements, DType dtype) override {
        if (++m_mine == failingRound && m_trouble == Trouble::Fails)
            return fail(QStringLiteral("test.failed"), QStringLiteral("It failed."),
                        QStringLiteral("A test wants it."));
        if (m_mine == failingRound && m_trouble == Trouble::Hangs)
            m_released.wait();
        ++m_sums;
        return m_gloo->allReduce(values, elements, dtype);
    }

  private:
    Trouble m_trouble;
    std::unique_ptr<FabricBackend> m_gloo;
    std::atomic<int> &m_sums;
    std::latch &m_released;
    int m_mine = 0;
};

/// A backend without a library, for one GroupFabric.
class Scripted : public FabricBackend {
  public:
    Scripted(std::latch *connects, std::latch *sums, std::atomic<bool> *ended)
        : m_connects(connects), m_sums(sums), m_ended(ended) {}
    ~Scripted() override { *m_ended = true; }
    Result<void> connect(const FabricPlace &, const std::shared_ptr<Rendezvous> &) override {
        if (m_connects)
            m_connects->wait();
        return {};
    }
    Result<void> allReduce(std::byte *values, qint64 elements, DType) override {
        if (m_sums)
            m_sums->wait();
        for (qint64 i = 0; i < elements; ++i)
            values[i] = std::byte{9};
        return {};
    }

  private:
    std::latch *m_connects, *m_sums;
    std::atomic<bool> *m_ended;
};

}  // namespace

class FabricTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void everyRoundIsSummedByGloo_data();
    void everyRoundIsSummedByGloo();
    void aDeviceKeepsItsGradientsEncryptedByItself();
    void aFabricThatFailsFallsBack_data();
    void aFabricThatFailsFallsBack();
    void aSumGoesAhead();
    void aBackendThatHangsIsLeftBehind_data();
    void aBackendThatHangsIsLeftBehind();
    void entriesAreBounded();
    void anUnknownBackendIsNamed();

  private:
    void train(LoopbackHome &home, Deployment deployment);
    void verifySame(LoopbackHome &home, int members);
    const Model m_model = *loadModel(QStringLiteral("fashion-cnn"));
    TrainingSpec m_training;
    ReferenceRun m_expected;
};

void FabricTest::train(LoopbackHome &home, Deployment deployment) {
    for (Deployment::Stage &stage : deployment.stages)
        stage.fabric = gloo;
    const auto deployed = home.deploy(deployment);
    QVERIFY2(deployed, qPrintable(deployed ? QString() : deployed.error().toString()));
    const auto all = batches();
    for (int r = 1; r <= rounds; ++r) {
        home.feed(static_cast<quint32>(r), all[static_cast<std::size_t>(r - 1)]);
        QVERIFY2(home.waitForRound(static_cast<quint32>(r)),
                 qPrintable(home.failures.empty() ? QString() : home.failures[0].toString()));
    }
}

/// All members' weights: the plain loop's to 1e-10, and each other's to the bit.
void FabricTest::verifySame(LoopbackHome &home, int members) {
    if (m_expected.losses.empty()) {
        m_training.precision = Precision::Float64;
        m_expected = trainPlainly(m_model, m_training, padded(), batches());
    }
    const std::vector<NamedTensor> first = home.weights(0);
    QCOMPARE(differenceOf(first, m_expected.weights), QString());
    for (int member = 1; member < members; ++member) {
        const std::vector<NamedTensor> other = home.weights(member);
        QCOMPARE(other.size(), first.size());
        for (std::size_t i = 0; i < first.size(); ++i)
            QVERIFY(std::ranges::equal(other[i].data->bytes(), first[i].data->bytes()));
    }
}

void FabricTest::everyRoundIsSummedByGloo_data() {
    QTest::addColumn<int>("members");
    QTest::newRow("by two members") << 2;
    QTest::newRow("by three members") << 3;
}

void FabricTest::everyRoundIsSummedByGloo() {
    QFETCH(int, members);
    std::atomic<int> sums = 0;
    std::latch released(0);
    WorkerOptions options;
    options.openFabric = [&](const QString &) -> Result<std::unique_ptr<FabricBackend>> {
        return std::make_unique<Troubled>(Trouble::None, sums, released);
    };
    LoopbackHome home(members, options);
    m_training.precision = Precision::Float64;
    TestPlan plan{8, {{0, 5, {{0, 5}, {1, 3}}, 1}}};
    if (members == 3)
        plan = {8, {{0, 5, {{0, 4}, {1, 3}, {2, 1}}, 1}}};
    train(home, home.deployment(m_model, plan, batchSize, m_training, padded()));
    QCOMPARE(sums, members * rounds);
    QVERIFY(home.fabricFailures.empty());
    verifySame(home, members);
}

void FabricTest::aDeviceKeepsItsGradientsEncryptedByItself() {
    constexpr int members = 2;
    std::atomic<int> sums = 0;
    std::latch released(0);
    WorkerOptions options;
    options.openFabric = [&](const QString &) -> Result<std::unique_ptr<FabricBackend>> {
        return std::make_unique<Troubled>(Trouble::None, sums, released);
    };
    LoopbackHome home(members, options);
    m_training.precision = Precision::Float64;
    Deployment deployment =
        home.deployment(m_model, {8, {{0, 5, {{0, 5}, {1, 3}}, 1}}}, batchSize, m_training, padded());
    deployment.peers[1].address = QStringLiteral("192.0.2.1");  // beyond this machine
    train(home, deployment);
    QCOMPARE(sums, 0);
    QVERIFY(std::ranges::any_of(home.fabricFailures,
                                [](const Error &error) { return error.code == QLatin1String("fabric.not-trusted"); }));
    verifySame(home, members);
}

void FabricTest::aFabricThatFailsFallsBack_data() {
    QTest::addColumn<Trouble>("trouble");
    QTest::addColumn<int>("summedRounds");  // by everybody over the fabric
    QTest::addColumn<QString>("tells");
    QTest::newRow("when one member's library has no Gloo")
        << Trouble::NoGloo << 0 << QStringLiteral("fabric.unavailable");
    QTest::newRow("when one member cannot be met") << Trouble::NeverThere << 0 << QStringLiteral("fabric.timeout");
    QTest::newRow("when one member's address is not its own")
        << Trouble::WrongAddress << 0 << QStringLiteral("fabric.failed");
    QTest::newRow("when one member's sum fails in the third round")
        << Trouble::Fails << failingRound - 1 << QStringLiteral("test.failed");
    QTest::newRow("when one member freezes in the third round")
        << Trouble::Hangs << failingRound - 1 << QStringLiteral("fabric.timeout");
}

void FabricTest::aFabricThatFailsFallsBack() {
    QFETCH(Trouble, trouble);
    QFETCH(int, summedRounds);
    QFETCH(QString, tells);
    constexpr int members = 3;
    std::atomic<int> sums = 0, opened = 0;
    std::latch released(1);
    WorkerOptions options;
    options.trustsFabric = true;
    options.openFabric = [&](const QString &name) -> Result<std::unique_ptr<FabricBackend>> {
        const bool isTheOne = ++opened == 1;
        if (isTheOne && trouble == Trouble::NoGloo)
            return makeFabricBackend(name + QStringLiteral(" that is not there"));
        return std::make_unique<Troubled>(isTheOne ? trouble : Trouble::None, sums, released);
    };
    LoopbackHome home(members, options);
    m_training.precision = Precision::Float64;
    Deployment deployment =
        home.deployment(m_model, {8, {{0, 5, {{0, 4}, {1, 3}, {2, 1}}, 1}}}, batchSize, m_training, padded());
    if (trouble == Trouble::NeverThere)
        deployment.fabricDeadlineMs = 1000;
    if (trouble == Trouble::Hangs)
        deployment.fabricDeadlineMs = 15'000;  // enough for the two rounds before, whatever else the machine does
    if (trouble == Trouble::WrongAddress)
        deployment.peers[1].address = QStringLiteral("192.0.2.1");  // for documentation: nobody has it
    train(home, deployment);
    released.count_down();
    // Each member's calls up to the failure, and at most one more: nobody asks the fabric again.
    QVERIFY2(sums >= members * summedRounds && sums <= members * (summedRounds + 1), qPrintable(QString::number(sums)));
    QVERIFY(std::ranges::any_of(home.fabricFailures, [&](const Error &error) { return error.code == tells; }));
    QVERIFY(static_cast<int>(home.fabricFailures.size()) <= members);
    for (const Error &error : home.fabricFailures)
        QVERIFY2(error.code == QLatin1String("test.failed") || !error.advice.isEmpty(), qPrintable(error.toString()));
    verifySame(home, members);
}

void FabricTest::aSumGoesAhead() {
    std::atomic<bool> ended = false;
    std::latch woken(1);
    auto values = std::make_shared<std::vector<std::byte>>(4);
    {
        GroupFabric fabric(std::make_unique<Scripted>(nullptr, nullptr, &ended), {}, [&] { woken.count_down(); });
        fabric.sum(values->data(), 4, DType::UInt8, values);
        woken.wait();
        const auto outcome = fabric.takeOutcome();
        QVERIFY(outcome && *outcome);
        QVERIFY(!fabric.takeOutcome());
        QCOMPARE((*values)[3], std::byte{9});
    }
    QVERIFY(ended);
}

void FabricTest::aBackendThatHangsIsLeftBehind_data() {
    QTest::addColumn<bool>("connecting");
    QTest::newRow("while it connects") << true;
    QTest::newRow("while it sums") << false;
}

void FabricTest::aBackendThatHangsIsLeftBehind() {
    QFETCH(bool, connecting);
    // Outlives the test function: a thread that was left behind still uses them.
    static std::latch connects(1), sums(1);
    static std::atomic<bool> ended;
    ended = false;
    auto values = std::make_shared<std::vector<std::byte>>(4);
    const std::weak_ptr<std::vector<std::byte>> watched = values;
    {
        std::binary_semaphore woken(0);
        FabricPlace place;
        (connecting ? place.connectDeadline : place.sumDeadline) = std::chrono::milliseconds(100);
        GroupFabric fabric(std::make_unique<Scripted>(connecting ? &connects : nullptr, &sums, &ended), place,
                           [&] { woken.release(); });
        fabric.sum(values->data(), 4, DType::UInt8, values);
        values.reset();
        woken.acquire();
        const auto outcome = fabric.takeOutcome();
        QVERIFY(outcome && !*outcome);
        QCOMPARE(outcome->error().code, QStringLiteral("fabric.timeout"));
        QCOMPARE(fabric.rendezvous().get("key", std::chrono::hours(1)).error().code, QStringLiteral("fabric.closed"));
        // Everything after it fails at once.
        fabric.sum(nullptr, 0, DType::UInt8, nullptr);
        QCOMPARE(fabric.takeOutcome()->error().code, QStringLiteral("fabric.timeout"));
    }
    QVERIFY(!ended);
    QCOMPARE(watched.expired(), connecting);  // a sum that is under way still has its memory
    (connecting ? connects : sums).count_down();
    QTRY_VERIFY_WITH_TIMEOUT(ended, patience);
    QTRY_VERIFY_WITH_TIMEOUT(watched.expired(), patience);
}

void FabricTest::entriesAreBounded() {
    int woken = 0;
    Rendezvous rendezvous([&] { ++woken; });
    rendezvous.publish({"mine", "1"});
    QCOMPARE(woken, 1);
    QCOMPARE(rendezvous.takePublished().size(), std::size_t{1});
    QVERIFY(rendezvous.takePublished().empty());
    QVERIFY(rendezvous.learn({"theirs", "2"}));
    QCOMPARE(*rendezvous.get("theirs", std::chrono::hours(1)), QByteArray("2"));
    QVERIFY(rendezvous.takePublished().empty());
    QVERIFY(!rendezvous.learn({QByteArray(), "3"}));
    QVERIFY(!rendezvous.learn({QByteArray(Rendezvous::keyBytes + 1, 'k'), "3"}));
    QVERIFY(!rendezvous.learn({"key", QByteArray(Rendezvous::valueBytes + 1, 'v')}));
    for (qsizetype i = rendezvous.size(); i < Rendezvous::entries; ++i)
        QVERIFY(rendezvous.learn({QByteArray::number(i), "x"}));
    QVERIFY(!rendezvous.learn({"one more", "x"}));
    QCOMPARE(rendezvous.get("absent", std::chrono::milliseconds(1)).error().code, QStringLiteral("fabric.timeout"));
}

void FabricTest::anUnknownBackendIsNamed() {
    const auto made = makeFabricBackend(QStringLiteral("nccl"));
    QVERIFY(!made);
    QCOMPARE(made.error().code, QStringLiteral("fabric.unavailable"));
    QVERIFY2(made.error().toString().contains(QLatin1String("nccl")), qPrintable(made.error().toString()));
}

QTEST_GUILESS_MAIN(FabricTest)
#include "fabric_test.moc"
