// Asking a trained network about files: real pictures, a real process that computes.
#include <QImage>
#include <QSemaphore>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <cmath>
#include <limits>

#include "core/base/files.h"
#include "core/inference/answer_table.h"
#include "core/inference/picture_source.h"
#include "core/wire/channel.h"
#include "tests/core/base/small_disk.h"
#include "tests/core/inference/ask.h"
#include "tests/core/inference/trained_run.h"

using namespace hearth;

namespace {

/// Answers when the test says so.
class HeldAnswers : public AnswerSource {
  public:
    std::vector<Done> asked;
    void ask(const QByteArray &, std::optional<qint64>, Done done) override { asked.push_back(std::move(done)); }
};

/// Each sample comes when the test says so, without an end.
class HeldSamples : public SampleSource {
  public:
    explicit HeldSamples(qint64 bytes) : m_bytes(bytes) {}
    QSemaphore asked, given;
    Result<std::optional<Sample>> next() override {
        asked.release();
        given.acquire();
        Sample sample;
        sample.bytes = QByteArray(m_bytes, '\0');
        return sample;
    }

  private:
    const qint64 m_bytes;
};

}  // namespace

class RunInferenceTest : public QObject {
    Q_OBJECT

    static constexpr qint64 sampleBytes = 3 * TrainedRun::side * TrainedRun::side;
    static inline const int piece = RunInference::piece(sampleBytes, 3);

