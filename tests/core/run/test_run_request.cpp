#include <QCborArray>
#include <QJsonArray>
#include <QTemporaryDir>
#include <QTest>

#include "core/model/safetensors.h"
#include "core/run/run_request.h"
#include "fake_home.h"

using namespace hearth;
using fake::Home;

class TestRunRequest : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void readsTheWholeOrder();
    void choosesDevices_data();
    void choosesDevices();
    void rejections_data();
    void rejections();
    void unknownDataListWhatThereIs();
    void weightsMustFitTheModel();

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
                                                       {QStringLiteral("plan_only"), true},
                                                       {QStringLiteral("trusted_fabric"), QStringLiteral("network")},
                                                       {QStringLiteral("save"), save},
                                                       {QStringLiteral("trace"), trace}}}}));
    QVERIFY2(request, request ? "" : qPrintable(request.error().toString()));
    QCOMPARE(request->id, QStringLiteral("r"));
    QCOMPARE(request->job.batch, 32);
    QCOMPARE(request->planner, QStringLiteral("dp"));
    QVERIFY(request->planOnly && !request->evaluateOnly);
    QVERIFY(request->fabric == FabricScope::Network);
    QVERIFY(request->plan);
    QCOMPARE(request->weights, QStringLiteral("/w"));
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

void TestRunRequest::rejections_data() {
    QTest::addColumn<QJsonObject>("changes");
    QTest::addColumn<QString>("tells");
    const auto options = [](const char *key, const QJsonValue &value) {
        return QJsonObject{{QStringLiteral("options"), QJsonObject{{QLatin1String(key), value}}}};
    };
    QTest::newRow("an unknown planner") << options("planner", QStringLiteral("astroid")) << QStringLiteral("asteroid");
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

void TestRunRequest::unknownDataListWhatThereIs() {
    Home home(1);
    home.request.job.data = QStringLiteral("fashion-mist");
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

QTEST_GUILESS_MAIN(TestRunRequest)
#include "test_run_request.moc"
