#include <QCborArray>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include "core/base/files.h"
#include "core/model/safetensors.h"
#include "core/run/run_request.h"
#include "fake_home.h"
#include "tests/core/model/frozen_model.h"

using namespace hearth;
using fake::Home;

class TestRunRequest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void readsTheWholeOrder();
    void choosesDevices_data();
    void choosesDevices();
    void aRunWaitsForDevicesThatAllRest_data();
    void aRunWaitsForDevicesThatAllRest();
    void rejections_data();
    void rejections();
    void dataMayBeOnOtherDevices();
    void dataNeedADeviceThatIsKnown_data();
    void dataNeedADeviceThatIsKnown();
    void unknownDataListWhatThereIs();
    void weightsMustFitTheModel();
    void aRunThatHasACheckpointNeedsItsFirstWeightsNoMore();
    void whatIsFrozenComesFromTheFolderOrFromTheFirstWeights();
    void aRunThatGoesOnReadsItsFolder();
    void aRunThatGoesOnKeepsItsJob_data();
    void aRunThatGoesOnKeepsItsJob();
    void aCoordinatorThatIsStartedAgainGetsAllDevices();
    void measuresTheDevicesThatAreNamed();
    void measuresNobodyWhoIsAtWork();

  private:
    /// As the agent sends it: three devices, local-1 is this one, local-3 is away.
    QCborMap start(const QJsonObject &changes = {}) const;
};

QCborMap TestRunRequest::start(const QJsonObject &changes) const {
    const Home home(3);
    QJsonObject order{{QStringLiteral("job"), home.request.job.toJson()},
                      {QStringLiteral("model"), home.request.model.toJson()},
                      {QStringLiteral("options"), QJsonObject()}};
    for (auto it = changes.begin(); it != changes.end(); ++it)
        order[it.key()] = it.value();
    QCborArray devices;
    for (DeviceInfo device : home.request.devices) {
        if (device.name == QLatin1String("local-3"))
            device.state = DeviceState::Lost;
        devices.append(device.toCbor());
    }
    return {{QStringLiteral("run"), QStringLiteral("r")},
            {QStringLiteral("dir"), QStringLiteral("/state/runs/r")},
            {QStringLiteral("request"), QCborMap::fromJsonObject(order)},
            {QStringLiteral("devices"), devices}};
}

void TestRunRequest::readsTheWholeOrder() {
    QTemporaryDir folder;
    const QString save = folder.filePath(QStringLiteral("w.safetensors"));
    const QString trace = folder.filePath(QStringLiteral("trace.json"));
    const auto request = RunRequest::fromCbor(
        start({{QStringLiteral("plan"), QJsonObject{{QStringLiteral("format"), QStringLiteral("hearth-plan/1")}}},
               {QStringLiteral("weights"), QStringLiteral("/w")},
               {QStringLiteral("options"), QJsonObject{{QStringLiteral("planner"), QStringLiteral("dp")},
                                                       {QStringLiteral("only"), QStringLiteral("plan")},
                                                       {QStringLiteral("origin"), QStringLiteral("/bert:classes=3")},
                                                       {QStringLiteral("trusted_fabric"), QStringLiteral("network")},
                                                       {QStringLiteral("save"), save},
                                                       {QStringLiteral("trace"), trace}}}}));
    QVERIFY2(request, request ? "" : qPrintable(request.error().toString()));
    QCOMPARE(request->id, QStringLiteral("r"));
    QCOMPARE(request->job.batch, 32);
    QCOMPARE(request->planner, QStringLiteral("dp"));
    QVERIFY(request->kind == RunKind::Plan);
    QVERIFY(request->fabric == FabricScope::Network);
    QVERIFY(request->plan);
    QCOMPARE(request->weights, QStringLiteral("/w"));
    QCOMPARE(request->origin, QStringLiteral("/bert:classes=3"));
    QCOMPARE(request->save, save);
    QCOMPARE(request->trace, trace);
    QCOMPARE(request->dataDevice, Home::id(1));
    QCOMPARE(request->devices.size(), std::size_t(2));
}

