#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include "core/model/catalogue.h"
#include "core/profile/declared_facts.h"
#include "core/run/job.h"
#include "core/run/job_estimate.h"

using namespace hearth;

class TestJob : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void anEmptyJobHasDefaultsThatWork();
    void goesToJsonAndBack();
    void choosesACodec_data();
    void choosesACodec();
    void trainsSynchronouslyUnlessTold();
    void badJobs_data();
    void badJobs();
    void whatContradictsItselfIsReadAndNotValid_data();
    void whatContradictsItselfIsReadAndNotValid();
    void namesOneDataSetOrSeveral();
    void countsRounds();
    void fitsTheInput_data();
    void fitsTheInput();
    void isEstimatedAsTheDeviceMeasuredLast_data();
    void isEstimatedAsTheDeviceMeasuredLast();
};

namespace {
/// Every layer takes so long each way.
StoredProfile measuredOn(const Model &model, const QString &computeDevice, double seconds, qint64 when) {
    StoredProfile stored;
    ModelProfile &profile = stored.profile;
    profile.device = QStringLiteral("a");
    profile.model = model.name;
    profile.modelSha256 = QString::fromLatin1(model.sha256());
    profile.library = QStringLiteral("library of %1").arg(when);
    profile.computeDevice = computeDevice;
    profile.precision = precisionName(Precision::Float32);
    profile.layers = declaredFacts(model, DType::Float32);
    profile.times.batch = {1, 32};
    profile.times.forward.assign(model.layers.size(), {seconds, seconds});
    profile.times.backward = profile.times.forward;
    stored.measured = when;
    return stored;
}

QJsonObject parse(const QByteArray &text) {
    QJsonObject json = QJsonDocument::fromJson(text).object();
    if (!json.contains(QStringLiteral("format")))
        json[QStringLiteral("format")] = QStringLiteral("hearth-job/1");
    return json;
}
}  // namespace

void TestJob::anEmptyJobHasDefaultsThatWork() {
    const auto job = Job::fromJson(parse("{}"));
    QVERIFY(job);
    QCOMPARE(*job, Job{});
    QCOMPARE(job->rounds, std::optional<qint64>(500));
    QVERIFY(job->validate());
}

void TestJob::goesToJsonAndBack() {
    const auto job = Job::fromJson(parse(
        R"({"model":"m","data":"d","input":{"scale":0.5,"pad":[2,1],"repeat_channels":3,"mean":[0.5,0.25,0],"std":[1,2,3]},
            "fit":"whole","augment":{"crop":0.5,"flip":true},"validation":0.25,"loss":"cross-entropy",
            "adapters":{"kind":"lora","rank":4,"targets":["*.q"]},"freeze":["*","!head"],"label_smoothing":0.1,
            "optimizer":{"kind":"adam","learning_rate":0.01,"clip_norm":0.5},"batch":64,"micro_batch":16,"precision":"float64",
            "epochs":2,"seed":7,"shuffle":false,"evaluate_every":10,"best_by":"accuracy","keep_best":false,"patience":5,"prompts":["Once","upon"],"prompt_tokens":7})"));
    QVERIFY(job);
    QCOMPARE(job->microBatch, std::optional<int>(16));
    QCOMPARE(job->precision, Precision::Float64);
    QVERIFY(!job->rounds);
    QCOMPARE(job->optimizer.kind, OptimizerSpec::Kind::Adam);
    QCOMPARE(job->optimizer.clipNorm, 0.5);
    QCOMPARE(job->adapters->rank, 4);
    QCOMPARE(job->freeze.size(), 2);
    QCOMPARE(job->input->mean, (std::vector<double>{0.5, 0.25, 0}));
    QCOMPARE(job->fit, std::optional(PictureFit::Whole));
    QCOMPARE(job->augment, (Augmentation{.crop = 0.5, .flip = true}));
    QCOMPARE(job->validation, 0.25);
    QCOMPARE(job->bestBy, BestBy::Accuracy);
    QCOMPARE(job->patience, 5);
    QCOMPARE(job->prompts, std::optional(QStringList{QStringLiteral("Once"), QStringLiteral("upon")}));
    QCOMPARE(job->promptTokens, 7);
    QVERIFY(!job->keepBest);
    const auto again = Job::fromJson(job->toJson());
    QVERIFY(again);
    QCOMPARE(*again, *job);
}

