// `hearth predict` over folders of runs: no agent is needed, and a real process computes.
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "tests/app/hearth_program.h"
#include "tests/core/inference/row_runs.h"

using namespace hearth;
using namespace hearth::test;

class PredictCommandTest : public QObject {
    Q_OBJECT

    RowRuns m_runs;
    const QString m_weather = QStringLiteral("20261120-090000-aaaa"), m_pairs = QStringLiteral("20261121-090000-bbbb"),
                  m_language = QStringLiteral("20261122-090000-cccc"),
                  m_prices = QStringLiteral("20261123-090000-dddd"),
                  m_pictures = QStringLiteral("20261124-090000-eeee"),
                  m_places = QStringLiteral("20261125-090000-ffff");

    Outcome predict(const QStringList &words) const {
        return runHearth(QStringList{QStringLiteral("predict")} + words +
                         QStringList{QStringLiteral("--state"), m_runs.path({})});
    }
    static QJsonObject jsonOf(const Outcome &outcome) {
        return QJsonDocument::fromJson(outcome.output.toUtf8()).object();
    }

  private Q_SLOTS:
    void initTestCase() {
        const QByteArray weather = "temperature,wind,sky\n20,west,sun\n12,east,rain\n25,west,sun\n9,,rain\n",
                         pairs = "sentence1,sentence2,label\na,b,same\nabc,d,other\n",
                         prices = "size,price\n1,105.5\n2,200.25\n3,330\n";
        m_runs.table(QStringLiteral("runs/") + m_weather, weather, weather);
        m_runs.table(QStringLiteral("runs/") + m_prices, prices, prices);
        m_runs.texts(QStringLiteral("runs/") + m_pairs, pairs, pairs);
        m_runs.language(QStringLiteral("runs/") + m_language);
        const TrainedRun pictures(m_runs.path(QStringLiteral("runs/") + m_pictures));
        const TrainedRun places(m_runs.path(QStringLiteral("runs/") + m_places),
                                R"({"format":"hearth-model/1","name":"places","input":[3,8,8],"classes":4,
            "layers":[{"name":"head","kind":"sequence","ops":[{"kind":"flatten"},{"kind":"linear","features":4}]}]})",
                                R"({"format":"hearth-job/1","model":"m.json","fit":"stretch","data":"places" })",
                                {Precision::Float64,
                                 QStringLiteral("mean-squared-error"),
                                 {},
                                 {{DType::UInt8, {3, TrainedRun::side, TrainedRun::side}, false}},
                                 {}});
        QImage picture(TrainedRun::side, TrainedRun::side, QImage::Format_RGB888);
        picture.fill(Qt::darkGreen);
        QVERIFY(picture.save(m_runs.path(QStringLiteral("a.png"))));
        m_runs.forget();
        m_runs.save(QStringLiteral("new.csv"), "day,wind,sky,temperature\n1,west,sun,18\n2,east,rain,11\n3,east\n");
        m_runs.save(QStringLiteral("empty.csv"), {});
        m_runs.save(QStringLiteral("header.csv"), "temperature,wind\n");
        m_runs.save(QStringLiteral("other.csv"), "temperature,winds\n1,west\n");
        m_runs.save(QStringLiteral("sizes.csv"), "size,price\n1.5,150\n2.5,250\n");
        m_runs.save(QStringLiteral("size.csv"), "size,price\n1.5,150\n");
        m_runs.save(QStringLiteral("pairs.txt"), "a\tb\nabc\td\n");
    }

    void rowsOfATableAreAnswered() {
        const Outcome told = predict({m_weather, m_runs.path(QStringLiteral("new.csv"))});
        QCOMPARE(told.status, 0);
        for (const char *part : {"new.csv:2", "new.csv:3", "sun", "has 2 fields", "of 2 rows whose label is known"})
            QVERIFY2(told.output.contains(QLatin1String(part)), qPrintable(told.output));
        const QJsonObject json =
            jsonOf(predict({m_weather, m_runs.path(QStringLiteral("new.csv")), QStringLiteral("--json")}));
        QCOMPARE(json[QLatin1String("format")].toString(), QStringLiteral("hearth-predictions/1"));
        QCOMPARE(json[QLatin1String("judged")].toInt(), 2);
        const QJsonArray rows = json[QLatin1String("rows")].toArray();
        QCOMPARE(rows.size(), 3);
        QCOMPARE(rows[0][QLatin1String("label")].toString(), QStringLiteral("sun"));
        QCOMPARE(rows[0][QLatin1String("answers")].toArray().size(), 2);
        QVERIFY(!rows[2][QLatin1String("error")].toString().isEmpty());
    }

    void answersAreWrittenBesideTheRows() {
        const QString path = m_runs.path(QStringLiteral("answers.csv"));
        const Outcome told =
            predict({m_weather, m_runs.path(QStringLiteral("new.csv")), QStringLiteral("--csv"), path});
        QCOMPARE(told.status, 0);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().split('\n');
        QCOMPARE(lines[0].trimmed(), QByteArray("row,day,wind,sky,temperature,answer,certainty,error"));
        QVERIFY(lines[1].startsWith("new.csv:2,1,west,sun,18,"));
        QCOMPARE(lines.size(), 5);
    }

    void answersAreWrittenAndTold() {
        const QString path = m_runs.path(QStringLiteral("told.csv"));
        const QStringList words{m_weather, m_runs.path(QStringLiteral("new.csv")), QStringLiteral("--json")};
        const Outcome told = predict(words + QStringList{QStringLiteral("--csv"), path});
        QCOMPARE(told.status, 0);
        QCOMPARE(told.output, predict(words).output);
        QVERIFY(QFile::exists(path));
    }

    void quantitiesAreToldInTheirOwnUnit() {
        const Outcome told = predict({m_prices, m_runs.path(QStringLiteral("sizes.csv"))});
        QCOMPARE(told.status, 0);
        QVERIFY2(told.output.contains(QLatin1String("price ")) && told.output.contains(QLatin1String("On average")),
                 qPrintable(told.output));
        const QJsonObject json =
            jsonOf(predict({m_prices, m_runs.path(QStringLiteral("sizes.csv")), QStringLiteral("--json")}));
        QVERIFY(json[QLatin1String("mean_error")].isDouble());
        const double value =
            json[QLatin1String("rows")][0][QLatin1String("answers")][0][QLatin1String("value")].toDouble();
        QVERIFY2(std::abs(value - 200) < 300, qPrintable(QString::number(value)));
    }

    void severalNumbersAreAllToldInTheirOrder() {
        const QStringList words{m_places, m_runs.path(QStringLiteral("a.png"))};
        const QString path = m_runs.path(QStringLiteral("places.csv"));
        const QJsonObject json =
            jsonOf(predict(words + QStringList{QStringLiteral("--json"), QStringLiteral("--csv"), path}));
        const QJsonArray answers = json[QLatin1String("files")][0][QLatin1String("answers")].toArray();
        QCOMPARE(answers.size(), 4);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().split('\n');
        QCOMPARE(lines[0].trimmed(), QByteArray("file,answer 0,answer 1,answer 2,answer 3,error"));
        const QByteArrayList fields = lines[1].split(',');
        for (int output = 0; output < 4; ++output) {
            QCOMPARE(answers[output][QLatin1String("class")].toString(), QString::number(output));
            QCOMPARE(fields[output + 1].toDouble(), answers[output][QLatin1String("value")].toDouble());
        }
        const Outcome told = predict(words);
        QCOMPARE(told.status, 0);
        QCOMPARE(told.output.count(QLatin1String(", ")), 3);
    }

    void oneRowIsCountedAsOne() {
        const Outcome told = predict({m_prices, m_runs.path(QStringLiteral("size.csv"))});
        QCOMPARE(told.status, 0);
        QVERIFY2(told.output.contains(QLatin1String("of 1 row whose label is known")), qPrintable(told.output));
    }

    void textsAreAnswered() {
        const QJsonObject typed =
            jsonOf(predict({m_pairs, QStringLiteral("--text"), QStringLiteral("a"), QStringLiteral("--text"),
                            QStringLiteral("b"), QStringLiteral("--json")}));
        const QJsonObject read =
            jsonOf(predict({m_pairs, m_runs.path(QStringLiteral("pairs.txt")), QStringLiteral("--json")}));
        QCOMPARE(read[QLatin1String("rows")].toArray().size(), 2);
        QCOMPARE(typed[QLatin1String("rows")][0][QLatin1String("answers")],
                 read[QLatin1String("rows")][0][QLatin1String("answers")]);
    }

    void promptsAreContinued() {
        const QStringList words{
            m_language,          QStringLiteral("--prompt"), QStringLiteral("some"), QStringLiteral("--tokens"),
            QStringLiteral("5"), QStringLiteral("--json")};
        const QStringList chance{QStringLiteral("--temperature"), QStringLiteral("1"), QStringLiteral("--seed"),
                                 QStringLiteral("4")};
        const QJsonObject likeliest = jsonOf(predict(words)), drawn = jsonOf(predict(words + chance));
        QCOMPARE(likeliest[QLatin1String("prompt")].toString(), QStringLiteral("some"));
        QVERIFY(likeliest[QLatin1String("tokens")].toInt() <= 5);
        QVERIFY(likeliest != drawn);
        QCOMPARE(jsonOf(predict(words + chance)), drawn);
    }

    void whatCannotBeAskedIsRefused_data() {
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("status");
        QTest::addColumn<QString>("says");
        const auto row = [](const char *name, const QStringList &words, int status, const char *says) {
            QTest::newRow(name) << words << status << QString::fromLatin1(says);
        };
        const auto file = [this](const char *name) { return m_runs.path(QLatin1String(name)); };
        const QString text = QStringLiteral("--text"), prompt = QStringLiteral("--prompt"), a = QStringLiteral("a");
        row("nothing", {m_weather}, 2, "--prompt TEXT");
        row("two questions", {m_weather, file("new.csv"), text, a}, 2, "more than one question");
        row("a missing column", {m_weather, file("other.csv")}, 1, "has no column \"wind\"");
        row("an empty file", {m_weather, file("empty.csv")}, 1, "no rows");
        row("a header alone", {m_weather, file("header.csv")}, 1, "row of names");
        row("a file that is not there", {m_weather, file("gone.csv")}, 1, "gone.csv");
        row("a folder", {m_weather, file("")}, 1, "is a folder");
        row("a text for a table", {m_weather, text, a}, 1, "takes no texts");
        row("one text of a pair", {m_pairs, text, a}, 1, "--text twice");
        row("a prompt for a table", {m_weather, prompt, a}, 1, "continues no texts");
        row("a file for a language model", {m_language, file("new.csv")}, 1, "--prompt");
        row("a prompt that is too long", {m_language, prompt, QStringLiteral("123456789")}, 1, "sees 8 at once");
        row("an empty prompt", {m_language, prompt, QString()}, 1, "beginning of a text");
        row("a temperature below nothing",
            {m_language, prompt, a, QStringLiteral("--temperature"), QStringLiteral("-1")}, 2, "--temperature");
        row("a table that cannot be written",
            {m_weather, file("new.csv"), QStringLiteral("--csv"), file("no/such/folder.csv")}, 1, "folder.csv");
        row("a table in place of its rows", {m_weather, file("new.csv"), QStringLiteral("--csv"), file("./new.csv")}, 2,
            "which is asked about");
        row("a table of a text that goes on", {m_language, prompt, a, QStringLiteral("--csv"), file("out.csv")}, 2,
            "--csv does not go with --prompt");
        row("pictures that are not there", {m_pictures, file("runs")}, 1, "no pictures");
        row("a run that nobody has", {QStringLiteral("nobody"), text, a}, 1, "hearth runs");
    }
    void whatCannotBeAskedIsRefused() {
        QFETCH(QStringList, words);
        QFETCH(int, status);
        QFETCH(QString, says);
        const Outcome outcome = predict(words);
        QCOMPARE(outcome.status, status);
        QVERIFY2(outcome.errors.contains(says), qPrintable(outcome.errors));
        QVERIFY2(outcome.output.isEmpty(), qPrintable(outcome.output));
    }
};

QTEST_GUILESS_MAIN(PredictCommandTest)
#include "predict_command_test.moc"
