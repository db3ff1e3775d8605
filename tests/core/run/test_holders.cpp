// A device that holds data, as a run sees it: slow, silent, away and back.
#include <QScopeGuard>
#include <QSignalSpy>
#include <QTest>
#include <limits>

#include "core/data/batch_source.h"
#include "core/run/held_dataset.h"
#include "core/run/holder_link.h"
#include "fake_holder.h"
#include "tests/core/base/patience.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// Three classes and ids from 0 to 5 are told, and every sample has this id and this label.
class StrangeSamples : public HeldSamples {
  public:
    StrangeSamples(qint64 id, qint64 label) : m_id(id), m_ownLabel(label) {
        m_parts = {{words("x"), {DType::Int64, {2}, false}, WholeRange{0, 5}}};
    }
    Result<void> readEpoch(qint64, std::size_t, std::span<const qint64>, std::span<std::byte> out) const override {
        return fill(m_id, out);
    }
    Result<void> readLabels(Split, std::span<const qint64>, std::span<std::byte> out) const override {
        return fill(m_ownLabel, out);
    }

  private:
    static Result<void> fill(qint64 number, std::span<std::byte> out) {
        for (std::size_t at = 0; at + sizeof number <= out.size(); at += sizeof number)
            std::memcpy(out.data() + at, &number, sizeof number);
        return {};
    }
    const qint64 m_id, m_ownLabel;
};

/// A home with one holder of one set.
struct Held {
    explicit Held(std::shared_ptr<HeldSamples> samples = std::make_shared<HeldSamples>(),
                  std::optional<DataFacts> known = {})
        : data(std::move(samples)),
          holder([this](const Job &, const Model &, const DataPlace &) {
              const std::lock_guard lock(mutex);
              return JobData{{}, data};
          }),
          link(std::in_place, deviceCalled("desk", '2'),
               std::vector<HeldSet>{{0, words("fashion-mnist"), std::move(known)}}, agent,
               std::make_unique<HolderConnector>(holder, isAway), quickDeadlines),
          opened(&*link, &HolderLink::opened),
          failed(&*link, &HolderLink::failed) {}
    bool open() {
        link->open(order());
        return opened.wait(patience);
    }
    std::shared_ptr<const Dataset> dataset() const { return link->data()[0].data; }

    std::mutex mutex;
    std::shared_ptr<HeldSamples> data;
    Holder holder;
    std::atomic<bool> isAway = false;
    HolderAgent agent;
    std::optional<HolderLink> link;
    QSignalSpy opened, failed;
};

}  // namespace