void TestJob::choosesACodec_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<int>("codec");
    QTest::newRow("tensors cross as they are unless told") << QByteArray("{}") << int(CodecChoice::None);
    QTest::newRow("none") << QByteArray(R"({"codec":"none"})") << int(CodecChoice::None);
    QTest::newRow("auto") << QByteArray(R"({"codec":"auto"})") << int(CodecChoice::Auto);
    QTest::newRow("in bfloat16, too") << QByteArray(R"({"codec":"auto","precision":"bfloat16"})")
                                      << int(CodecChoice::Auto);
    QTest::newRow("strong") << QByteArray(R"({"codec":"strong"})") << int(CodecChoice::Strong);
}

void TestJob::choosesACodec() {
    QFETCH(QByteArray, text);
    QFETCH(int, codec);
    const auto job = Job::fromJson(parse(text));
    QVERIFY(job);
    QCOMPARE(static_cast<int>(job->codec), codec);
    QCOMPARE(*Job::fromJson(job->toJson()), *job);
    QCOMPARE(job->isExact(), job->codec == CodecChoice::None);
    const auto rounded = Job::fromJson(parse(R"({"gradient_codec":"bfp8"})"));
    QVERIFY(rounded && !rounded->isExact());
    QCOMPARE(*Job::fromJson(rounded->toJson()), *rounded);
    QVERIFY(*rounded != Job());
}

void TestJob::trainsSynchronouslyUnlessTold() {
    QVERIFY(!Job::fromJson(parse(R"({"mode":"synchronous"})"))->asynchronous);
    const auto job = Job::fromJson(parse(R"({"mode":"asynchronous","asynchronous":{"update":"micro-batch"}})"));
    QVERIFY(job);
    QCOMPARE(job->asynchronous, std::optional(Asynchrony{Asynchrony::Update::MicroBatch}));
    QCOMPARE(job->training(7).asynchronous, job->asynchronous);
    QCOMPARE(*Job::fromJson(job->toJson()), *job);
    QCOMPARE(Job::fromJson(parse(R"({"mode":"asynchronous"})"))->asynchronous, std::optional(Asynchrony{}));
}