void TestRunRequest::choosesDevices_data() {
    QTest::addColumn<QStringList>("wanted");
    QTest::addColumn<QStringList>("chosen");
    QTest::addColumn<QString>("error");
    const QString one = QStringLiteral("local-1"), two = QStringLiteral("local-2"), three = QStringLiteral("local-3");
    QTest::newRow("all that can be reached") << QStringList() << QStringList{one, two} << QString();
    QTest::newRow("by name") << QStringList{two} << QStringList{two} << QString();
    QTest::newRow("by id") << QStringList{Home::id(1)} << QStringList{one} << QString();
    QTest::newRow("twice the same counts once") << QStringList{two, two} << QStringList{two} << QString();
    QTest::newRow("one that is away") << QStringList{three} << QStringList() << QStringLiteral("run.device-away");
    QTest::newRow("one nobody knows") << QStringList{QStringLiteral("kitchen")} << QStringList()
                                      << QStringLiteral("run.unknown-device");
}

void TestRunRequest::choosesDevices() {
    QFETCH(QStringList, wanted);
    QFETCH(QStringList, chosen);
    QFETCH(QString, error);
    const auto request = RunRequest::fromCbor(start({{QStringLiteral("devices"), QJsonArray::fromStringList(wanted)}}));
    QCOMPARE(request ? QString() : request.error().code, error);
    if (!request)
        return;
    QStringList names;
    for (const DeviceInfo &device : request->devices)
        names << device.name;
    QCOMPARE(names, chosen);
}

void TestRunRequest::aRunWaitsForDevicesThatAllRest_data() {
    QTest::addColumn<QString>("only");
    QTest::addColumn<QStringList>("wanted");
    QTest::addColumn<int>("resting");
    QTest::addColumn<QString>("error");
    const QString two = QStringLiteral("local-2"), resting = QStringLiteral("run.device-resting");
    QTest::newRow("a run that trains") << QString() << QStringList() << 2 << QString();
    QTest::newRow("on devices that are named") << QString() << QStringList{two} << 2 << QString();
    QTest::newRow("one that is named rests, and another does not")
        << QString() << QStringList{QStringLiteral("local-1"), two} << 1 << resting;
    QTest::newRow("a plan alone is not waited for") << QStringLiteral("plan") << QStringList() << 2 << resting;
}

void TestRunRequest::aRunWaitsForDevicesThatAllRest() {
    QFETCH(QString, only);
    QFETCH(QStringList, wanted);
    QFETCH(int, resting);
    QFETCH(QString, error);
    const Home home(2);
    QJsonObject options;
    if (!only.isEmpty())
        options[QStringLiteral("only")] = only;
    QCborMap order =
        start({{QStringLiteral("options"), options}, {QStringLiteral("devices"), QJsonArray::fromStringList(wanted)}});
    QCborArray devices;
    for (DeviceInfo device : home.request.devices) {
        if (static_cast<int>(home.request.devices.size() - static_cast<std::size_t>(devices.size())) <= resting) {
            device.state = DeviceState::Resting;
            device.rest = Rest::OutOfHours;
            device.limits.hours = DailyHours{22 * 60, 7 * 60};
        }
        devices.append(device.toCbor());
    }
    order[QStringLiteral("devices")] = devices;
    const auto request = RunRequest::fromCbor(order);
    QCOMPARE(request ? QString() : request.error().code, error);
    if (request) {
        QCOMPARE(request->devices.size(), wanted.isEmpty() ? std::size_t(2) : std::size_t(1));
    } else {
        QVERIFY2(request.error().cause.contains(QLatin1String("It is to train from 22:00 to 07:00.")),
                 qPrintable(request.error().toString()));
    }
}

