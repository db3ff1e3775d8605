// A run told to people: nothing of a name gets into the page or the card as more than a name.
#include <QDir>
#include <QJsonArray>
#include <QTest>
#include <QXmlStreamReader>

#include "core/data/data_registry.h"
#include "core/history/curve_svg.h"
#include "core/history/run_report.h"
#include "core/model/import/initial_weights.h"

using namespace hearth;

namespace {

const QString evil = QStringLiteral("</title><script>alert(1)</script>\n# \"big\" | `code`");

RunDetails told() {
    RunDetails run;
    run.summary.label.name = evil;
    run.summary.model = evil;
    run.summary.rounds = 3;
    run.summary.accuracy = 0.875;
    run.summary.joules = 4500;
    run.summary.job = {{QStringLiteral("data"), QStringLiteral("</pre>") + evil}};
    run.loss = {{1, 0.5, 3}, {2, 1, std::nan("")}, {3, 1.5, 1}};
    event::Recovered recovered;
    recovered.fromVersion = 2;
    run.events.push_back({1, 1, recovered, {}});
    run.events.push_back({2, 1, event::Best{20, 0.5, 0.9, 1}, {}});
    run.events.push_back({3, 1, event::State{QStringLiteral("finished"), evil}, {}});
    return run;
}

RunResults results() {
    RunResults known;
    known.details.round = 3;
    known.details.split = QStringLiteral("test");
    known.details.samples = 10;
    known.details.classes = {{0, {4, 5, 6}}, {1, {3, 5, 4}}};
    known.classes = {evil, QStringLiteral("cat")};
    known.details.add({1, 2, 0, 1, 0.9, true});
    return known;
}

}  // namespace

class RunReportTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void aDrawingIsWellFormedAndBreaksAtGaps() {
        const QString svg = curveSvg(told().loss, evil, {2, 99});
        QXmlStreamReader xml(svg);
        int marks = 0;
        QString path;
        while (!xml.atEnd()) {
            if (xml.readNext() != QXmlStreamReader::StartElement)
                continue;
            marks += xml.attributes().value(QLatin1String("class")) == QLatin1String("mark") ? 1 : 0;
            if (xml.name() == QLatin1String("path"))
                path = xml.attributes().value(QLatin1String("d")).toString();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QCOMPARE(marks, 1);  // 99 lies outside
        QCOMPARE(path, QStringLiteral("M70.0 10.0M710.0 190.0"));
    }
    void aCurveOfOneValueLiesInTheMiddle() {
        QVERIFY(curveSvg({{1, 0, 2}}, {}, {}).contains(QStringLiteral("M390.0 100.0")));
    }
    void withoutAValueThereIsNoDrawing() {
        QCOMPARE(curveSvg({}, evil, {}), QString());
        QCOMPARE(curveSvg({{1, 0, std::nan("")}}, evil, {}), QString());
    }
    void aPageTakesNamesAsNamesAndFetchesNothing() {
        const QByteArray page = runReport(told(), results());
        for (const char *part : {"<script", "href", "src=", "url(", "@import", "onload"})
            QVERIFY2(!page.contains(part), part);
        QCOMPARE(page.count("</title>"), 1);
        QCOMPARE(page.count("</pre>"), 1);
        QVERIFY(page.contains("87.5 %"));
        QVERIFY(page.contains("Dashed lines"));
        QVERIFY(page.contains("Taken for each other most"));
        QVERIFY(page.contains("the commonest class, is right in 60.0 %."));
        QVERIFY(!page.contains("Accuracy over rounds"));  // has no curve
    }
    void aCardTakesNamesAsNames() {
        const QByteArray card = modelCard(told(), results());
        QVERIFY(!card.contains("<script>alert(1)</script> "));
        QVERIFY(card.startsWith("# \\</title\\>\\<script\\>"));
        QVERIFY(!card.contains("\n# \"big\""));
        QVERIFY(card.contains("\\| \\`code\\` |\n"));
        QVERIFY(card.contains("| Accuracy, last | 87.5 % |\n"));
        QVERIFY(card.contains("| Energy of graphics cards | 1.25 Wh |\n"));
        QVERIFY(card.contains("| Best weights | after round 20, loss 0.5 |\n"));
        QVERIFY(card.contains("| Ended early | \\</title\\>"));
        QVERIFY(card.contains("| cat | 4 | 3 | 75.0 % | 60.0 % |\n"));
        QVERIFY(card.contains("## Licence"));
    }
    void ofPathsOnlyTheLastPartIsTold_data() {
        QTest::addColumn<QJsonValue>("data");
        QTest::addColumn<QByteArray>("shown");
        QTest::addColumn<QString>("weights");
        QTest::addColumn<QByteArray>("begun");
        const QString home = QDir::homePath();
        const QJsonValue pets = home + QStringLiteral("/My photos/pets");
        QTest::newRow("one set") << pets << QByteArray("\"data\": \"pets\"") << QString() << QByteArray();
        QTest::newRow("a name") << QJsonValue(registryFolder() + QStringLiteral("/iris.json"))
                                << QByteArray("\"data\": \"iris\"") << QString() << QByteArray();
        QTest::newRow("several") << QJsonValue(QJsonArray{QStringLiteral("a@nano"), home + QStringLiteral("/b/")})
                                 << QByteArray("\"a@nano\"") << QString() << QByteArray();
        QTest::newRow("a file of weights")
            << pets << QByteArray("\"data\": \"pets\"") << home + QStringLiteral("/My weights/best.safetensors")
            << QByteArray("best.safetensors");
        QTest::newRow("weights that the network came with")
            << pets << QByteArray("\"data\": \"pets\"") << initialWeightsFolder() + QStringLiteral("/0a1b.safetensors")
            << QByteArray("those that its network came with");
    }
    void ofPathsOnlyTheLastPartIsTold() {
        QFETCH(QJsonValue, data);
        QFETCH(QByteArray, shown);
        QFETCH(QString, weights);
        QFETCH(QByteArray, begun);
        const QString home = QDir::homePath();
        RunDetails run = told();
        run.summary.model = home + QStringLiteral("/nets/pets.onnx:sequence=12");
        run.summary.data = QStringLiteral("iris, ") + home + QStringLiteral("/My photos/pets");
        run.summary.job = {{QStringLiteral("model"), run.summary.model}, {QStringLiteral("data"), data}};
        const QString why = QStringLiteral("The file \"%1/My photos/a.png\" is gone (%1). 3/4 are left.").arg(home);
        event::Run first;
        first.weights = weights;
        run.events.push_back({4, 1, first, {}});
        run.events.push_back({5, 1, event::State{QStringLiteral("failed"), why}, {}});
        for (const QByteArray &text : {runReport(run, {}), modelCard(run, {})}) {
            QVERIFY2(!text.contains(home.toUtf8()), text.constData());
            QVERIFY(text.contains("pets.onnx:sequence=12"));
            QVERIFY(text.contains("iris, pets"));
            QVERIFY(text.contains("3/4 are left"));
            QVERIFY2(text.contains(begun), text.constData());
        }
        QVERIFY(modelCard(run, {}).contains(shown));
    }
    void whatANetworkWroteIsFollowedFromTheFirstEvaluationToTheLast() {
        RunDetails run = told();
        for (const quint64 i : {1, 2, 3, 2}) {  // a loss in between
            event::Evaluation evaluation{static_cast<qint64>(10 * i)};
            evaluation.continued = {{QStringLiteral("Once"), QStringLiteral("again")}};
            run.events.push_back({i + 3, 1, evaluation, {}});
        }
        QCOMPARE(runReport(run, {}).count("<bdi>Once</bdi>"), 2);
        for (quint64 i = 1; i <= 40; ++i) {
            event::Evaluation evaluation{static_cast<qint64>(10 * i)};
            evaluation.continued = {{QStringLiteral("Once"), evil + QString::number(i)}};
            run.events.push_back({i + 3, 1, evaluation, {}});
        }
        const QByteArray page = runReport(run, {}), card = modelCard(run, {});
        QCOMPARE(page.count("<bdi>Once</bdi>"), 12);
        QVERIFY(page.indexOf("<bdi>10</bdi>") < page.indexOf("<bdi>400</bdi>"));
        QVERIFY(!page.contains("<script"));
        QCOMPARE(card.count("| Once |"), 12);
        QVERIFY(card.contains("| 400 | Once | \\</title\\>"));
        QVERIFY(!card.contains("commonest"));
    }
    void theLastPlanSaysWhoComputedWhat() {
        RunDetails run = told();
        QVERIFY(!runReport(run, {}).contains("Who computed what"));
        const QString desk(64, QLatin1Char('a')), gone(64, QLatin1Char('b'));
        const auto stage = [](int first, int last, const QJsonObject &shares) {
            return QJsonObject{{QStringLiteral("layers"), QJsonArray{first, last}}, {QStringLiteral("shares"), shares}};
        };
        run.events.push_back({4, 1, event::Device{desk, evil, QStringLiteral("ready"), {}}, {}});
        event::Plan plan;
        plan.plan[QStringLiteral("stages")] = QJsonArray{stage(0, 9, {{gone, 16}})};
        run.events.push_back({5, 1, plan, {}});
        plan.plan[QStringLiteral("stages")] =
            QJsonArray{stage(0, 2, {{desk, 10}, {gone, 6}}), stage(2, 5, {{desk, 16}})};
        run.events.push_back({6, 1, plan, {}});
        const QByteArray page = runReport(run, {}), card = modelCard(run, {});
        QVERIFY(page.contains("<bdi>1 to 2</bdi>"));
        QVERIFY(page.contains("<bdi>3 to 5</bdi>"));
        QVERIFY(page.contains(": 10, bbbbbbbb: 6</bdi>"));
        QVERIFY(!page.contains("1 to 9"));
        QVERIFY(!page.contains("<script"));
        QVERIFY(card.contains("| 3 to 5 | \\</title\\>"));
    }
    void aRunThatWasNotEvaluatedHasNoTables() {
        QVERIFY(!runReport(told(), {}).contains("Taken for"));
        QVERIFY(!modelCard(told(), {}).contains("Taken for"));
    }
};

QTEST_GUILESS_MAIN(RunReportTest)
#include "run_report_test.moc"