void TestJob::badJobs_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("tells");
    const auto row = [](const char *name, const char *text, const char *tells) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(tells);
    };
    row("a deviation of nothing", R"({"input":{"mean":[0],"std":[0]}})", "/input/mean");
    row("a mean without a deviation", R"({"input":{"mean":[0]}})", "/input/mean");
    row("a way to fit that there is not", R"({"fit":"pad"})", "/fit");
    row("a misspelled augmentation", R"({"augment":{"flop":true}})", "\"flip\"");
    row("all of the samples to validate", R"({"validation":1})", "/validation");
    row("an unknown key is told with the nearest word", R"({"bacth":3})", "Did you mean \"batch\"?");
    row("an unknown key of the optimizer names its place", R"({"optimizer":{"kind":"sgd","momentun":1}})", "momentum");
    row("an unknown codec lists the valid ones", R"({"codec":"zip"})", "none, auto, strong");
    row("codecs round, and float64 is exact", R"({"codec":"auto","precision":"float64"})", "/codec");
    row("an unknown codec of gradients lists the valid ones", R"({"gradient_codec":"bfp4"})", "none, bfp8");
    row("gradients that are rounded, in float64", R"({"gradient_codec":"bfp8","precision":"float64"})",
        "/gradient_codec");
    row("an unknown precision lists the valid ones", R"({"precision":"float16"})", "float32, float64, bfloat16");
    row("a mode that there is not lists the others", R"({"mode":"eager"})", "synchronous, asynchronous");
    row("asynchronous settings of a synchronous job", R"({"asynchronous":{}})", "/asynchronous");
    row("an asynchronous job that clips", R"({"mode":"asynchronous","optimizer":{"kind":"sgd","clip_norm":1}})",
        "clip_norm");
    row("an unknown loss", R"({"loss":"mse"})", "cross-entropy");
    row("smoothed labels where there are no classes", R"({"loss":"mean-squared-error","label_smoothing":0.1})",
        "knows no classes");
    row("an unknown key of the adapters names its place", R"({"adapters":{"kind":"lora","rnk":3}})", "/adapters/rnk");
    row("a text where patterns belong", R"({"freeze":"*"})", "freeze");
    row("a list of one data set", R"({"data":["pets"]})", "/data");
    row("data without a name", R"({"data":["pets",""]})", "/data");
    row("a number in a list of data", R"({"data":["pets",1]})", "/data");
    row("a number for the data", R"({"data":1})", "/data");
    row("more data sets than there may be",
        R"({"data":["a","b","c","d","e","f","g","h","i","j","k","l","m","n","o","p","q"]})", "2 to 16 names");
    row("a data set that is named twice", R"({"data":["pets","birds@desk","pets"]})", "Name each once.");
    row("both rounds and epochs", R"({"rounds":1,"epochs":1})", "Keep one of them.");
    row("no round at all", R"({"rounds":0})", "from 1");
    row("an unknown way to be better lists the valid ones", R"({"best_by":"f1"})", "loss, accuracy");
    row("the accuracy of numbers", R"({"loss":"mean-squared-error","best_by":"accuracy"})", "/best_by");
    row("patience without evaluations", R"({"evaluate_every":0,"patience":3})", "\"evaluate_every\"");
    row("more prompts than four", R"({"prompts":["a","b","c","d","e"]})", "/prompts");
    row("a prompt without a text", R"({"prompts":["a",""]})", "/prompts");
    row("a prompt that is a number", R"({"prompts":[1]})", "/prompts");
    row("no token for a prompt", R"({"prompt_tokens":0})", "/prompt_tokens");
    row("a patience below nothing", R"({"patience":-1})", "/patience");
    row("a batch of nothing", R"({"batch":0})", "\"/batch\"");
    row("a micro-batch that does not divide the batch", R"({"batch":128,"micro_batch":48})", "divisor");
    row("a text where a number belongs", R"({"batch":"128"})", "whole number");
    row("a seed too large for JSON", R"({"seed":1e17})", "seed");
    row("local steps of one", R"({"local_steps":{"every":1}})", "/local_steps/every");
    row("local steps of parts of a batch", R"({"batch":128,"micro_batch":32,"local_steps":{}})", "\"micro_batch\" out");
    row("more samples in a round than a plan may have", R"({"batch":1024,"local_steps":{"every":65}})", "at most 64");
    row("local steps of stages that never wait", R"({"mode":"asynchronous","local_steps":{}})", "one of the two");
    row("a number for local steps", R"({"local_steps":8})", "/local_steps");
    row("another format", R"({"format":"hearth-job/2"})", "hearth-job/1");
}

void TestJob::badJobs() {
    QFETCH(QByteArray, text);
    QFETCH(QString, tells);
    const auto job = Job::validFromJson(parse(text), QStringLiteral("mine.json"));
    QVERIFY(!job);
    QVERIFY2(job.error().toString().contains(tells), qPrintable(job.error().toString()));
    QVERIFY2(job.error().what.contains(QLatin1String("mine.json")), qPrintable(job.error().what));
}