void TestRunRequest::rejections_data() {
    QTest::addColumn<QJsonObject>("changes");
    QTest::addColumn<QString>("tells");
    const auto options = [](const char *key, const QJsonValue &value) {
        return QJsonObject{{QStringLiteral("options"), QJsonObject{{QLatin1String(key), value}}}};
    };
    QTest::newRow("an unknown planner") << options("planner", QStringLiteral("astroid")) << QStringLiteral("asteroid");
    QTest::newRow("an unknown kind of run") << options("only", QStringLiteral("mesure")) << QStringLiteral("measure");
    QTest::newRow("no kind of run") << options("only", QString()) << QStringLiteral("only");
    QTest::newRow("an unknown option") << options("planer", QStringLiteral("dp")) << QStringLiteral("planner");
    QTest::newRow("a fabric that reaches too far")
        << options("trusted_fabric", QStringLiteral("netwerk")) << QStringLiteral("\"network\"");
    QTest::newRow("a folder to save to that does not exist")
        << options("save", QStringLiteral("/no/such/folder/w.safetensors")) << QStringLiteral("--save");
    QTest::newRow("a device in place of a file to save to")
        << options("save", QStringLiteral("/dev/full")) << QStringLiteral("not a file");
    QTest::newRow("a folder for the trace that does not exist")
        << options("trace", QStringLiteral("/no/such/folder/trace.json")) << QStringLiteral("--trace");
    QTest::newRow("a folder in place of a file for the trace")
        << options("trace", QStringLiteral("/tmp")) << QStringLiteral("not a file");
    QTest::newRow("an unknown key") << QJsonObject{{QStringLiteral("jobs"), 1}} << QStringLiteral("jobs");
    QTest::newRow("a job that is none") << QJsonObject{{QStringLiteral("job"), QJsonObject()}}
                                        << QStringLiteral("format");
    QTest::newRow("a model that is none")
        << QJsonObject{{QStringLiteral("model"), QJsonObject()}} << QStringLiteral("model");
}

void TestRunRequest::rejections() {
    QFETCH(QJsonObject, changes);
    QFETCH(QString, tells);
    const auto request = RunRequest::fromCbor(start(changes));
    QVERIFY(!request);
    QVERIFY2(request.error().toString().contains(tells), qPrintable(request.error().toString()));
}

void TestRunRequest::dataMayBeOnOtherDevices() {
    Job job;
    job.data = {QStringLiteral("fashion-mnist@local-1"), QStringLiteral("pets@local-2"),
                QStringLiteral("birds@") + Home::id(3), QStringLiteral("pets")};
    const auto request = RunRequest::fromCbor(start({{QStringLiteral("job"), job.toJson()}}));
    QVERIFY2(request, request ? "" : qPrintable(request.error().toString()));
    QVERIFY(request->readsElsewhere());
    QVERIFY((request->sources[0] == DataSource{QStringLiteral("fashion-mnist"), {}}));
    QVERIFY((request->sources[1] == DataSource{QStringLiteral("pets"), Home::id(2)}));
    QVERIFY((request->sources[2] == DataSource{QStringLiteral("birds"), Home::id(3)}));
    QVERIFY(request->sources[3].isHere());
    QCOMPARE(request->holders.size(), std::size_t{2});  // the second is away, which its link will find out
    QVERIFY(!RunRequest::fromCbor(start())->readsElsewhere());
}

void TestRunRequest::dataNeedADeviceThatIsKnown_data() {
    QTest::addColumn<QStringList>("data");
    QTest::addColumn<QString>("code");
    QTest::newRow("a device that nobody knows")
        << QStringList{QStringLiteral("pets"), QStringLiteral("pets@lokal-2")} << QStringLiteral("run.data-device");
    QTest::newRow("this device, by name and without")
        << QStringList{QStringLiteral("pets"), QStringLiteral("pets@local-1")} << QStringLiteral("job.data");
    QTest::newRow("one device by name and id")
        << QStringList{QStringLiteral("pets@local-2"), QStringLiteral("pets@") + Home::id(2)}
        << QStringLiteral("job.data");
}

void TestRunRequest::dataNeedADeviceThatIsKnown() {
    QFETCH(QStringList, data);
    QFETCH(QString, code);
    Job job;
    job.data = data;
    const auto request = RunRequest::fromCbor(start({{QStringLiteral("job"), job.toJson()}}));
    QVERIFY(!request);
    QCOMPARE(request.error().code, code);
    QVERIFY(!request.error().advice.isEmpty());
}

void TestRunRequest::unknownDataListWhatThereIs() {
    Home home(1);
    home.request.job.data = {QStringLiteral("fashion-mist")};
    const auto inputs = RunInputs::load(home.request);
    QVERIFY(!inputs);
    QVERIFY2(inputs.error().toString().contains(QLatin1String("fashion-mnist")), qPrintable(inputs.error().toString()));
}

void TestRunRequest::weightsMustFitTheModel() {
    Home home(1);
    home.request.weights = home.folder.filePath(QStringLiteral("w.safetensors"));
    auto tensors = initialise(home.request.model, 5, DType::Float32);
    QVERIFY(writeSafetensors(home.request.weights, tensors));
    const auto good = RunInputs::load(home.request);
    QVERIFY2(good, good ? "" : qPrintable(good.error().toString()));
    QCOMPARE(good->weights.size(), home.request.model.layers.size());
    const QString missing = tensors.back().spec.name;
    tensors.pop_back();
    QVERIFY(writeSafetensors(home.request.weights, tensors));
    const auto bad = RunInputs::load(home.request);
    QVERIFY(!bad);
    QVERIFY2(bad.error().toString().contains(missing), qPrintable(bad.error().toString()));
}

