// Samples that another device holds: what it serves, to whom it stays silent, and what becomes of a run meanwhile.
#include <QJsonArray>
#include <QJsonDocument>
#include <QSignalSpy>
#include <QStandardPaths>
#include <QTest>
#include <QtEndian>

#include "core/data/batch_source.h"
#include "core/data/data_registry.h"
#include "core/model/catalogue.h"
#include "core/run/held_data.h"
#include "core/run/held_dataset.h"
#include "core/run/holder_link.h"
#include "fake_holder.h"
#include "tests/core/base/patience.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

constexpr HolderDeadlines quick{.silence = std::chrono::milliseconds(2500),
                                .firstPause = std::chrono::milliseconds(20),
                                .longestPause = std::chrono::milliseconds(50)};

DeviceInfo deviceCalled(const char *name, char digit) {
    DeviceInfo device;
    device.id = QString(64, QLatin1Char(digit));
    device.name = words(name);
    device.state = DeviceState::Ready;
    return device;
}

/// "fashion-mnist" is built in, so that any holder has it by name; what is loaded is the test's.
HolderOrder order() {
    const auto text = [](const QJsonObject &object) { return QJsonDocument(object).toJson(QJsonDocument::Compact); };
    return {text(Job().toJson()), text(loadModel(words("fashion-cnn"))->toJson())};
}

DataService::Load loads(const std::shared_ptr<const Dataset> &data) {
    return [data](const Job &, const Model &, const DataPlace &) { return JobData{{}, data}; };
}

QByteArray indicesOf(std::initializer_list<qint64> indices) {
    QByteArray bytes;
    for (const qint64 index : indices) {
        const qint64 little = qToLittleEndian(index);
        bytes.append(reinterpret_cast<const char *>(&little), sizeof little);
    }
    return bytes;
}

/// A home with one holder of one set.
struct Held {
    explicit Held(std::shared_ptr<HeldSamples> samples = std::make_shared<HeldSamples>(),
                  std::optional<DataFacts> known = {})
        : data(std::move(samples)),
          holder([this](const Job &, const Model &, const DataPlace &) {
              const std::lock_guard lock(mutex);
              return JobData{{}, data};
          }),
          link(deviceCalled("desk", '2'), {{0, words("fashion-mnist"), std::move(known)}}, agent,
               std::make_unique<HolderConnector>(holder, isAway), quick),
          opened(&link, &HolderLink::opened),
          failed(&link, &HolderLink::failed) {}
    bool open() {
        link.open(order());
        return opened.wait(patience);
    }
    std::shared_ptr<const Dataset> dataset() const { return link.data()[0].data; }

    std::mutex mutex;
    std::shared_ptr<HeldSamples> data;
    Holder holder;
    std::atomic<bool> isAway = false;
    HolderAgent agent;
    HolderLink link;
    QSignalSpy opened, failed;
};

}  // namespace

class TestHolders : public QObject, private test::PictureFolder {
    Q_OBJECT

  private Q_SLOTS:
    void init() {
        makeFolder();
        qputenv("XDG_DATA_HOME", path(words("home")).toUtf8());
    }

