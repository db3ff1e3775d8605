// What a device serves of its data, and what it refuses.
#include <QSignalSpy>
#include <QTest>
#include <QtEndian>

#include "core/data/data_registry.h"
#include "core/run/holder_link.h"
#include "fake_holder.h"
#include "tests/core/base/patience.h"
#include "tests/core/data/picture_folder.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

QByteArray indicesOf(std::initializer_list<qint64> indices) {
    QByteArray bytes;
    for (const qint64 index : indices) {
        const qint64 little = qToLittleEndian(index);
        bytes.append(reinterpret_cast<const char *>(&little), sizeof little);
    }
    return bytes;
}

}  // namespace

class TestDataService : public QObject, private test::PictureFolder {
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
                        std::make_unique<HolderConnector>(holder, isAway), quickDeadlines);
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

    void aHolderTellsHowManyOfItsFilesAreGone() {
        saveClasses(words("pets"), 12);
        const auto listed = registerDataset(words("pets"), path(words("pets")), false);
        QVERIFY(listed);
        QVERIFY(QFile::remove((*listed)->fileOf(Split::Train, 0)));
        Job job;
        job.fit = PictureFit::Crop;
        const auto model = loadModel(words("fashion-cnn"));
        QVERIFY(model);
        Holder holder({});
        std::atomic<bool> isAway = false;
        HolderAgent agent;
        HolderLink link(deviceCalled("desk", '2'), {{1, words("pets"), {}}}, agent,
                        std::make_unique<HolderConnector>(holder, isAway), quickDeadlines);
        QSignalSpy opened(&link, &HolderLink::opened);
        link.open({QJsonDocument(job.toJson()).toJson(), QJsonDocument(model->toJson()).toJson()});
        QVERIFY(opened.wait(patience));
        const auto held = link.data()[1];
        QCOMPARE(held.data->gone().count, qint64{1});
        QVERIFY(held.data->gone().first.isEmpty());
        QCOMPARE(held.data->count(Split::Train), (*listed)->count(Split::Train));
        const qint64 first = 0;
        qint64 label = 0;
        QVERIFY(
            held.data->readLabels(Split::Train, std::span(&first, 1), std::as_writable_bytes(std::span(&label, 1))));
        QCOMPARE(label, qint64{-100});
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
                        std::make_unique<HolderConnector>(holder, isAway), quickDeadlines);
        QSignalSpy failed(&link, &HolderLink::failed);
        link.open(order());
        QVERIFY(failed.wait(patience));
        const auto error = failed.front().front().value<Error>();
        QCOMPARE(error.code, words("run.data-device"));
        QVERIFY2(error.what.contains(words("desk")), qPrintable(error.toString()));
        QVERIFY2(error.cause.contains(words("is unknown")), qPrintable(error.toString()));
        QVERIFY2(error.advice.contains(words("hearth data add")), qPrintable(error.toString()));
    }

    void whomNobodyAsksAnyMoreSaysSo() {
        DataService service(loads(std::make_shared<HeldSamples>()), std::chrono::milliseconds(50));
        QSignalSpy abandoned(&service, &DataService::abandoned);
        auto [mine, theirs] = makeLoopbackPair();
        service.adopt(std::move(theirs));
        QVERIFY(!abandoned.wait(300));  // its coordinator asks nothing yet
        mine->close({words("wire.closed"), words("The run has ended."), {}, {}});
        QVERIFY(abandoned.wait(patience));
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
};

QTEST_MAIN(TestDataService)
#include "test_data_service.moc"
