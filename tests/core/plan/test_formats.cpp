// hearth-problem/1, hearth-plan/1 and hearth-comparison/1: both ways, and what they refuse.
#include <QJsonDocument>
#include <QtTest>

#include "core/plan/evaluate.h"
#include "core/plan/planner.h"
#include "core/plan/problem.h"
#include "tests/core/plan/random_problem.h"

using namespace hearth;

namespace {

QJsonObject parsed(const char *text) {
    const QJsonDocument document = QJsonDocument::fromJson(text);
    Q_ASSERT(document.isObject());
    return document.object();
}

QJsonObject problemObject() {
    return parsed(R"({"format":"hearth-problem/1","batch":8,"micro_batch":null,"optimizer_state_factor":1,
        "input_bytes":784,"label_bytes":8,"data_device":"nx0",
        "devices":[{"id":"nx0","memory_bytes":8000000000,"runtime_bytes":200000000},
                   {"id":"tx1","memory_bytes":4000000000,"runtime_bytes":200000000}],
        "layers":[{"name":"a","output_bytes":4096,"saved_bytes":20000,"parameter_bytes":1000,
                   "packed":{"none":{"forward":0.5,"backward":0.25},"bf16":{"forward":0.75,"active":0.5}}},
                  {"name":"b","output_bytes":40,"gradient_bytes":20,"saved_bytes":2000,"workspace_bytes":5,
                   "parameter_bytes":500,"trainable_bytes":100,"buffer_bytes":7,"minimum_samples":2}],
        "times":{"nx0":{"batch":[1,4],"forward_s":[[0.1,0.2],[0.1,0.3]],"backward_s":[[0.2,0.4],[0.2,0.6]]},
                 "tx1":{"batch":[2],"forward_s":[[0.1],[0.1]],"backward_s":[[0.2],[0.2]],
                        "backward_weights_s":[[0.1],[0]]}},
        "links":{"default":{"bytes_per_s":12500000,"latency_s":0.0003,"duplex":"full"},
                 "nics":[{"id":"tx1","up_bytes_per_s":6000000,"down_bytes_per_s":9000000,"duplex":"half","medium":"air"}],
                 "media":[{"id":"air","bytes_per_s":20000000}],
                 "pairs":[{"from":"nx0","to":"tx1","bytes_per_s":6000000,"latency_s":0.001}]}})");
}

QJsonObject planObject() {
    return parsed(R"({"format":"hearth-plan/1","model":{"name":"m","sha256":"","layers":2},"planner":"mine","batch":8,
        "micro_batch":4,"schedule":"1f1b",
        "stages":[{"layers":[0,1],"shares":{"nx0":4},"in_flight":2,"recompute":false,"codec":"none"},
                  {"layers":[1,2],"shares":{"tx1":4},"in_flight":1,"recompute":false,"codec":"none"}]})");
}

QJsonObject pipelinesObject() {
    return parsed(R"({"format":"hearth-plan/1","batch":8,"micro_batch":4,
        "pipelines":[{"samples":8,"stages":[{"layers":[0,1],"shares":{"nx0":4}},{"layers":[1,2],"shares":{"tx1":4}}]}]})");
}

/// Replaces the value at "a/b/0/c"; an undefined value removes it.
QJsonValue replaced(const QJsonValue &root, const QStringList &path, const QJsonValue &value) {
    if (path.isEmpty())
        return value;
    if (root.isArray()) {
        QJsonArray array = root.toArray();
        array[path.first().toInt()] = replaced(array[path.first().toInt()], path.mid(1), value);
        return array;
    }
    QJsonObject object = root.toObject();
    const QJsonValue inner = replaced(object.value(path.first()), path.mid(1), value);
    if (inner.isUndefined())
        object.remove(path.first());
    else
        object[path.first()] = inner;
    return object;
}

QString quoted(const QString &pointer) {
    return QLatin1Char('"') + pointer + QLatin1Char('"');
}

