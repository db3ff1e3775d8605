// Asking about rows and texts: the answers are those of an evaluation of the same samples.
#include <QtTest>
#include <cmath>

#include "core/data/data_file.h"
#include "core/history/run_results.h"
#include "core/inference/answer_table.h"
#include "tests/core/inference/ask.h"
#include "tests/core/inference/row_runs.h"

using namespace hearth;

namespace {

constexpr auto weather = "temperature,wind,sky\n20,west,sun\n12,east,rain\n25,west,sun\n9,,rain\n1,north,snow\n";
constexpr auto prices = "size,colour,price\n1,red,105.5\n2,blue,200.25\n3,red,330\n5,blue,480\n";
constexpr auto pairs = "sentence1,sentence2,label\na,b,same\nabc,d,other\n\"x,y\",z,same\nlonger than it,may,other\n";

QString text(const char *words) {
    return QString::fromUtf8(words);
}

template <class T>
std::vector<T> sampleOf(const Dataset &data, std::size_t part, qint64 index) {
    std::vector<T> values(static_cast<std::size_t>(data.parts()[part].slot.elements()));
    if (!data.readSamples(Split::Test, part, std::span(&index, 1), std::as_writable_bytes(std::span(values))))
        qFatal("a sample cannot be read");
    return values;
}

std::vector<double> linear(const TrainedRun &run, const std::vector<double> &x, std::size_t outputs) {
    std::vector<double> y(run.valuesOf("head.bias"), run.valuesOf("head.bias") + outputs);
    for (std::size_t i = 0; i < outputs * x.size(); ++i)
        y[i / x.size()] += run.valuesOf("head.weight")[i] * x[i % x.size()];
    return y;
}

std::vector<double> softmax(std::vector<double> values) {
    double sum = 0;
    for (double &value : values)
        sum += value = std::exp(value);
    for (double &value : values)
        value /= sum;
    return values;
}

/// What the network gives for one sample of the test split, by its definition.
std::vector<double> evaluated(const TrainedRun &run, const Dataset &data, qint64 index) {
    const auto outputs = static_cast<std::size_t>(std::max(1, data.classes()));
    if (data.kind() == QLatin1String("table")) {
        const std::vector<float> row = sampleOf<float>(data, 0, index);
        return linear(run, std::vector<double>(row.begin(), row.end()), outputs);
    }
    const std::vector<qint64> tokens = sampleOf<qint64>(data, 0, index), segments = sampleOf<qint64>(data, 2, index);
    std::vector<double> mean(4);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        for (std::size_t i = 0; i < mean.size(); ++i)
            mean[i] += (run.valuesOf("word.weight")[4 * static_cast<std::size_t>(tokens[at]) + i] +
                        run.valuesOf("place.weight")[4 * static_cast<std::size_t>(segments[at]) + i]) /
                       static_cast<double>(tokens.size());
    }
    return linear(run, mean, outputs);
}

}  // namespace

class RowsInferenceTest : public QObject {
    Q_OBJECT

    RowRuns m_runs;

    TrainedRun learn(const QByteArray &rows) {
        return rows.startsWith("sentence1") ? m_runs.texts(text("run"), rows, rows)
                                            : m_runs.table(text("run"), rows, rows);
    }