    void aHolderServesWhatItsOwnRunWouldSee() {
        saveClasses(words("pets"), 12);
        QVERIFY(registerDataset(words("pets"), path(words("pets")), false));
        Job job;
        job.fit = PictureFit::Crop;
        job.augment.crop = 0.4;
        job.validation = 0.25;
        const auto model = loadModel(words("fashion-cnn"));
        const auto own = dataOf(job, *model, DataPlace{words("pets"), 1, {}});
        QVERIFY2(own, own ? "" : qPrintable(own.error().toString()));
        Holder holder({});
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        HolderLink link(deviceCalled("desk", '2'), {{1, words("pets"), {}}}, agent,
                        std::make_unique<HolderConnector>(holder, isAway), quick);
        QSignalSpy opened(&link, &HolderLink::opened);
        link.open({QJsonDocument(job.toJson()).toJson(), QJsonDocument(model->toJson()).toJson()});
        QVERIFY(opened.wait(patience));
        const auto held = link.data()[1];
        QVERIFY(held.input == own->input);
        for (const Split split : allSplits)
            QCOMPARE(held.data->count(split), own->data->count(split));
        QCOMPARE(held.data->labelNames(), own->data->labelNames());
        QVERIFY(held.data->parts() == own->data->parts());
        for (const qint64 epoch : {0, 3}) {
            auto there = readBeside(held.data, {3, 0, 5, 3}, epoch), here = readBeside(own->data, {3, 0, 5, 3}, epoch);
            QVERIFY(there.get().bytes == here.get().bytes);
        }
        const std::vector<qint64> indices{2, 0};
        for (const Split split : {Split::Train, Split::Validation, Split::Test}) {
            std::vector<std::byte> there(2 * static_cast<std::size_t>(own->data->sample().bytes())), here = there;
            QVERIFY(held.data->readSamples(split, 0, indices, there));
            QVERIFY(own->data->readSamples(split, 0, indices, here));
            QVERIFY(there == here);
            std::vector<std::byte> labels(2 * sizeof(qint64)), expected = labels;
            QVERIFY(held.data->readLabels(split, indices, labels));
            QVERIFY(own->data->readLabels(split, indices, expected));
            QVERIFY(labels == expected);
        }
    }

    void setsVaryByTheirPlace() {
        saveClasses(words("pets"), 12);
        QVERIFY(registerDataset(words("pets"), path(words("pets")), false));
        Job job;
        job.fit = PictureFit::Crop;
        job.augment.crop = 0.4;
        job.augment.colour = 0.9;
        const auto model = loadModel(words("fashion-cnn"));
        const auto at = [&](int place) {
            return readBeside(dataOf(job, *model, DataPlace{words("pets"), place, {}})->data, {0, 1, 2}, 2).get().bytes;
        };
        QVERIFY(at(0) == at(0));
        QVERIFY(at(1) == at(1));
        QVERIFY(at(0) != at(1));
        QVERIFY(at(1) != at(2));
    }