QJsonObject changed(const QJsonObject &object, const QString &path, const QString &json) {
    QJsonValue value = QJsonValue::Undefined;
    if (!json.isEmpty())
        value = QJsonDocument::fromJson("[" + json.toUtf8() + "]").array().at(0);
    return replaced(object, path.split(QLatin1Char('/')), value).toObject();
}

/// A value put at a path, and where the error says it is. No value: what is there goes.
void addColumns() {
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::addColumn<QString>("named");
}

void row(const char *name, const char *path, const char *value, const char *named) {
    QTest::newRow(name) << QString::fromLatin1(path) << QString::fromLatin1(value) << QString::fromLatin1(named);
}

/// The plan with the row's value in it is refused, by itself or for the problem.
void refuses(const QJsonObject &sound) {
    QFETCH(QString, path);
    QFETCH(QString, value);
    QFETCH(QString, named);
    const auto problem = PlanningProblem::fromJson(problemObject(), QStringLiteral("p.json"));
    QVERIFY(problem);
    const auto plan = Plan::fromJson(changed(sound, path, value), QStringLiteral("plan.json"));
    Result<void> outcome;
    if (!plan)
        outcome = tl::unexpected(plan.error());
    else
        outcome = plan->validateFor(*problem, QStringLiteral("plan.json"));
    QVERIFY(!outcome);
    QVERIFY2(outcome.error().what.contains(quoted(named)), qPrintable(outcome.error().toString()));
}

}  // namespace