  private Q_SLOTS:
    void answersAreThoseOfAnEvaluation_data() {
        QTest::addColumn<QByteArray>("rows");
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        QTest::newRow("classes of a table") << QByteArray(weather) << 0.0 << 0.0;
        QTest::newRow("pairs of texts") << QByteArray(pairs) << 0.0 << 0.0;
        const std::vector<double> all{105.5, 200.25, 330, 480};
        double mean = 0, squares = 0;
        for (const double price : all)
            mean += price / 4;
        for (const double price : all)
            squares += (price - mean) * (price - mean) / 4;
        QTest::newRow("quantities, in their own unit") << QByteArray(prices) << mean << std::sqrt(squares);
    }
    void answersAreThoseOfAnEvaluation() {
        QFETCH(const QByteArray, rows);
        QFETCH(const double, mean);
        QFETCH(const double, deviation);
        const TrainedRun run = learn(rows);
        std::vector<std::vector<double>> wanted;
        for (qint64 i = 0; i < m_runs.data->count(Split::Test); ++i)
            wanted.push_back(evaluated(run, *m_runs.data, i));
        m_runs.forget();
        const auto opened = AskedRun::open(run.folder());
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        const auto source = opened->files({m_runs.save(text("new.csv"), rows)});
        QVERIFY2(source, source ? "" : qPrintable(source.error().toString()));
        RunInference inference(*opened);
        const std::vector<Answer> answers = answersOf(inference, *source);
        QCOMPARE(answers.size(), wanted.size());
        Score score;
        qint64 right = 0;
        double off = 0;
        for (std::size_t i = 0; i < answers.size(); ++i) {
            const Answer &answer = answers[i];
            QCOMPARE(answer.name, text("new.csv:%1").arg(i + 2));
            QVERIFY2(!answer.broken, qPrintable(answer.name));
            QCOMPARE(answer.fields.size(), (*source)->columns().size());
            QCOMPARE(answer.label, std::optional(answer.fields.last()));
            const std::vector<double> told =
                deviation > 0 ? std::vector{mean + deviation * wanted[i][0]} : softmax(wanted[i]);
            QCOMPARE(answer.values.size(), told.size());
            for (std::size_t output = 0; output < told.size(); ++output)
                QVERIFY(std::abs(answer.values[output] - told[output]) < 1e-6);
            score.add(*opened, answer);
            right += deviation == 0 && opened->outputName(answer.likeliest(1).front()) == answer.label ? 1 : 0;
            off += deviation > 0 ? std::abs(told[0] - answer.label->toDouble()) : 0;
        }
        QCOMPARE(score.judged, static_cast<qint64>(answers.size()));
        QCOMPARE(score.right, right);
        QVERIFY(std::abs(score.off - off) < 1e-4);
    }

    void aTypedRowIsAnsweredAsThatOfAFile() {
        const TrainedRun run = learn(weather);
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        QCOMPARE(opened->columns(), QStringList({text("temperature"), text("wind")}));
        RunInference inference(*opened);
        const auto file = opened->files({m_runs.save(text("new.csv"), "wind,temperature\neast,7.5\n")});
        QVERIFY(file);
        const std::vector<Answer> typed = answersOf(inference, opened->typed({text("7.5"), text("east")}));
        QCOMPARE(typed.size(), std::size_t{1});
        QCOMPARE(typed.front().values, answersOf(inference, *file).front().values);
        QVERIFY(!typed.front().label);
        QCOMPARE(typed.front().text, text("7.5 · east"));
    }

    void mistakesOfQuantitiesAreToldInTheirUnit() {
        const TrainedRun run = learn("size,price\n1,100.5\n3,300.5\n");
        EvaluationDetails details;
        details.split = text("test");
        details.samples = 2;
        details.add({0, 2, -1, 0.5});
        details.add({1, 0.5, 1, JudgedSample::none});
        run.write(EvaluationDetails::fileName(), details.toJson());
        const auto results = RunResults::withoutSamples(run.folder());
        QVERIFY2(results, results ? "" : qPrintable(results.error().toString()));
        // The mean is 200.5, the deviation 100.
        QCOMPARE(results->details.hardest.front().label, 100.5);
        QCOMPARE(results->details.hardest.front().answer, 250.5);
        QCOMPARE(results->details.hardest.back().label, 300.5);
        QVERIFY(!results->details.hardest.back().hasAnswer());
        QCOMPARE(results->details.watched.front().samples.front().label, 100.5);
        QCOMPARE(results->details.hardest.front().loss, 2.0);
        // Numbers of arrays have no other unit.
        run.remove(text("data.json"));
        const auto asLearnt = RunResults::withoutSamples(run.folder());
        QVERIFY(asLearnt);
        QCOMPARE(asLearnt->details.hardest.front().label, -1.0);
    }