void TestRunRequest::aRunThatHasACheckpointNeedsItsFirstWeightsNoMore() {
    Home home(1);
    home.request.weights = home.folder.filePath(QStringLiteral("moved.safetensors"));
    home.request.again = true;
    const auto without = RunInputs::load(home.request);
    QVERIFY(!without);
    QVERIFY2(without.error().toString().contains(home.request.weights), qPrintable(without.error().toString()));
    QVERIFY(QDir().mkpath(home.request.directory + QStringLiteral("/checkpoints/0000000007")));
    const auto inputs = RunInputs::load(home.request);
    QVERIFY2(inputs, inputs ? "" : qPrintable(inputs.error().toString()));
    QVERIFY(inputs->areWeightsPast && inputs->weights.empty() && inputs->frozen.isEmpty());
    // What begins for the first time takes what it is told to.
    home.request.again = false;
    QVERIFY(!RunInputs::load(home.request));
}

void TestRunRequest::whatIsFrozenComesFromTheFolderOrFromTheFirstWeights() {
    Home home(1);
    home.request.model = modelWithFrozen(home.request.model, {0});
    home.request.weights = home.folder.filePath(QStringLiteral("w.safetensors"));
    home.request.again = true;
    QVERIFY(QDir().mkpath(home.request.directory + QStringLiteral("/checkpoints/0000000007")));
    QVERIFY(writeSafetensors(home.request.weights, initialise(home.request.model, 5, DType::Float32)));
    const auto first = RunInputs::load(home.request);
    QVERIFY2(first, first ? "" : qPrintable(first.error().toString()));
    QVERIFY(!first->areWeightsPast && !first->weights.empty() && !first->frozen.isEmpty());
    QVERIFY(saveFrozen(home.request.directory, first->frozen));
    // Another file has its name by now.
    QVERIFY(writeSafetensors(home.request.weights, initialise(home.request.model, 6, DType::Float32)));
    const auto later = RunInputs::load(home.request);
    QVERIFY2(later, later ? "" : qPrintable(later.error().toString()));
    QVERIFY(later->areWeightsPast && later->weights.empty());
    QCOMPARE(later->frozen.sha256, first->frozen.sha256);
}

void TestRunRequest::aRunThatGoesOnReadsItsFolder() {
    QTemporaryDir folder;
    const Home home(3);
    for (const auto &[name, json] :
         {std::pair{"job.json", home.request.job.toJson()}, std::pair{"model.json", home.request.model.toJson()}})
        QVERIFY(saveFile(folder.filePath(QLatin1String(name)), QJsonDocument(json).toJson()));
    QCborMap args = start();
    args[QStringLiteral("dir")] = folder.path();
    args[QStringLiteral("resume")] = true;
    args[QStringLiteral("request")] =
        QCborMap{{QStringLiteral("resume"), QStringLiteral("r")},
                 {QStringLiteral("options"), QCborMap{{QStringLiteral("planner"), QStringLiteral("dp")}}}};
    const auto request = RunRequest::fromCbor(args);
    QVERIFY2(request, request ? "" : qPrintable(request.error().toString()));
    QVERIFY(request->resume && !request->again);
    QCOMPARE(request->job.toJson(), home.request.job.toJson());
    QCOMPARE(request->model.toJson(), home.request.model.toJson());
    QCOMPARE(request->planner, QStringLiteral("dp"));
    QVERIFY(request->anyDevice);

    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("model.json"))));
    const auto without = RunRequest::fromCbor(args);
    QVERIFY(!without);
    QVERIFY2(without.error().toString().contains(QStringLiteral("model.json")), qPrintable(without.error().toString()));
}

void TestRunRequest::aRunThatGoesOnKeepsItsJob_data() {
    QTest::addColumn<QString>("key");
    QTest::addColumn<QJsonValue>("value");
    QTest::newRow("its job") << QStringLiteral("job") << QJsonValue(Home(3).request.job.toJson());
    QTest::newRow("its weights") << QStringLiteral("weights") << QJsonValue(QStringLiteral("/w"));
    QTest::newRow("its name") << QStringLiteral("resume") << QJsonValue(QStringLiteral("another"));
}

