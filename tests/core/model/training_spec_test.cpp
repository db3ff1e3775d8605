#include <QJsonArray>
#include <QTest>

#include "core/model/training_spec.h"
#include "tests/core/base/quoted_json.h"

using namespace hearth;

class TrainingSpecTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void specsSurviveJsonAndCbor_data();
    void specsSurviveJsonAndCbor();
    void defaultsDependOnTheOptimizer();
    void errorsNamePlaceAndRemedy_data();
    void errorsNamePlaceAndRemedy();
    void theTransformGivesTheModelsInput();
};

void TrainingSpecTest::specsSurviveJsonAndCbor_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<OptimizerState>("state");
    QTest::newRow("plain gradient descent")
        << QByteArray("{'optimizer':{'kind':'sgd','momentum':0,'learning_rate':0.1}}") << OptimizerState{};
    QTest::newRow("momentum and decay")
        << QByteArray(
               "{'optimizer':{'kind':'sgd','momentum':0.9,'weight_decay':0.0005},'precision':'float64','seed':9007199254740992}")
        << OptimizerState{1};
    QTest::newRow("AdamW along a cosine")
        << QByteArray("{'optimizer':{'kind':'adamw','decay':'all'},'schedule':{'kind':'cosine'},'rounds':70}")
        << OptimizerState{2};
    QTest::newRow("large products in bfloat16")
        << QByteArray("{'optimizer':{'kind':'sgd'},'precision':'bfloat16'}") << OptimizerState{1};
    QTest::newRow("stages that do not wait for each other")
        << QByteArray("{'optimizer':{'kind':'sgd'},'asynchronous':{'update':'micro-batch','average_every':5}}")
        << OptimizerState{1};
    QTest::newRow("Nesterov") << QByteArray("{'optimizer':{'kind':'sgd','nesterov':true}}") << OptimizerState{1};
    QTest::newRow("adam") << QByteArray(
                                 "{'optimizer':{'kind':'adam','beta1':0.8,'beta2':0.99,'epsilon':1e-7},'seed':0}")
                          << OptimizerState{2};
    QTest::newRow("Adafactor") << QByteArray("{'optimizer':{'kind':'adafactor'}}") << OptimizerState{0, true};
    QTest::newRow("Adafactor with all that it has")
        << QByteArray(
               "{'optimizer':{'kind':'adafactor','beta1':0.9,'scale_parameter':false,'relative_step':true,'ema':0.9}}")
        << OptimizerState{2, true};
    QTest::newRow("local steps") << QByteArray("{'optimizer':{'kind':'sgd'},'local_steps':{}}") << OptimizerState{1};
    QTest::newRow("local steps with a momentum of their own")
        << QByteArray(
               "{'optimizer':{'kind':'adam'},'local_steps':{'every':8,'outer_rate':0.7,'outer_momentum':0.9},'rounds':9}")
        << OptimizerState{3};
}

void TrainingSpecTest::specsSurviveJsonAndCbor() {
    QFETCH(QByteArray, text);
    const auto spec = TrainingSpec::fromJson(test::quotedJson(text), QStringLiteral("job.json"), QString());
    QVERIFY2(spec, spec ? "" : qPrintable(spec.error().toString()));
    QTEST(spec->state(), "state");
    const auto json = TrainingSpec::fromJson(spec->toJson(), QStringLiteral("again"), QString());
    QVERIFY(json && *json == *spec);
    const QCborMap sent = QCborValue::fromCbor(spec->toCbor().toCborValue().toCbor()).toMap();
    const auto cbor = TrainingSpec::fromJson(sent.toJsonObject(), QStringLiteral("a peer"), QString());
    QVERIFY(cbor && *cbor == *spec);
}

void TrainingSpecTest::defaultsDependOnTheOptimizer() {
    const auto sgd = OptimizerSpec::fromJson(test::quotedJson("{'kind':'sgd'}"), QStringLiteral("job"), QString());
    const auto adam = OptimizerSpec::fromJson(test::quotedJson("{'kind':'adam'}"), QStringLiteral("job"), QString());
    QVERIFY(sgd && adam);
    QCOMPARE(*sgd, OptimizerSpec{});
    QCOMPARE(adam->learningRate, 0.001);
    const auto adamw = OptimizerSpec::fromJson(test::quotedJson("{'kind':'adamw'}"), QStringLiteral("job"), QString());
    QVERIFY(adamw);
    QCOMPARE(adamw->weightDecay, 0.01);
    const auto adafactor =
        OptimizerSpec::fromJson(test::quotedJson("{'kind':'adafactor'}"), QStringLiteral("job"), QString());
    QVERIFY(adafactor);
    QCOMPARE(adafactor->learningRate, 0.01);
    QCOMPARE(adafactor->beta1, 0.0);
    QVERIFY(adafactor->scaleParameter && !adafactor->relativeStep);
}