    void aTextWhereNumbersStandGetsNoAnswer() {
        const TrainedRun run = learn(weather);
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        const auto source = opened->files(
            {m_runs.save(text("new.tsv"),
                         "temperature\twind\tsky\nmild\teast\train\n7,5\teast\train\n\teast\tsun\n-\teast\tsun\n")});
        QVERIFY(source);
        RunInference inference(*opened);
        const std::vector<Answer> answers = answersOf(inference, *source);
        QCOMPARE(answers.size(), std::size_t{4});
        QVERIFY(answers[0].broken);
        const QString why = answers[0].broken->english();
        QVERIFY2(why.contains(text("\"mild\" is no number, as the column temperature")), qPrintable(why));
        QVERIFY(answers[0].values.empty());
        QCOMPARE(answers[0].fields, QStringList({text("mild"), text("east"), text("rain")}));
        QVERIFY(!answers[1].broken && !answers[1].values.empty());
        QVERIFY(!answers[2].broken && !answers[2].values.empty());
        // What stands for no number is as good as nothing.
        QCOMPARE(answers[3].values, answers[2].values);
    }

    void aTableOfManyRowsIsWritten() {
        const TrainedRun run = learn(prices);
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        const int many = 3 * RunInference::piece(m_runs.data->sampleBytes(), opened->outputs) + 5;
        QByteArray rows = "id,size,colour\n";
        for (int i = 0; i < many; ++i)
            rows += QByteArray::number(i) + ',' + QByteArray::number(i % 7) + ",red\n";
        const auto source =
            opened->files({m_runs.save(text("a.csv"), rows + "last,1\n"), m_runs.save(text("b.csv"), rows)});
        QVERIFY(source);
        RunInference inference(*opened);
        AnswerTable table(*opened, m_runs.path(text("answers.csv")));
        QVERIFY(table.begin((*source)->columns()));
        for (const Answer &answer : answersOf(inference, *source))
            QVERIFY(table.add(answer));
        QVERIFY(table.finish());
        QFile file(m_runs.path(text("answers.csv")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArrayList lines = file.readAll().split('\n');
        QCOMPARE(lines.size(), 2 * many + 3);
        QCOMPARE(lines[0].trimmed(), QByteArray("row,id,size,colour,answer,error"));
        QVERIFY(lines[1].startsWith("a.csv:2,0,0,red,"));
        QVERIFY(lines[many + 1].startsWith("a.csv:" + QByteArray::number(many + 2) + ",,,,,"));
    }

    void whatCannotBeReadEndsTheQuestionAlone() {
        const TrainedRun run = learn(weather);
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        const auto source = opened->files({m_runs.save(text("new.csv"), "wind,temperature\neast,1\n\"open,2\n")});
        QVERIFY(source);
        RunInference inference(*opened);
        QSignalSpy answered(&inference, &RunInference::answered), failed(&inference, &RunInference::failed);
        inference.ask(*source);
        QVERIFY(failed.wait(patience));
        QCOMPARE(failed.front().front().value<Error>().code, text("data.malformed"));
        QCOMPARE(answered.size(), 1);
        QVERIFY(!inference.isOver());
        QCOMPARE(answersOf(inference, opened->typed({text("1"), text("east")})).size(), std::size_t{1});
    }

    void aRunWithoutPreparationSaysSo() {
        const TrainedRun run = learn(weather);
        run.remove(text("data.json"));
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(!opened);
        QCOMPARE(opened.error().code, text("run.no-preparation"));
    }
};

QTEST_GUILESS_MAIN(RowsInferenceTest)
#include "rows_inference_test.moc"