void TestRunRequest::aRunThatGoesOnKeepsItsJob() {
    QFETCH(QString, key);
    QFETCH(QJsonValue, value);
    QCborMap args = start();
    args[QStringLiteral("resume")] = true;
    args[QStringLiteral("request")] =
        QCborMap::fromJsonObject({{QStringLiteral("resume"), QStringLiteral("r")}, {key, value}});
    const auto request = RunRequest::fromCbor(args);
    QVERIFY(!request);
    QCOMPARE(request.error().code, QStringLiteral("run.resume-keeps-job"));
}

void TestRunRequest::aCoordinatorThatIsStartedAgainGetsAllDevices() {
    QCborMap args = start({{QStringLiteral("options"),
                            QJsonObject{{QStringLiteral("save"), QStringLiteral("/not/there/any/more.safetensors")}}}});
    QCOMPARE(RunRequest::fromCbor(args).error().code, QStringLiteral("run.save-path"));
    args[QStringLiteral("again")] = true;
    const auto all = RunRequest::fromCbor(args);
    QVERIFY2(all, all ? "" : qPrintable(all.error().toString()));
    QVERIFY(all->again && !all->resume && all->anyDevice);
    QCOMPARE(all->devices.size(), std::size_t(3));  // the one that is away as well: it may come back

    QCborMap named = start({{QStringLiteral("devices"), QJsonArray{QStringLiteral("local-3"), Home::id(1)}}});
    named[QStringLiteral("again")] = true;
    const auto some = RunRequest::fromCbor(named);
    QVERIFY(some);
    QVERIFY(!some->anyDevice);
    QCOMPARE(some->devices.size(), std::size_t(2));
}

void TestRunRequest::measuresTheDevicesThatAreNamed() {
    const auto options = [](const QJsonArray &of) {
        return QJsonObject{{QStringLiteral("options"), QJsonObject{{QStringLiteral("only"), QStringLiteral("measure")},
                                                                   {QStringLiteral("measure_again"), true},
                                                                   {QStringLiteral("measure_of"), of}}}};
    };
    const auto request = RunRequest::fromCbor(start(options({QStringLiteral("local-2")})));
    QVERIFY2(request, request ? "" : qPrintable(request.error().toString()));
    QVERIFY(request->kind == RunKind::Measure && request->measureAgain);
    QCOMPARE(request->measured, QStringList{Home::id(2)});
    QCOMPARE(request->devices.size(), std::size_t(2));  // the other one is the far end of its links
    QCOMPARE(runKindName(request->kind), QStringLiteral("measure"));
    QVERIFY(RunRequest::fromCbor(start())->kind == RunKind::Train);
    for (const char *stranger : {"local-3", "kitchen"}) {
        const auto refused = RunRequest::fromCbor(start(options({QLatin1String(stranger)})));
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("device.unknown"));
    }
}

void TestRunRequest::measuresNobodyWhoIsAtWork() {
    QCborMap order =
        start({{QStringLiteral("options"), QJsonObject{{QStringLiteral("only"), QStringLiteral("measure")},
                                                       {QStringLiteral("measure_of"), QJsonArray{Home::id(1)}}}}});
    QCborArray devices = order[QStringLiteral("devices")].toArray();
    const auto setState = [&](int index, DeviceState state) {
        DeviceInfo device = *DeviceInfo::fromCbor(devices[index].toMap());
        device.state = state;
        devices[index] = device.toCbor();
        order[QStringLiteral("devices")] = devices;
    };
    // The far end of a link may be busy.
    setState(1, DeviceState::Training);
    QVERIFY(RunRequest::fromCbor(order));
    setState(0, DeviceState::Training);
    const auto refused = RunRequest::fromCbor(order);
    QVERIFY(!refused);
    QCOMPARE(refused.error().code, QStringLiteral("run.device-busy"));
    QVERIFY(refused.error().what.contains(QStringLiteral("local-1")));
    // A coordinator that takes the place of one that died finds its own workers at work.
    order[QStringLiteral("again")] = true;
    QVERIFY(RunRequest::fromCbor(order));
}

QTEST_GUILESS_MAIN(TestRunRequest)
#include "test_run_request.moc"