class TestHolders : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void largeSamplesComeInPieces() {
        constexpr qint64 bytes = qint64{100} << 20;
        Held home(std::make_shared<HeldSamples>(4, bytes));
        QVERIFY(home.open());
        auto read = readBeside(home.dataset(), {3, 1}, 5);
        QVERIFY(QTest::qWaitFor([&] { return isThere(read); }, patience));
        const ReadBytes samples = read.get();
        QVERIFY2(!samples.error, samples.error ? qPrintable(samples.error->toString()) : "");
        const auto stride = static_cast<std::size_t>(1 + bytes / 1024);
        for (std::size_t b = 0; b < static_cast<std::size_t>(bytes); b += stride) {
            QCOMPARE(samples.bytes[b], home.data->byteOf(3, b, 5));
            QCOMPARE(samples.bytes[static_cast<std::size_t>(bytes) + b], home.data->byteOf(1, b, 5));
        }
    }

    void noMoreFilesAreGoneThanThereAreSamples() {
        const auto data = std::make_shared<HeldSamples>(20);
        data->lose(std::numeric_limits<qint64>::max());
        Held home(data);
        QVERIFY(home.open());
        QCOMPARE(home.dataset()->gone().count, qint64{20 + 3 + 3});
    }

    void manySamplesAreSeveralRequests() {
        Held home(std::make_shared<HeldSamples>(100'000));
        QVERIFY(home.open());
        std::vector<qint64> indices(50'000);
        for (std::size_t i = 0; i < indices.size(); ++i)
            indices[i] = static_cast<qint64>(indices.size() - i);
        auto read = readBeside(home.dataset(), indices);
        QVERIFY(QTest::qWaitFor([&] { return isThere(read); }, patience));
        const ReadBytes samples = read.get();
        QVERIFY(!samples.error);
        for (std::size_t i = 0; i < indices.size(); i += 997)
            QCOMPARE(samples.bytes[8 * i], home.data->byteOf(indices[i], 0, 0));
    }

    void severalThreadsReadAtOnce() {
        Held home;
        QVERIFY(home.open());
        std::vector<std::future<ReadBytes>> reads;
        for (qint64 i = 0; i < 8; ++i)
            reads.push_back(readBeside(home.dataset(), {i, i + 1}, i));
        for (qint64 i = 0; i < 8; ++i) {
            auto &read = reads[static_cast<std::size_t>(i)];
            QVERIFY(QTest::qWaitFor([&] { return isThere(read); }, patience));
            const ReadBytes samples = read.get();
            QVERIFY(!samples.error);
            QCOMPARE(samples.bytes[8], home.data->byteOf(i + 1, 0, i));
        }
    }

    void anErrorOfTheDataIsTheReaders() {
        Held home;
        QVERIFY(home.open());
        home.data->isBroken = true;
        QCOMPARE(readBeside(home.dataset(), {1}).get().error->code, words("data.broken-picture"));
        home.data->isBroken = false;
        QVERIFY(!readBeside(home.dataset(), {1}).get().error);
    }

    void whatAHolderSendsLiesWithinWhatItTold_data() {
        QTest::addColumn<qint64>("id");
        QTest::addColumn<qint64>("label");
        QTest::addColumn<QString>("ofSamples");
        QTest::addColumn<QString>("ofLabels");
        const QString good, strangeId = words("data.broken-sample"), strangeLabel = words("data.broken-label");
        constexpr qint64 most = std::numeric_limits<qint64>::max(), least = std::numeric_limits<qint64>::min();
        QTest::newRow("the least of all") << qint64{0} << qint64{0} << good << good;
        QTest::newRow("the largest of all") << qint64{5} << qint64{2} << good << good;
        QTest::newRow("a label that counts for nothing") << qint64{1} << ignoredLabel << good << good;
        QTest::newRow("one id too many") << qint64{6} << qint64{1} << strangeId << good;
        QTest::newRow("an id below all") << qint64{-1} << qint64{1} << strangeId << good;
        QTest::newRow("an id beyond memory") << most << qint64{1} << strangeId << good;
        QTest::newRow("one class too many") << qint64{1} << qint64{3} << good << strangeLabel;
        QTest::newRow("a class below all") << qint64{1} << qint64{-1} << good << strangeLabel;
        QTest::newRow("a class beyond memory") << qint64{1} << least << good << strangeLabel;
    }
    void whatAHolderSendsLiesWithinWhatItTold() {
        QFETCH(qint64, id);
        QFETCH(qint64, label);
        Held home(std::make_shared<StrangeSamples>(id, label));
        QVERIFY(home.open());
        const std::optional<Error> ofSamples = readBeside(home.dataset(), {1, 2}).get().error;
        QTEST(ofSamples ? ofSamples->code : QString(), "ofSamples");
        std::vector<std::byte> labels(sizeof(qint64));
        const qint64 index = 1;
        const auto ofLabels = home.dataset()->readLabels(Split::Test, std::span(&index, 1), labels);
        QTEST(ofLabels ? QString() : ofLabels.error().code, "ofLabels");
        if (!ofLabels)
            QVERIFY2(ofLabels.error().toString().contains(words("there are 3 classes")),
                     qPrintable(ofLabels.error().toString()));
    }

    void slowIsNotAway() {
        Held home;
        QVERIFY(home.open());
        home.data->slowness = 3500;  // longer than the silence that is allowed
        auto read = readBeside(home.dataset(), {1});
        QVERIFY(QTest::qWaitFor([&] { return isThere(read); }, patience));
        QVERIFY(!read.get().error);
        QCOMPARE(home.agent.started.size(), qsizetype{1});
    }

    void whoIsSilentIsAwayAndDialledAgain() {
        Held home;
        QVERIFY(home.open());
        home.holder.freeze();
        auto read = readBeside(home.dataset(), {1});
        QVERIFY(QTest::qWaitFor([&] { return isThere(read); }, patience));
        home.holder.thaw();
        const auto error = read.get().error;
        QVERIFY(error);
        QCOMPARE(error->code, words("data.unreadable"));
        QVERIFY2(error->what.contains(words("desk")), qPrintable(error->toString()));
        QVERIFY2(error->cause.contains(words("Nothing came from it for 2.5 seconds.")), qPrintable(error->toString()));
        QVERIFY(QTest::qWaitFor([&] { return !readBeside(home.dataset(), {1}).get().error; }, patience));
        QCOMPARE(home.agent.started.size(), qsizetype{1});  // its process was there all the time
    }

    void aRunWaitsUntilTheHolderIsBack() {
        Held home;
        QVERIFY(home.open());
        const auto count = [](std::span<const std::byte> labels) {
            return static_cast<qint64>(labels.size() / sizeof(qint64));
        };
        const BatchOrder all{Split::Train, Sampler(7, 20, true), 8, 8, 0, count};
        Sampler sampler(7, 20, true);
        home.isAway = true;
        home.holder.cut();
        QVERIFY(QTest::qWaitFor([&] { return readBeside(home.dataset(), {1}).get().error.has_value(); }, patience));
        BatchSource source(home.dataset(), all, 1);
        QSignalSpy waiting(&source, &BatchSource::waiting), found(&source, &BatchSource::found),
            ready(&source, &BatchSource::ready);
        QVERIFY(!*source.take());
        QVERIFY(!waiting.isEmpty() || waiting.wait(patience));
        QVERIFY(waiting.front().front().value<Error>().what.contains(words("desk")));
        QVERIFY(QTest::qWaitFor([&] { return home.agent.started.size() > 2; }, patience));  // again and again
        QVERIFY(found.isEmpty());
        home.isAway = false;
        QVERIFY(found.wait(patience));
        QVERIFY(!ready.isEmpty() || ready.wait(patience));
        const auto batch = source.take();
        QVERIFY(batch && *batch);
        const auto indices = sampler.indicesOfRound(1, 8);
        for (std::size_t i = 0; i < indices.size(); ++i)
            QCOMPARE((*batch)->inputs[0].data[8 * i], home.data->byteOf(indices[i], 0, 0));
    }

    void aProcessThatEndedIsStartedAgain() {
        Held home;
        QVERIFY(home.open());
        Q_EMIT home.agent.holderExited(home.link->device(), {words("x"), words("It crashed."), {}, {}});
        QVERIFY(QTest::qWaitFor([&] { return home.agent.started.size() == 2; }, patience));
        QVERIFY(QTest::qWaitFor([&] { return !readBeside(home.dataset(), {1}).get().error; }, patience));
    }

    void theFirstFailureNamesTheDevice() {
        Held home;
        home.agent.fails = true;
        home.link->open(order());
        QVERIFY(home.failed.wait(patience));
        const auto error = home.failed.front().front().value<Error>();
        QCOMPARE(error.code, words("run.data-device"));
        QVERIFY2(error.what.contains(words("fashion-mnist on desk")), qPrintable(error.toString()));
        QVERIFY(error.cause.contains(words("cannot be reached")) && error.advice.contains(words("desk")));
        QVERIFY(home.opened.isEmpty());
    }

    void whatIsKnownNeedsNobody() {
        const auto samples = std::make_shared<HeldSamples>();
        Held home(samples, *DataFacts::of(*samples, {}));
        home.agent.fails = true;
        QVERIFY(home.open());
        const auto data = home.dataset();
        QCOMPARE(data->count(Split::Train), qint64{20});
        QCOMPARE(readBeside(data, {1}).get().error->code, words("data.unreadable"));
        home.agent.fails = false;
        QVERIFY(QTest::qWaitFor([&] { return !readBeside(data, {1}).get().error; }, patience));
        QVERIFY(home.failed.isEmpty());
    }

    void otherDataThanBeforeAreNotRead() {
        const auto samples = std::make_shared<HeldSamples>();
        Held home(std::make_shared<HeldSamples>(21), *DataFacts::of(*samples, {}));
        QVERIFY(home.open());
        std::optional<Error> error;
        QVERIFY(QTest::qWaitFor(
            [&] {
                error = readBeside(home.dataset(), {1}).get().error;
                return error && error->code == words("data.changed");
            },
            patience));
        QVERIFY(error->what.contains(words("desk")));
    }

    void aDeviceThatIsRemovedIsOutForGood() {
        Held home;
        QVERIFY(home.open());
        Q_EMIT home.agent.deviceRemoved(home.link->device());
        const auto error = readBeside(home.dataset(), {1}).get().error;
        QVERIFY(error);
        QCOMPARE(error->code, words("run.data-device"));
        QCOMPARE(home.agent.started.size(), qsizetype{1});
    }

    void dataOutliveTheirLink() {
        std::shared_ptr<const Dataset> data;
        std::future<ReadBytes> reading;
        {
            Held home;
            QVERIFY(home.open());
            data = home.dataset();
            home.data->isHeld = true;
            const auto lets = qScopeGuard([&home] { home.data->let.release(); });  // the holder's end waits for it
            reading = readBeside(data, {1});
            QVERIFY(QTest::qWaitFor([&home] { return home.data->held.available() > 0; }, patience));
            home.link.reset();
            QVERIFY(QTest::qWaitFor([&reading] { return isThere(reading); }, patience));
        }
        for (const auto &error : {reading.get().error, readBeside(data, {1}).get().error}) {
            QVERIFY(error);
            QCOMPARE(error->code, words("data.unreadable"));
        }
    }
};

QTEST_GUILESS_MAIN(TestHolders)
#include "test_holders.moc"