  private Q_SLOTS:
    void piecesOfLargeSamplesAreSmall() {
        QCOMPARE(RunInference::piece(qint64{1} << 20, 3), 15);
        QCOMPARE(RunInference::piece(200'000, 3), 16);
        QVERIFY(piece > 16);
        QCOMPARE(RunInference::piece(4, 3), 128);
    }

    void aPieceAndItsAnswersFitIntoAMessage_data() {
        QTest::addColumn<qint64>("bytes");
        QTest::addColumn<qint64>("outputs");
        QTest::newRow("a picture of 592 by 592") << qint64{3 * 592 * 592} << qint64{1000};
        QTest::newRow("the largest picture") << qint64{3 * 2048 * 2048} << qint64{1000};
        QTest::newRow("small pictures of many classes") << qint64{3 * 8 * 8} << qint64{20'000};
    }
    void aPieceAndItsAnswersFitIntoAMessage() {
        QFETCH(const qint64, bytes);
        QFETCH(const qint64, outputs);
        const int samples = RunInference::piece(bytes, outputs);
        QVERIFY(samples >= 1);
        QVERIFY(samples * bytes < Channel::maximumControlBytes);
        QVERIFY(samples * outputs * static_cast<qint64>(sizeof(double)) < Channel::maximumControlBytes);
    }

    void eachFileIsAnsweredInOrder() {
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        // More than two pieces, and one file among them that is none.
        std::vector<QImage> pictures;
        QStringList files;
        for (int i = 0; i < 2 * piece + 3; ++i) {
            pictures.push_back(picture(i));
            files << save(folder, QStringLiteral("%1.png").arg(i, 3, 10, QLatin1Char('0')), pictures.back());
        }
        files.insert(piece, folder.filePath(QStringLiteral("run/job.json")));
        pictures.insert(pictures.begin() + piece, QImage());

        const auto opened = AskedRun::open(run.folder());
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        RunInference inference(*opened);
        const auto answers = askFiles(inference, files);
        QCOMPARE(answers.size(), pictures.size());
        for (std::size_t i = 0; i < answers.size(); ++i) {
            QCOMPARE(answers[i].name, files[static_cast<qsizetype>(i)]);
            QCOMPARE(answers[i].broken.has_value(), pictures[i].isNull());
            if (answers[i].broken)
                continue;
            const std::vector<double> wanted = softmaxOf(run, pictures[i]);
            for (std::size_t c = 0; c < wanted.size(); ++c)
                QVERIFY(std::abs(answers[i].values[c] - wanted[c]) < 1e-12);
            const std::vector<std::size_t> order = answers[i].likeliest(2);
            QCOMPARE(order.size(), std::size_t{2});
            QVERIFY(answers[i].values[order[0]] >= answers[i].values[order[1]]);
            QCOMPARE(answers[i].picture.convertToFormat(QImage::Format_RGB888), pictures[i]);
        }
        QCOMPARE(opened->outputName(1), QStringLiteral("dog"));
        QCOMPARE(opened->outputName(7), QStringLiteral("7"));
        // And again, of the same process.
        QCOMPARE(askFiles(inference, {files.front()}).front().values, answers.front().values);
        checkTable(folder, *opened, answers);
    }

    void whatCannotBeAskedSaysWhy_data() {
        QTest::addColumn<QString>("without");
        QTest::addColumn<QString>("code");
        QTest::newRow("an older version trained it") << "samples.json"
                                                     << "run.no-data";
        QTest::newRow("it has saved no weights") << "weights.safetensors"
                                                 << "run.no-weights";
    }
    void whatCannotBeAskedSaysWhy() {
        QFETCH(const QString, without);
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        run.remove(without);
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(!opened);
        QTEST(opened.error().code, "code");
    }

    void theBestWeightsAreAskedWhereTheyWereKept() {
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        const auto none = AskedRun::open(run.folder(), RunWeights::Best);
        QVERIFY(!none);
        QCOMPARE(none.error().code, QStringLiteral("run.no-best-weights"));
        run.saveBest();
        const auto opened = AskedRun::open(run.folder(), RunWeights::Best);
        QVERIFY(opened);
        QCOMPARE(QFileInfo(opened->weights).fileName(), QStringLiteral("best.safetensors"));
    }

    void weightsOfAnotherNetworkEndIt() {
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        QVERIFY(writeSafetensors(run.folder() + QStringLiteral("/weights.safetensors"), {}));
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        RunInference inference(*opened);
        QSignalSpy failed(&inference, &RunInference::failed);
        inference.ask(*opened->files({save(folder, QStringLiteral("a.png"), picture(1))}));
        QVERIFY(failed.wait(patience));
        QCOMPARE(failed.size(), 1);
        QVERIFY(inference.isOver());
    }

    void anAnswerThatIsNoNumberIsNone() {
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        const QString weights = run.folder() + QStringLiteral("/weights.safetensors");
        auto tensors = readSafetensors(weights);
        QVERIFY(tensors);
        for (NamedTensor &tensor : *tensors)
            *reinterpret_cast<double *>(tensor.data->data()) = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(writeSafetensors(weights, *tensors));
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        RunInference inference(*opened);
        const auto answers = askFiles(inference, {save(folder, QStringLiteral("a.png"), picture(1))});
        QCOMPARE(answers.size(), std::size_t{1});
        QVERIFY(answers.front().values.empty());
        QVERIFY(answers.front().broken && answers.front().broken->contains(QLatin1String("no number")));
        QVERIFY(!answers.front().picture.isNull());
    }

    void eachOutputIsToldInItsOrder_data() {
        QTest::addColumn<QByteArray>("loss");
        QTest::addColumn<QByteArray>("features");
        QTest::addColumn<QByteArray>("head");
        QTest::newRow("several numbers") << QByteArray("mean-squared-error") << QByteArray("3")
                                         << QByteArray("file,answer 0,answer 1,answer 2,error");
        QTest::newRow("several that are yes or no") << QByteArray("binary-cross-entropy") << QByteArray("3")
                                                    << QByteArray("file,answer 0,answer 1,answer 2,error");
        QTest::newRow("one number") << QByteArray("mean-squared-error") << QByteArray("1")
                                    << QByteArray("file,answer,error");
    }
    void eachOutputIsToldInItsOrder() {
        QFETCH(const QByteArray, loss);
        QFETCH(const QByteArray, features);
        const QTemporaryDir folder;
        const TrainedRun run = withOutputs(folder.filePath(QStringLiteral("run")), loss, features);
        const auto opened = AskedRun::open(run.folder());
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        QVERIFY(!opened->isChoice());
        Answer answer, broken;
        answer.name = QStringLiteral("a.png");
        answer.values = {-0.5, 0.25, 2};
        answer.values.resize(static_cast<std::size_t>(features.toInt()));
        const std::vector<std::size_t> order{0, 1, 2};
        QCOMPARE(answer.told(*opened, 1, 3), std::vector(order.begin(), order.begin() + features.toInt()));
        QCOMPARE(answer.told(*opened, 3, 1), std::vector<std::size_t>{0});
        broken.name = QStringLiteral("b.png");
        broken.broken = sentence("It is none.");
        const QByteArrayList lines = tableOf(folder, *opened, {answer, broken});
        QTEST(lines[0], "head");
        QByteArray numbers = "a.png";
        for (const double value : answer.values)
            numbers += ',' + QByteArray::number(value);
        QCOMPARE(lines[1], numbers.append(','));
        QCOMPARE(lines[2], "b.png," + QByteArray(features.toInt(), ',') + "It is none.");
    }

    void aSingleOutputIsYesOrNo_data() {
        QTest::addColumn<double>("logit");
        QTest::addColumn<QString>("word");
        QTest::newRow("yes") << 2.0 << QStringLiteral("yes");
        QTest::newRow("no") << -2.0 << QStringLiteral("no");
    }
    void aSingleOutputIsYesOrNo() {
        QFETCH(const double, logit);
        QFETCH(const QString, word);
        const QTemporaryDir folder;
        const TrainedRun run = withOutputs(folder.filePath(QStringLiteral("run")), "binary-cross-entropy", "1");
        const auto opened = AskedRun::open(run.folder());
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        Answer answer;
        answer.name = QStringLiteral("a.png");
        answer.values = opened->toAnswer(std::span(&logit, 1));
        const std::vector<std::size_t> told = answer.told(*opened, 2, 1);
        QCOMPARE(told.size(), std::size_t{2});
        QCOMPARE(opened->outputName(told[0]), word);
        QVERIFY(std::abs(answer.values[told[0]] - 1 / (1 + std::exp(-2))) < 1e-12);
        const QByteArrayList lines = tableOf(folder, *opened, {answer});
        QCOMPARE(lines[0], QByteArray("file,class,certainty,error"));
        QVERIFY2(lines[1].startsWith("a.png," + word.toUtf8() + ",0.88"), lines[1].constData());
    }

    void stoppingEndsReadingWithTheSample() {
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        RunInference inference(*AskedRun::open(run.folder()), std::make_unique<HeldAnswers>());
        QSignalSpy finished(&inference, &RunInference::finished);
        const auto source = std::make_shared<HeldSamples>(sampleBytes);
        inference.ask(source);
        QVERIFY(inference.isBusy());
        source->asked.acquire();
        inference.stop();
        QVERIFY(inference.isReading());
        QCOMPARE(finished.size(), 0);
        source->given.release(piece);
        QVERIFY(finished.wait(patience));
        QCOMPARE(source->given.available(), piece - 1);
        QVERIFY(!inference.isBusy() && !inference.isReading());
    }

    void whatIsComputedWhenItIsStoppedIsNoAnswer() {
        const QTemporaryDir folder;
        const TrainedRun run(folder.filePath(QStringLiteral("run")));
        const auto opened = AskedRun::open(run.folder());
        QVERIFY(opened);
        auto answers = std::make_unique<HeldAnswers>();
        const HeldAnswers *held = answers.get();
        RunInference inference(*opened, std::move(answers));
        QSignalSpy finished(&inference, &RunInference::finished), answered(&inference, &RunInference::answered);
        const QStringList files{save(folder, QStringLiteral("a.png"), picture(1))};
        inference.ask(*opened->files(files));
        QTRY_VERIFY_WITH_TIMEOUT(held->asked.size() == 1 && !inference.isReading(), patience);
        inference.stop();
        QCOMPARE(finished.size(), 1);
        QVERIFY(!inference.isBusy());
        // Who asks then gets this answer, not the one before.
        inference.ask(*opened->files(files));
        QTRY_COMPARE_WITH_TIMEOUT(held->asked.size(), std::size_t{2}, patience);
        held->asked[0]({1, 2, 3});
        QCOMPARE(answered.size(), 0);
        held->asked[1]({3, 2, 1});
        QCOMPARE(answered.size(), 1);
        QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 2, patience);
    }

    void picturesOfAFolderAreFoundAtAnyDepth() {
        const QTemporaryDir folder;
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("a/b")));
        const QString deep = save(folder, QStringLiteral("a/b/1.png"), picture(1)),
                      high = save(folder, QStringLiteral("2.PNG"), picture(2));
        QFile notes(folder.filePath(QStringLiteral("a/notes.txt")));
        QVERIFY(notes.open(QIODevice::WriteOnly));
        const QString gone = folder.filePath(QStringLiteral("gone.txt"));
        QCOMPARE(picturesAt({folder.path(), gone}), QStringList({high, deep, gone}));
        QCOMPARE(picturesAt({folder.path()}, [] { return true; }), QStringList());
    }