void TestJob::whatContradictsItselfIsReadAndNotValid_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("tells");
    const auto row = [](const char *name, const char *text, const char *tells) {
        QTest::newRow(name) << QByteArray(text) << QString::fromLatin1(tells);
    };
    row("codecs in float64", R"({"codec":"auto","precision":"float64"})", "/codec");
    row("a micro-batch that does not divide the batch", R"({"batch":128,"micro_batch":48})", "/micro_batch");
    row("local steps of parts of a batch", R"({"micro_batch":32,"local_steps":{}})", "/local_steps");
    row("a round that is too large", R"({"batch":1024,"local_steps":{"every":65}})", "/local_steps/every");
    row("local steps of stages that never wait", R"({"mode":"asynchronous","local_steps":{}})", "/local_steps");
    row("local steps with a moving average", R"({"optimizer":{"kind":"sgd","ema":0.9},"local_steps":{}})", "ema");
    row("asynchronous steps that clip", R"({"mode":"asynchronous","optimizer":{"kind":"sgd","clip_norm":1}})",
        "clip_norm");
    row("relative steps that cannot be corrected",
        R"({"mode":"asynchronous","optimizer":{"kind":"adafactor","relative_step":true}})", "relative_step");
    row("Nesterov without momentum", R"({"optimizer":{"kind":"sgd","momentum":0,"nesterov":true}})",
        "/optimizer/nesterov");
    row("smoothed labels of no classes", R"({"loss":"mean-squared-error","label_smoothing":0.1})", "/label_smoothing");
    row("the accuracy of numbers", R"({"loss":"mean-squared-error","best_by":"accuracy"})", "/best_by");
    row("patience without evaluations", R"({"evaluate_every":0,"patience":3})", "/patience");
    row("data that are named twice", R"({"data":["pets","pets"]})", "Name each once.");
    row("an empty pattern", R"({"freeze":["*",""]})", "/freeze");
    row("nothing behind a mark", R"({"freeze":["!"]})", "/freeze");
    row("an adapter's empty pattern", R"({"adapters":{"kind":"lora","targets":[""]}})", "/adapters/targets");
}

void TestJob::whatContradictsItselfIsReadAndNotValid() {
    QFETCH(QByteArray, text);
    QFETCH(QString, tells);
    const auto job = Job::fromJson(parse(text));
    QVERIFY2(job, job ? "" : qPrintable(job.error().toString()));
    const auto again = Job::fromJson(job->toJson());
    QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
    QCOMPARE(*again, *job);
    const auto valid = job->validate(QStringLiteral("mine.json"));
    QVERIFY(!valid);
    QVERIFY2(valid.error().toString().contains(tells), qPrintable(valid.error().toString()));
    QVERIFY2(valid.error().what.contains(QLatin1String("mine.json")), qPrintable(valid.error().what));
    QVERIFY(!Job::validFromJson(parse(text)));
}

void TestJob::namesOneDataSetOrSeveral() {
    const auto one = Job::fromJson(parse(R"({"data":"pets@desk"})"));
    QVERIFY(one);
    QCOMPARE(one->data, QStringList{QStringLiteral("pets@desk")});
    QVERIFY(one->dataSources().front().isHere());  // as ever: a name or a path of this device
    QCOMPARE(one->toJson()[QStringLiteral("data")].toString(), QStringLiteral("pets@desk"));

    const QJsonArray names{QStringLiteral("pets"), QStringLiteral("my pets@my desk"), QStringLiteral("/home/me@work/x"),
                           QStringLiteral("@x"), QStringLiteral("x@")};
    QJsonObject list = parse("{}");
    list[QStringLiteral("data")] = names;
    const auto several = Job::fromJson(list);
    QVERIFY2(several, several ? "" : qPrintable(several.error().toString()));
    QCOMPARE(several->toJson()[QStringLiteral("data")].toArray(), names);
    QVERIFY(*Job::fromJson(several->toJson()) == *several);
    QCOMPARE(several->dataText(), QStringLiteral("pets, my pets@my desk, /home/me@work/x, @x, x@"));
    const auto sources = several->dataSources();
    QCOMPARE(sources.size(), std::size_t{5});
    QVERIFY((sources[1] == DataSource{QStringLiteral("my pets"), QStringLiteral("my desk")}));
    for (const std::size_t here : {0, 2, 3, 4})
        QVERIFY(sources[here].isHere() && sources[here].name == names[static_cast<qsizetype>(here)].toString());
}