class TestFormats : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void problemFillsInItsDefaults() {
        const auto problem = PlanningProblem::fromJson(problemObject(), QStringLiteral("p.json"));
        QVERIFY2(problem, problem ? "" : qPrintable(problem.error().toString()));
        QCOMPARE(problem->layers[0].gradientBytes, 4096);
        QCOMPARE(problem->layers[0].trainableBytes, 1000);
        QCOMPARE(problem->layers[0].minimumSamples, 1);
        QCOMPARE(problem->layers[0].packed.value(QStringLiteral("none")), (PackedParts{0.5, 0.25, 0.25}));
        QCOMPARE(problem->layers[0].packed.value(QStringLiteral("bf16")), (PackedParts{0.75, 1, 0.5}));
        QVERIFY(problem->layers[1].packed.isEmpty());
        QCOMPARE(problem->layers[1].gradientBytes, 20);
        QCOMPARE(problem->layers[1].trainableBytes, 100);
        QVERIFY(!problem->microBatch);
        const auto again = PlanningProblem::fromJson(problem->toJson(), QStringLiteral("p.json"));
        QVERIFY(again);
        QCOMPARE(again->toJson(), problem->toJson());
        QCOMPARE(again->links, problem->links);
        QCOMPARE(again->times, problem->times);
    }

    void statesThatAreKeptAreNoneUnlessTold() {
        const auto none = PlanningProblem::fromJson(problemObject(), QStringLiteral("p.json"));
        QVERIFY(none);
        QCOMPARE(none->keptStates, 0);
        QVERIFY(!none->toJson().contains(QStringLiteral("kept_states")));
        QCOMPARE(none->keptCopies, 0);
        QVERIFY(!none->toJson().contains(QStringLiteral("kept_copies")));
        QJsonObject some = changed(problemObject(), QStringLiteral("kept_states"), QStringLiteral("4"));
        some = changed(some, QStringLiteral("kept_copies"), QStringLiteral("2"));
        auto told = PlanningProblem::fromJson(some, QStringLiteral("p.json"));
        QVERIFY(told);
        QCOMPARE(told->keptStates, 4);
        QCOMPARE(told->keptCopies, 2);
        QCOMPARE(PlanningProblem::fromJson(told->toJson(), QStringLiteral("p.json"))->toJson(), told->toJson());
        for (const int wrong : {-1, 17}) {
            for (int PlanningProblem::*kept : {&PlanningProblem::keptStates, &PlanningProblem::keptCopies}) {
                PlanningProblem odd = *told;
                odd.*kept = wrong;
                QVERIFY(!odd.validate());
            }
        }
        QVERIFY(told->keepLess());
        QVERIFY(told->keptCopies == 0 && told->keptStates == 4);
        QVERIFY(told->keepLess());
        QVERIFY(told->keptStates == 0 && !told->keepLess());
    }

    void problemRefusesBadInput_data() {
        addColumns();
        row("another format", "format", "\"hearth-plan/1\"", "/format");
        row("no batch", "batch", "", "/batch");
        row("a batch of zero", "batch", "0", "/batch");
        row("a batch that is no number", "batch", "\"8\"", "/batch");
        row("a micro-batch that does not divide", "micro_batch", "3", "/micro_batch");
        row("an unknown key", "bacth", "1", "/bacth");
        row("fewer than no states kept", "kept_states", "-1", "/kept_states");
        row("more states kept than any device keeps", "kept_states", "17", "/kept_states");
        row("half a state kept", "kept_states", "1.5", "/kept_states");
        row("fewer than no copies kept", "kept_copies", "-1", "/kept_copies");
        row("more copies kept than any device keeps", "kept_copies", "17", "/kept_copies");
        row("no devices", "devices", "[]", "/devices");
        row("a device twice", "devices/1/id", "\"nx0\"", "/devices/1/id");
        row("a device without times", "times/tx1", "", "/times/tx1");
        row("times of a stranger", "times/nx9", "{}", "/times/nx9");
        row("negative memory", "devices/0/memory_bytes", "-1", "/devices/0/memory_bytes");
        row("no layers", "layers", "[]", "/layers");
        row("a layer that is no object", "layers/0", "3", "/layers/0");
        row("more trainable than parameters", "layers/0/trainable_bytes", "2000", "/layers/0/trainable_bytes");
        row("more bytes when packed", "layers/0/packed/none/backward", "1.5", "/layers/0/packed/none/backward");
        row("packed to nothing", "layers/0/packed/none/forward", "0", "/layers/0/packed/none/forward");
        row("a part that is no number", "layers/0/packed/bf16", "0.5", "/layers/0/packed/bf16");
        row("a missing row of times", "times/nx0/forward_s", "[[0.1,0.2]]", "/times/nx0/forward_s");
        row("a short row of times", "times/nx0/backward_s/1", "[0.1]", "/times/nx0/backward_s/1");
        row("negative seconds", "times/nx0/forward_s/0", "[-0.1,0.2]", "/times/nx0/forward_s/0/0");
        row("a text among the seconds", "times/nx0/forward_s/0", "[0.1,\"a\"]", "/times/nx0/forward_s/0/1");
        row("a half that is more than the whole", "times/tx1/backward_weights_s/1", "[0.3]",
            "/times/tx1/backward_weights_s/1/0");
        row("halves of some layers only", "times/tx1/backward_weights_s", "[[0.1]]", "/times/tx1/backward_weights_s");
        row("batch sizes that do not ascend", "times/nx0/batch", "[4,1]", "/times/nx0/batch");
        row("a batch size of zero", "times/nx0/batch", "[0,1]", "/times/nx0/batch/0");
        row("a data device that is unknown", "data_device", "\"nx1\"", "/data_device");
        row("a negative rate", "links/default/bytes_per_s", "-1", "/links/default/bytes_per_s");
        row("an unknown duplex", "links/default/duplex", "\"simplex\"", "/links/default/duplex");
        row("a card of a stranger", "links/nics/0/id", "\"tx2\"", "/links/nics/0/id");
        row("an unknown medium", "links/nics/0/medium", "\"wire\"", "/links/nics/0/medium");
        row("a pair of a stranger", "links/pairs/0/to", "\"tx2\"", "/links/pairs/0");
        row("a pair of one device", "links/pairs/0/to", "\"nx0\"", "/links/pairs/0");
        row("no list of devices", "devices", "", "/devices");
        row("a device that is no object", "devices/0", "3", "/devices/0");
        row("a device without an id", "devices/1/id", "", "/devices/1/id");
        row("an empty id", "devices/1/id", "\"\"", "/devices/1/id");
        row("memory that is a text", "devices/0/memory_bytes", "\"8 GB\"", "/devices/0/memory_bytes");
        row("memory beyond all whole numbers", "devices/1/memory_bytes", "1e300", "/devices/1/memory_bytes");
        row("half a byte", "devices/1/runtime_bytes", "0.5", "/devices/1/runtime_bytes");
        row("layers that are no list", "layers", "{}", "/layers");
        row("a layer of no bytes", "layers/1/output_bytes", "", "/layers/1/output_bytes");
        row("negative bytes", "layers/1/saved_bytes", "-2000", "/layers/1/saved_bytes");
        row("a layer that trains on nothing", "layers/1/minimum_samples", "0", "/layers/1/minimum_samples");
        row("an unknown key of a layer", "layers/0/outputs", "1", "/layers/0/outputs");
        row("times that are a list", "times", "[]", "/times");
        row("times of a device that are a list", "times/nx0", "[]", "/times/nx0");
        row("no backward times", "times/nx0/backward_s", "", "/times/nx0/backward_s");
        row("a row that is no list", "times/nx0/forward_s/1", "7", "/times/nx0/forward_s/1");
        row("a layer measured in one direction", "times/nx0/forward_s/1", "null", "/times/nx0/backward_s/1");
        row("a row too many", "times/tx1/forward_s", "[[0.1],[0.1],[0.1]]", "/times/tx1/forward_s");
        row("more seconds than a run has", "times/nx0/backward_s/0", "[0.1,1e10]", "/times/nx0/backward_s/0/1");
        row("no batch sizes", "times/tx1/batch", "[]", "/times/tx1/batch");
        row("a batch size twice", "times/nx0/batch", "[1,1]", "/times/nx0/batch");
        row("half a batch size", "times/nx0/batch", "[1,1.5]", "/times/nx0/batch/1");
        row("links that are a list", "links", "[]", "/links");
        row("a link without a rate", "links/default/bytes_per_s", "", "/links/default/bytes_per_s");
        row("a negative latency", "links/pairs/0/latency_s", "-1", "/links/pairs/0/latency_s");
        row("a card that is no object", "links/nics/0", "[]", "/links/nics/0");
        row("a card twice", "links/nics", R"([{"id":"tx1"},{"id":"tx1"}])", "/links/nics/1/id");
        row("a medium twice", "links/media", R"([{"id":"air","bytes_per_s":1},{"id":"air","bytes_per_s":1}])",
            "/links/media/1/id");
        row("a pair twice", "links/pairs",
            R"([{"from":"nx0","to":"tx1","bytes_per_s":1},{"from":"nx0","to":"tx1","bytes_per_s":2}])",
            "/links/pairs/1");
    }

    void problemRefusesBadInput() {
        QFETCH(QString, path);
        QFETCH(QString, value);
        QFETCH(QString, named);
        const auto problem = PlanningProblem::fromJson(changed(problemObject(), path, value), QStringLiteral("p.json"));
        QVERIFY(!problem);
        QVERIFY2(problem.error().what.contains(QStringLiteral("p.json")), qPrintable(problem.error().what));
        QVERIFY2(problem.error().what.contains(quoted(named)), qPrintable(problem.error().toString()));
    }

    void planRoundTripsWithItsPrediction() {
        std::mt19937 random(3);
        for (int i = 0; i < 10; ++i) {
            const PlanningProblem problem = test::randomProblem(random, {6, 4, 16});
            auto plan = makePlan(QStringLiteral("asteroid"), problem);
            QVERIFY(plan);
            auto judged = evaluate(problem, *plan, {true});
            QVERIFY(judged);
            QVERIFY(!judged->schedule.empty());
            plan->prediction = *judged;
            const QByteArray text = QJsonDocument(plan->toJson()).toJson();
            const auto again = Plan::fromJson(QJsonDocument::fromJson(text).object(), QStringLiteral("plan.json"));
            QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
            QCOMPARE(again->toJson(), plan->toJson());
            QCOMPARE(again->stages, plan->stages);
            QCOMPARE(again->prediction->schedule, plan->prediction->schedule);
        }
    }

    /// As `hearth plan --job JOB --json` tells it, and `hearth train --plan PLAN` takes it.
    void aPlanIsReadFromBesideItsWholeJob() {
        std::mt19937 random(3);
        const PlanningProblem problem = test::randomProblem(random, {6, 4, 16});
        const auto plan = makePlan(QStringLiteral("asteroid"), problem);
        QVERIFY(plan);
        QJsonObject object = plan->toJson();
        object[QStringLiteral("whole_job")] = QJsonObject{{QStringLiteral("rounds"), 500}};
        const auto again = Plan::fromJson(object, QStringLiteral("plan.json"));
        QVERIFY2(again, again ? "" : qPrintable(again.error().toString()));
        QCOMPARE(again->stages, plan->stages);
    }

    void planRefusesBadInput_data() {
        addColumns();
        row("no stages", "stages", "[]", "/stages");
        row("a gap between layers", "stages/1/layers", "[2,3]", "/stages/1/layers");
        row("layers that overlap", "stages/1/layers", "[0,2]", "/stages/1/layers");
        row("layers that are no range", "stages/1/layers", "[1]", "/stages/1/layers");
        row("layers that are no numbers", "stages/1/layers", "[\"a\",2]", "/stages/1/layers");
        row("fewer layers than the model", "model/layers", "3", "/stages");
        row("shares that do not sum", "stages/0/shares", "{\"nx0\":3}", "/stages/0/shares");
        row("a share of zero", "stages/0/shares", "{\"nx0\":4,\"tx1\":0}", "/stages/0/shares/tx1");
        row("a share that is half a sample", "stages/0/shares", "{\"nx0\":3.5}", "/stages/0/shares/nx0");
        row("an unknown device", "stages/0/shares", "{\"nx1\":4}", "/stages/0/shares/nx1");
        row("a device used twice", "stages/1/shares", "{\"nx0\":4}", "/stages/1/shares/nx0");
        row("in-flight zero", "stages/0/in_flight", "0", "/stages/0/in_flight");
        row("an unknown codec", "stages/0/codec", "\"zip\"", "/stages/0/codec");
        row("an unknown schedule", "schedule", "\"2f2b\"", "/schedule");
        row("a micro-batch that does not divide", "micro_batch", "3", "/micro_batch");
        row("another batch than the problem", "batch", "16", "/batch");
        row("an unknown key", "stage", "1", "/stage");
        row("stages that are no list", "stages", "{}", "/stages");
        row("a stage that is no object", "stages/1", "7", "/stages/1");
        row("layers that end before they begin", "stages/0/layers", "[1,0]", "/stages/0/layers");
        row("a stage of no layers", "stages/0/layers", "[0,0]", "/stages/0/layers");
        row("layers below zero", "stages/0/layers", "[-1,1]", "/stages/0/layers");
        row("shares that are a list", "stages/0/shares", "[4]", "/stages/0/shares");
        row("a stage without a device", "stages/0/shares", "{}", "/stages/0/shares");
        row("a negative share", "stages/0/shares", "{\"nx0\":-4}", "/stages/0/shares/nx0");
        row("a share that is a text", "stages/1/shares", "{\"tx1\":\"4\"}", "/stages/1/shares/tx1");
        row("half a micro-batch in flight", "stages/0/in_flight", "1.5", "/stages/0/in_flight");
        row("a limit beyond all whole numbers", "stages/1/in_flight", "1e300", "/stages/1/in_flight");
        row("a flag that is a number", "stages/0/recompute", "1", "/stages/0/recompute");
        row("a batch of zero", "batch", "0", "/batch");
        row("no micro-batch", "micro_batch", "", "/micro_batch");
        row("a prediction that is a list", "prediction", "[]", "/prediction");
        row("a prediction without seconds", "prediction", "{}", "/prediction/round_s");
        row("a negative played round", "prediction", R"({"round_s":1,"played_round_s":-1})",
            "/prediction/played_round_s");
        row("negative bytes of memory", "prediction", R"({"round_s":1,"memory_bytes":{"nx0":-1}})",
            "/prediction/memory_bytes/nx0");
        row("pipelines beside stages", "pipelines", "[{\"samples\":8,\"stages\":[]}]", "/pipelines");
    }

    void planRefusesBadInput() {
        QVERIFY(Plan::fromJson(planObject(), QStringLiteral("plan.json")));
        refuses(planObject());
    }

    void sharesTooSmallForALayerAreRefused() {
        QJsonObject object = changed(planObject(), QStringLiteral("micro_batch"), QStringLiteral("1"));
        object = changed(object, QStringLiteral("stages/0/shares"), QStringLiteral("{\"nx0\":1}"));
        object = changed(object, QStringLiteral("stages/1/shares"), QStringLiteral("{\"tx1\":1}"));
        const auto problem = PlanningProblem::fromJson(problemObject(), QStringLiteral("p.json"));
        const auto plan = Plan::fromJson(object, QStringLiteral("plan.json"));
        QVERIFY(problem && plan);
        const auto outcome = plan->validateFor(*problem);
        QVERIFY(!outcome);
        QVERIFY(outcome.error().cause.contains(QStringLiteral("needs 2")));
    }

    void leftOutLimitsAreAsteroids() {
        const auto plan =
            Plan::fromJson(changed(planObject(), QStringLiteral("stages/0/in_flight"), QString()), QStringLiteral("p"));
        QVERIFY(plan);
        QCOMPARE(plan->stages[0].inFlight, 2);  // 2(P-p)-1 = 3, of two micro-batches
    }

    void pipelinesAreReadAndWritten() {
        const auto plan = Plan::fromJson(pipelinesObject(), QStringLiteral("plan.json"));
        QVERIFY2(plan, plan ? "" : qPrintable(plan.error().toString()));
        QCOMPARE(Plan::fromJson(plan->toJson(), QStringLiteral("again"))->toJson(), plan->toJson());
        const auto problem = PlanningProblem::fromJson(problemObject(), QStringLiteral("p.json"));
        QVERIFY(plan->validateFor(*problem));
        // 2(P-p)-1 = 3 of the two micro-batches in 8 samples
        QCOMPARE(plan->pipelines[0].stages[0].inFlight, 2);
    }

    void wrongPipelines_data() {
        addColumns();
        row("no samples", "pipelines/0/samples", "0", "/pipelines/0/samples");
        row("a broken micro-batch", "pipelines/0/samples", "6", "/pipelines/0/samples");
        row("fewer samples than the batch", "pipelines/0/samples", "4", "/pipelines");
        row("a layer too few", "pipelines/0/stages/1/layers", "[1,1]", "/pipelines/0/stages/1/layers");
        row("an unknown device", "pipelines/0/stages/0/shares", "{\"nx1\":4}", "/pipelines/0/stages/0/shares/nx1");
        row("shares beside the micro-batch", "pipelines/0/stages/0/shares", "{\"nx0\":3}",
            "/pipelines/0/stages/0/shares");
        row("a device used twice", "pipelines/0/stages/1/shares", "{\"nx0\":4}", "/pipelines/0/stages/1/shares/nx0");
    }

    void wrongPipelines() { refuses(pipelinesObject()); }

    void comparisonIsSortedSlowestLast() {
        std::mt19937 random(5);
        const PlanningProblem problem = test::randomProblem(random, {6, 4, 16});
        std::vector<Plan> plans;
        for (const QString &name : {QStringLiteral("dp"), QStringLiteral("single"), QStringLiteral("asteroid")})
            plans.push_back(*makePlan(name, problem));
        const QJsonObject object = comparisonToJson(plans);
        QCOMPARE(object[QStringLiteral("format")].toString(), QStringLiteral("hearth-comparison/1"));
        double last = 0;
        for (const QJsonValue &row : object[QStringLiteral("plans")].toArray()) {
            const double seconds = row[QStringLiteral("prediction")][QStringLiteral("round_s")].toDouble();
            QVERIFY(seconds >= last);
            last = seconds;
        }
    }
};

QTEST_GUILESS_MAIN(TestFormats)
#include "test_formats.moc"