void TrainingSpecTest::errorsNamePlaceAndRemedy_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QStringList>("words");
    const auto row = [](const char *name, const char *text, const QStringList &words) {
        QTest::newRow(name) << QByteArray(text) << words;
    };
    const auto s = [](const char *text) { return QString::fromLatin1(text); };
    row("a misspelled optimizer", "{'optimizer':{'kind':'sdg'}}",
        {s("job.json"), s("/optimizer/kind"), s("Did you mean \"sgd\"?")});
    row("momentum for adam", "{'optimizer':{'kind':'adam','momentum':0.9}}", {s("/optimizer/momentum"), s("beta1")});
    row("a second beta for Adafactor", "{'optimizer':{'kind':'adafactor','beta2':0.99}}",
        {s("/optimizer/beta2"), s("beta1")});
    row("a first beta of one", "{'optimizer':{'kind':'adafactor','beta1':1}}", {s("/optimizer/beta1")});
    row("a scale that is a number", "{'optimizer':{'kind':'adafactor','scale_parameter':1}}",
        {s("/optimizer/scale_parameter")});
    row("relative steps for AdamW", "{'optimizer':{'kind':'adamw','relative_step':true}}",
        {s("/optimizer/relative_step")});
    row("Nesterov without momentum", "{'optimizer':{'kind':'sgd','momentum':0,'nesterov':true}}",
        {s("/optimizer/nesterov"), s("no momentum")});
    row("a schedule that there is not", "{'optimizer':{'kind':'sgd'},'schedule':{'kind':'cosin'}}",
        {s("/schedule/kind"), s("Did you mean \"cosine\"?")});
    row("a negative rate", "{'optimizer':{'kind':'sgd','learning_rate':-1}}", {s("/optimizer/learning_rate")});
    row("another precision", "{'optimizer':{'kind':'sgd'},'precision':'float16'}",
        {s("precision"), s("float32, float64, bfloat16")});
    row("a fractional seed", "{'optimizer':{'kind':'sgd'},'seed':1.5}", {s("seed"), s("whole number")});
    row("local steps of one", "{'optimizer':{'kind':'sgd'},'local_steps':{'every':1}}", {s("/local_steps/every")});
    row("an outer rate of nothing", "{'optimizer':{'kind':'sgd'},'local_steps':{'outer_rate':0}}",
        {s("/local_steps/outer_rate"), s("ever change")});
    row("an outer momentum above one", "{'optimizer':{'kind':'sgd'},'local_steps':{'outer_momentum':1.5}}",
        {s("/local_steps/outer_momentum")});
    row("a misspelled part of local steps", "{'optimizer':{'kind':'sgd'},'local_steps':{'evry':8}}",
        {s("/local_steps/evry"), s("Did you mean \"every\"?")});
    row("a moving average of every device's own", "{'optimizer':{'kind':'sgd','ema':0.9},'local_steps':{}}",
        {s("/local_steps"), s("ema")});
    row("another loss", "{'optimizer':{'kind':'sgd'},'loss':'hinge'}", {s("loss"), s("cross-entropy")});
}

void TrainingSpecTest::errorsNamePlaceAndRemedy() {
    QFETCH(QByteArray, text);
    QFETCH(QStringList, words);
    const auto spec = TrainingSpec::fromJson(test::quotedJson(text), QStringLiteral("job.json"), QString());
    QVERIFY(!spec);
    for (const QString &word : words)
        QVERIFY2(spec.error().toString().contains(word), qPrintable(spec.error().toString()));
}

void TrainingSpecTest::theTransformGivesTheModelsInput() {
    const auto transform = InputTransform::fromJson(test::quotedJson("{'pad':[2,2],'repeat_channels':3}"),
                                                    QStringLiteral("job"), QString());
    QVERIFY(transform);
    QCOMPARE(transform->scale, 1.0 / 255.0);
    QCOMPARE(transform->outputShape({1, 28, 28}), (Shape{3, 32, 32}));
    QCOMPARE(InputTransform::fromJson(transform->toJson(), QStringLiteral("job"), QString()).value(), *transform);
    QVERIFY(!InputTransform::fromJson(test::quotedJson("{'pad':[2]}"), QStringLiteral("job"), QString()));
    QVERIFY(!InputTransform::fromJson(test::quotedJson("{'pad':[-1,0]}"), QStringLiteral("job"), QString()));
}

QTEST_GUILESS_MAIN(TrainingSpecTest)
#include "training_spec_test.moc"