    void aTableThatDoesNotFitTheDiskLeavesTheOldOne() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("answers.csv"));
        QVERIFY(saveFile(path, QByteArray("old")));
        Answer answer;
        answer.name = QStringLiteral("a.png");
        answer.values = {1};
        {
            AnswerTable table({}, path);
            QVERIFY(table.begin({}));
            QVERIFY(table.add(answer));  // it is buffered
            const SmallDisk disk(0);
            const auto finished = table.finish();
            QVERIFY(!finished);
            QCOMPARE(finished.error().code, QStringLiteral("predict.not-written"));
        }
        QFile kept(path);
        QVERIFY(kept.open(QIODevice::ReadOnly));
        QCOMPARE(kept.readAll(), QByteArray("old"));
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files), QStringList{QStringLiteral("answers.csv")});
    }

  private:
    static QImage picture(int seed) {
        QImage image(TrainedRun::side, TrainedRun::side, QImage::Format_RGB888);
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                image.setPixel(x, y, qRgb((seed * 37 + x * 11) % 256, (seed * 5 + y * 29) % 256, (x * y + seed) % 256));
        }
        return image;
    }
    static QString save(const QTemporaryDir &folder, const QString &name, const QImage &image) {
        QString path = folder.filePath(name);
        if (!image.save(path, "PNG"))
            qFatal("cannot write %s", qPrintable(path));
        return path;
    }
    static std::vector<Answer> askFiles(RunInference &inference, const QStringList &files) {
        const auto source = inference.run().files(files);
        return source ? answersOf(inference, *source) : std::vector<Answer>();
    }
    /// The layer as its definition says.
    static std::vector<double> softmaxOf(const TrainedRun &run, const QImage &image) {
        std::vector<double> values(3);
        double sum = 0;
        for (std::size_t c = 0; c < values.size(); ++c) {
            double logit = run.values(1)[c];
            const double *weight = run.values(0) + c * 3 * TrainedRun::side * TrainedRun::side;
            for (int channel = 0; channel < 3; ++channel) {
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x)
                        logit += *weight++ * image.constScanLine(y)[3 * x + channel] / 255.0;
                }
            }
            sum += values[c] = std::exp(logit);
        }
        for (double &value : values)
            value /= sum;
        return values;
    }
    static TrainedRun withOutputs(const QString &folder, const QByteArray &loss, const QByteArray &features) {
        const QByteArray model = QByteArray(R"({"format":"hearth-model/1","name":"m","input":[3,8,8],"classes":%1,
            "layers":[{"name":"head","kind":"sequence","ops":[{"kind":"flatten"},{"kind":"linear","features":%1}]}]})")
                                     .replace("%1", features);
        return TrainedRun(folder, model, R"({"format":"hearth-job/1","model":"m.json","fit":"stretch","data":"d" })",
                          {Precision::Float64,
                           QString::fromLatin1(loss),
                           {},
                           {{DType::UInt8, {3, TrainedRun::side, TrainedRun::side}, false}},
                           {}});
    }
    /// Its lines, without their ends.
    static QByteArrayList tableOf(const QTemporaryDir &folder, const AskedRun &run,
                                  const std::vector<Answer> &answers) {
        const QString path = folder.filePath(QStringLiteral("answers.csv"));
        AnswerTable table(run, path);
        auto written = table.begin({});
        for (const Answer &answer : answers) {
            if (written)
                written = table.add(answer);
        }
        if (written)
            written = table.finish();
        QFile file(path);
        if (!written || !file.open(QIODevice::ReadOnly))
            qFatal("the table was not written");
        return file.readAll().replace("\r\n", "\n").split('\n');
    }
    static void checkTable(const QTemporaryDir &folder, const AskedRun &run, const std::vector<Answer> &answers) {
        const QByteArrayList lines = tableOf(folder, run, answers);
        QCOMPARE(lines.size(), static_cast<qsizetype>(answers.size()) + 2);
        QVERIFY(lines[1].contains(answers[0].name.toUtf8() + ','));
        QVERIFY(lines[piece + 1].contains(",,,"));
        const auto refused = AnswerTable(run, folder.filePath(QStringLiteral("no/such/folder.csv"))).begin({});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, QStringLiteral("predict.not-written"));
    }
};

QTEST_GUILESS_MAIN(RunInferenceTest)
#include "run_inference_test.moc"