void TestJob::countsRounds() {
    Job job;
    job.batch = 32;
    QCOMPARE(job.totalRounds(50), 500);
    job.rounds.reset();
    job.epochs = 2;
    QCOMPARE(job.totalRounds(50), 4);  // 100 samples
    job.evaluateEvery = 3;
    QVERIFY(!job.evaluatesAfter(0, 4));
    QVERIFY(!job.evaluatesAfter(2, 4));
    QVERIFY(job.evaluatesAfter(3, 4));
    QVERIFY(job.evaluatesAfter(4, 4));
    job.evaluateEvery = 0;
    QVERIFY(!job.evaluatesAfter(4, 4));
    // With local steps a round is all that happens between two means.
    job.localSteps = LocalSteps{3, 1, 0.5};
    QCOMPARE(job.roundSamples(), 96);
    QCOMPARE(job.totalRounds(50), 2);
    QCOMPARE(job.fixedMicroBatch(), std::optional(32));
    QCOMPARE(job.state().copies, job.optimizer.state().copies + 1);
    QCOMPARE(*Job::fromJson(job.toJson()), job);
    QVERIFY(job.training(9).localSteps == job.localSteps);
}

void TestJob::fitsTheInput_data() {
    QTest::addColumn<Shape>("model");
    QTest::addColumn<bool>("fits");
    QTest::addColumn<int>("pad");
    QTest::addColumn<int>("repeat");
    QTest::newRow("the same shape") << Shape{1, 28, 28} << true << 0 << 1;
    QTest::newRow("a border of two") << Shape{1, 32, 32} << true << 2 << 1;
    QTest::newRow("one channel repeated") << Shape{3, 32, 32} << true << 2 << 3;
    QTest::newRow("a model smaller than the sample") << Shape{1, 26, 26} << false << 0 << 0;
    QTest::newRow("a border that is not even") << Shape{1, 29, 29} << false << 0 << 0;
}

void TestJob::fitsTheInput() {
    QFETCH(Shape, model);
    QFETCH(bool, fits);
    QFETCH(int, pad);
    QFETCH(int, repeat);
    const auto input = inputOf(Job{}, {1, 28, 28}, model);
    QCOMPARE(input.has_value(), fits);
    if (!fits)
        return;
    QCOMPARE(input->pad[0], pad);
    QCOMPARE(input->repeatChannels, repeat);
    Job wrong;
    wrong.input = InputTransform{.scale = 1, .pad = {5, 5}};
    QVERIFY(!inputOf(wrong, {1, 28, 28}, model));
}

void TestJob::isEstimatedAsTheDeviceMeasuredLast_data() {
    QTest::addColumn<QString>("before");
    QTest::newRow("with another library") << QStringLiteral("cpu");
    QTest::newRow("without the card that it has no more") << QStringLiteral("cuda");
}

void TestJob::isEstimatedAsTheDeviceMeasuredLast() {
    QFETCH(QString, before);
    const Model model = *loadModel(QStringLiteral("fashion-cnn"));
    const StoredProfile old = measuredOn(model, before, 0.5, 1),
                        last = measuredOn(model, QStringLiteral("cpu"), 0.1, 2);
    DeviceInfo device;
    device.id = QStringLiteral("a");
    device.threads = 1;
    const auto seconds = [&](const std::vector<StoredProfile> &profiles) {
        const auto estimate = estimateAlone(Job{}, model, device, 0, {profiles, {}});
        return estimate ? estimate->roundS : 0;
    };
    QVERIFY(seconds({last}) > 0);
    QCOMPARE(seconds({old, last}), seconds({last}));
    QCOMPARE(seconds({last, old}), seconds({last}));
}

QTEST_GUILESS_MAIN(TestJob)
#include "test_job.moc"