    void onlyRegisteredNamesAreOpened_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("a path of that device") << words("FOLDER/pets");
        QTest::newRow("a path above the registered ones") << words("../pets");
        QTest::newRow("a name that nobody has given") << words("photos");
        QTest::newRow("no name") << QString();
    }
    void onlyRegisteredNamesAreOpened() {
        saveClasses(words("pets"), 12);
        QFETCH(QString, name);
        Holder holder({});
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        HolderLink link(deviceCalled("desk", '2'), {{0, name.replace(words("FOLDER"), path()), {}}}, agent,
                        std::make_unique<HolderConnector>(holder, isAway), quick);
        QSignalSpy failed(&link, &HolderLink::failed);
        link.open(order());
        QVERIFY(failed.wait(patience));
        const auto error = failed.front().front().value<Error>();
        QCOMPARE(error.code, words("run.data-device"));
        QVERIFY2(error.what.contains(words("desk")), qPrintable(error.toString()));
        QVERIFY2(error.cause.contains(words("is unknown")), qPrintable(error.toString()));
        QVERIFY2(error.advice.contains(words("hearth data add")), qPrintable(error.toString()));
    }

    void badRequestsAreErrors_data() {
        QTest::addColumn<QString>("op");
        QTest::addColumn<QCborMap>("change");
        const auto row = [](const char *name, const char *op, const QCborMap &change) {
            QTest::newRow(name) << words(op) << change;
        };
        const QString indices = words("indices"), split = words("split");
        row("no place that was opened", "read", {{words("place"), 1}});
        row("no number", "read", {{words("request"), 0}});
        row("no split", "read", {{split, 3}});
        row("a split of half a number", "read", {{split, 0.5}});
        row("a part that there is not", "read", {{words("part"), 1}});
        row("a part before the first", "read", {{words("part"), -1}});
        row("an index behind the last", "read", {{indices, indicesOf({0, 20})}});
        row("an index behind the last of a smaller split", "read", {{split, 2}, {indices, indicesOf({3})}});
        row("an index before the first", "labels", {{indices, indicesOf({-1})}});
        row("a half index", "read", {{indices, indicesOf({1}).chopped(1)}});
        row("no index", "labels", {{indices, QByteArray()}});
        row("more than go into a request", "read", {{indices, QByteArray((DataProtocol::mostIndices + 1) * 8, '\0')}});
        row("an epoch before the first", "read", {{words("epoch"), -1}});
        row("an epoch of the test set", "read", {{split, 2}, {words("epoch"), 1}});
    }
    void badRequestsAreErrors() {
        QFETCH(QString, op);
        QFETCH(QCborMap, change);
        Holder holder(loads(std::make_shared<HeldSamples>()));
        const auto channel = holder.connectTo();
        Rpc rpc(channel.get());
        std::optional<Result<QCborMap>> answer;
        const auto call = [&](const QString &name, const QCborMap &args) {
            answer.reset();
            rpc.call(name, args, std::chrono::milliseconds(patience), this,
                     [&](const Result<QCborMap> &result) { answer = result; });
            return QTest::qWaitFor([&] { return answer.has_value(); }, patience);
        };
        const HolderOrder told = order();
        QVERIFY(call(words("open"), {{words("name"), words("fashion-mnist")},
                                     {words("place"), 0},
                                     {words("job"), told.job},
                                     {words("model"), told.model}}));
        QVERIFY2(*answer, *answer ? "" : qPrintable(answer->error().toString()));
        QCborMap args{{words("request"), 7},
                      {words("place"), 0},
                      {words("split"), 0},
                      {words("part"), 0},
                      {words("indices"), indicesOf({0, 19})}};
        QVERIFY(call(op, args));
        QVERIFY2(*answer, *answer ? "" : qPrintable(answer->error().toString()));
        args[words("request")] = 8;
        for (const auto &[key, value] : change)
            args[key.toString()] = value;
        QVERIFY(call(op, args));
        QVERIFY(!*answer);
        QCOMPARE(answer->error().code, words("data.bad-request"));
        QVERIFY(channel->isOpen());
    }

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
        home.holder.freeze(4000);
        auto read = readBeside(home.dataset(), {1});
        QVERIFY(QTest::qWaitFor([&] { return isThere(read); }, patience));
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
        Q_EMIT home.agent.holderExited(home.link.device(), {words("x"), words("It crashed."), {}, {}});
        QVERIFY(QTest::qWaitFor([&] { return home.agent.started.size() == 2; }, patience));
        QVERIFY(QTest::qWaitFor([&] { return !readBeside(home.dataset(), {1}).get().error; }, patience));
    }

    void theFirstFailureNamesTheDevice() {
        Held home;
        home.agent.fails = true;
        home.link.open(order());
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
        Q_EMIT home.agent.deviceRemoved(home.link.device());
        const auto error = readBeside(home.dataset(), {1}).get().error;
        QVERIFY(error);
        QCOMPARE(error->code, words("run.data-device"));
        QCOMPARE(home.agent.started.size(), qsizetype{1});
    }

    void tablesFollowTheFirstOne_data() {
        QTest::addColumn<QStringList>("data");
        QTest::addColumn<QStringList>("classes");
        QTest::addColumn<float>("three");  // what the number 3 becomes
        const QString a = words("a"), b = words("b"), c = words("c");
        // Means and deviations of 1, 2, 3, 6 and of 10, 20.
        QTest::newRow("the first is here")
            << QStringList{words("one"), words("two@desk")} << QStringList{a, b, c} << 0.F;
        QTest::newRow("the first is held")
            << QStringList{words("two@desk"), words("one")} << QStringList{b, c, a} << -2.4F;
    }
    void tablesFollowTheFirstOne() {
        save(words("one/train.csv"), "width,kind\n1,a\n2,a\n3,b\n6,b\n");
        save(words("one/test.csv"), "width,kind\n3,b\n");
        save(words("two/train.csv"), "width,kind\n10,b\n20,c\n");
        save(words("two/test.csv"), "width,kind\n3,c\n");
        for (const char *name : {"one", "two"})
            QVERIFY(registerDataset(words(name), path(words(name)), false));
        QFETCH(QStringList, data);
        RunRequest request;
        request.model = *loadModel(words("mlp:features=1,classes=3"));
        request.job.data = data;
        request.directory = path(words("run"));
        QVERIFY(QDir().mkpath(request.directory));
        DeviceInfo self = deviceCalled("me", '1');
        self.self = true;
        request.holders = {deviceCalled("desk", '2')};
        request.sources = *resolvedSources(request.job, {self, request.holders.front()});
        Holder holder({});
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        const auto connectors = [&] { return std::make_unique<HolderConnector>(holder, isAway); };
        HeldData held(request, agent, connectors, quick);
        QSignalSpy opened(&held, &HeldData::opened), failed(&held, &HeldData::failed);
        held.open();
        QVERIFY2(opened.wait(patience), failed.isEmpty() ? "" : qPrintable(failed[0][0].value<Error>().toString()));
        const auto inputs = RunInputs::load(request, held.ready());
        QVERIFY2(inputs, inputs ? "" : qPrintable(inputs.error().toString()));
        QTEST(inputs->data->labelNames(), "classes");
        QCOMPARE(inputs->data->count(Split::Train), qint64{6});
        QFETCH(float, three);
        for (const qint64 index : {0, 1}) {
            float value = 0;
            const auto read = inputs->data->readSamples(Split::Test, 0, std::span(&index, 1),
                                                        std::as_writable_bytes(std::span(&value, 1)));
            QVERIFY2(read, read ? "" : qPrintable(read.error().toString()));
            QVERIFY2(qAbs(value - three) < 1e-6F, qPrintable(QString::number(value)));
        }

        // One that takes the place of the coordinator begins without the holder.
        request.again = true;
        agent.fails = true;
        HeldData again(request, agent, connectors, quick);
        QSignalSpy openedAgain(&again, &HeldData::opened);
        again.open();
        QVERIFY(openedAgain.wait(patience));
        QCOMPARE(again.ready()[static_cast<int>(data.indexOf(words("two@desk")))].data->count(Split::Train), qint64{2});
    }

    void aHolderWithoutTheDataEndsTheRun() {
        RunRequest request;
        request.model = *loadModel(words("fashion-cnn"));
        request.job.data = {words("fashion-mnist@desk"), words("nothing@desk")};
        request.directory = path();
        request.holders = {deviceCalled("desk", '2')};
        request.sources = *resolvedSources(request.job, request.holders);
        Holder holder(loads(std::make_shared<HeldSamples>()));
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        HeldData held(
            request, agent, [&] { return std::make_unique<HolderConnector>(holder, isAway); }, quick);
        QSignalSpy failed(&held, &HeldData::failed);
        held.open();
        QVERIFY(failed.wait(patience));
        const auto error = failed[0][0].value<Error>();
        QCOMPARE(error.code, words("run.data-device"));
        QVERIFY2(error.what.contains(words("on desk")) && error.cause.contains(words("\"nothing\" is unknown")),
                 qPrintable(error.toString()));
    }

    void dataOutliveTheirLink() {
        std::shared_ptr<const Dataset> data;
        std::future<ReadBytes> reading;
        {
            Held home;
            QVERIFY(home.open());
            data = home.dataset();
            home.data->slowness = 200;
            reading = readBeside(data, {1});
            QThread::msleep(50);
        }
        QCOMPARE(reading.get().error->code, words("data.unreadable"));
        QCOMPARE(readBeside(data, {1}).get().error->code, words("data.unreadable"));
    }
};

QTEST_MAIN(TestHolders)
#include "test_holders.moc"
