// What a network gets wrong, gathered from workers' parts and kept in a run's folder.
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <random>

#include "core/base/files.h"
#include "core/protocol/evaluation_details.h"

using namespace hearth;

namespace {

/// `samples` of ten classes, of which every third is taken for one of two others.
std::vector<JudgedSample> judgedSet(qint64 samples) {
    std::vector<JudgedSample> judged;
    for (qint64 i = 0; i < samples; ++i) {
        const auto label = static_cast<double>(i % 10);
        const bool isWrong = i % 3 == 0;
        const double answer = isWrong ? std::fmod(label + 1 + static_cast<double>(i % 2), 10) : label;
        judged.push_back({i, std::fmod(static_cast<double>(i) * 0.37, 5), label, answer, 0.5, isWrong});
    }
    return judged;
}

EvaluationDetails detailsOf(const std::vector<JudgedSample> &judged, qint64 samples = 200) {
    EvaluationDetails details;
    details.round = 12;
    details.split = QStringLiteral("test");
    details.samples = samples;
    details.classes[3] = {1, 2, 3};
    for (const JudgedSample &one : judged)
        details.add(one);
    return details;
}

}  // namespace

class TestEvaluationDetails : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void theOrderOfArrivalChangesNothing() {
        const std::vector<JudgedSample> judged = judgedSet(600);
        std::vector<JudgedSample> mixed = judged;
        std::shuffle(mixed.begin(), mixed.end(), std::mt19937(5));
        const EvaluationDetails details = detailsOf(judged);
        QCOMPARE(detailsOf(mixed).toJson(), details.toJson());
        qint64 wrong = 0;
        for (const auto &[pair, confusion] : details.confused) {
            QVERIFY(pair.first != pair.second);
            QCOMPARE(confusion.examples.size(), std::min<std::size_t>(EvaluationDetails::mostExamples, 20));
            QVERIFY(confusion.examples.front().sample < 60);
            wrong += confusion.count;
        }
        QCOMPARE(wrong, 200);
        QCOMPARE(details.hardest.size(), EvaluationDetails::mostHardest);
        QVERIFY(std::is_sorted(details.hardest.begin(), details.hardest.end(), isHarder));
    }

    void whatWorkersTellOfTheirPartsIsEnough_data() {
        QTest::addColumn<qint64>("part");
        QTest::newRow("samples one by one") << qint64{1};
        QTest::newRow("fewer than the hardest that are kept") << qint64{7};
        QTest::newRow("more than those") << qint64{50};
    }
    void whatWorkersTellOfTheirPartsIsEnough() {
        QFETCH(qint64, part);
        const std::vector<JudgedSample> all = judgedSet(200);
        std::vector<JudgedSample> told;
        for (std::size_t from = 0; from < all.size(); from += static_cast<std::size_t>(part)) {
            const auto end = std::min(all.size(), from + static_cast<std::size_t>(part));
            const auto worth = worthTelling(
                {all.begin() + static_cast<std::ptrdiff_t>(from), all.begin() + static_cast<std::ptrdiff_t>(end)},
                static_cast<qint64>(all.size()));
            const auto sent = JudgedSample::fromCbor(JudgedSample::toCbor(worth));
            QVERIFY(sent);
            told.insert(told.end(), sent->begin(), sent->end());
        }
        const EvaluationDetails gathered = detailsOf(told);
        QCOMPARE(gathered.toJson(), detailsOf(all).toJson());
        QCOMPARE(gathered.watched.front().samples.size(), std::size_t{8});
    }

    void aLossThatIsNoNumberIsTheHardest() {
        EvaluationDetails details;
        for (const double loss : {3.0, JudgedSample::none, 7.0})
            details.add({static_cast<qint64>(details.hardest.size()), loss});
        QCOMPARE(details.hardest[0].sample, 1);
        QCOMPARE(details.hardest[1].sample, 2);
    }

    void aFewSamplesAreWatched_data() {
        QTest::addColumn<qint64>("samples");
        QTest::addColumn<std::vector<qint64>>("watched");
        QTest::newRow("all of three") << qint64{3} << std::vector<qint64>{0, 1, 2};
        QTest::newRow("spread over twenty") << qint64{20} << std::vector<qint64>{0, 3, 5, 8, 10, 13, 15, 18};
        QTest::newRow("every tenth of eighty") << qint64{80} << std::vector<qint64>{0, 10, 20, 30, 40, 50, 60, 70};
    }
    void aFewSamplesAreWatched() {
        QFETCH(qint64, samples);
        QFETCH(std::vector<qint64>, watched);
        std::vector<qint64> found;
        for (qint64 i = 0; i < samples; ++i) {
            if (isWatched(i, samples))
                found.push_back(i);
        }
        QCOMPARE(found, watched);
    }

    void watchedSamplesAreFollowed() {
        EvaluationDetails all;
        for (qint64 round = 1; round <= 120; ++round) {
            EvaluationDetails next;
            next.round = round;
            next.samples = 4;
            next.add({1, static_cast<double>(round)});
            next.follow(all.watched);
            all = next;
        }
        QCOMPARE(all.watched.size(), EvaluationDetails::mostFollowed);
        QCOMPARE(all.watched.front().round, 21);
        QCOMPARE(all.watched.back().samples.front().loss, 120.0);
        EvaluationDetails again;  // the run went back
        again.round = 119;
        again.samples = 4;
        again.add({1, 7});
        again.follow(all.watched);
        QCOMPARE(again.watched.back().samples.front().loss, 7.0);
        QCOMPARE(again.watched[again.watched.size() - 2].round, 118);
    }

    void theFileSaysTheSame() {
        QTemporaryDir folder;
        EvaluationDetails details = detailsOf(judgedSet(100));
        details.add({101, JudgedSample::none});
        const QByteArray text = QJsonDocument(details.toJson()).toJson();
        QVERIFY(saveFile(folder.filePath(EvaluationDetails::fileName()), text));
        const auto read = EvaluationDetails::load(folder.path());
        QVERIFY2(read, qPrintable(read ? QString() : read.error().toString()));
        QCOMPARE(read->toJson(), details.toJson());
    }

    void theFileStaysSmall() {
        constexpr int classes = 1000, samples = 300'020;
        std::vector<EvaluationDetails::Watched> followed;
        for (qint64 round = 1; round <= 150; ++round)
            followed.push_back({round, std::vector<JudgedSample>(8, {samples - 1, 1.0 / 3, 0, 1, 2.0 / 3, true})});
        EvaluationDetails details;
        details.round = 151;
        details.samples = samples;
        details.split = QStringLiteral("test");
        for (int i = 0; i < classes; ++i)
            details.classes[i] = {samples, samples, samples};
        // All are wrong, three of each pair, and twenty more of one pair.
        for (int i = 0; i < samples; ++i) {
            const int pair = i < 300'000 ? i / 3 : classes - 1, label = pair % classes;
            details.add({i, 10.0 / 3, static_cast<double>(label),
                         static_cast<double>((label + 1 + pair / classes) % classes), 1.0 / 3, true});
        }
        details.follow(followed);
        QCOMPARE(details.confused.size(), std::size_t{100'000});
        const QJsonObject written = details.toJson();
        const QByteArray text = QJsonDocument(written).toJson(QJsonDocument::Compact);
        QVERIFY2(text.size() < 1'000'000, qPrintable(QString::number(text.size())));
        const auto read = EvaluationDetails::fromJson(written, QStringLiteral("file"));
        QVERIFY(read);
        QCOMPARE(read->classes.size(), std::size_t{classes});
        QCOMPARE(read->confused.size(), EvaluationDetails::mostPairs);
        QCOMPARE(read->confused.at({999, 0}).count, 23);
        QCOMPARE(read->confused.at({999, 0}).examples.size(), EvaluationDetails::mostExamples);
        std::size_t listed = read->hardest.size();
        for (const EvaluationDetails::Watched &one : read->watched)
            listed += one.samples.size();
        for (const auto &[pair, confusion] : read->confused)
            listed += confusion.examples.size();
        QCOMPARE(listed, EvaluationDetails::mostSamples);
        QCOMPARE(read->toJson(), written);
    }

    void aDamagedFileIsNamed_data() {
        QTest::addColumn<QByteArray>("damage");
        const auto row = [](const char *name, const char *damage) { QTest::newRow(name) << QByteArray(damage); };
        row("of another format", R"({"format":"hearth-run/1"})");
        row("a split that there is not", R"({"split":"half"})");
        row("a class that is no number", R"({"classes":[["a",0,0,0]]})");
        row("more right than labelled", R"({"classes":[[1,5,5,4]]})");
        row("a class beyond all", R"({"confused":[[1000000,0,1,[]]]})");
        row("a pair twice", R"({"confused":[[1,0,1,[]],[1,0,1,[]]]})");
        row("an example before the first sample", R"({"confused":[[1,0,1,[[-1,0,0]]]]})");
        row("a row cut short", R"({"hardest":[[1,2]]})");
        row("a watched sample without numbers", R"({"watched":[{"round":1,"samples":[[]]}]})");
        row("more certain than certain", R"({"hardest":[[1,2,0,0,1.5,false]]})");
    }
    void aDamagedFileIsNamed() {
        QFETCH(QByteArray, damage);
        QJsonObject object = detailsOf(judgedSet(30)).toJson();
        const QJsonObject other = QJsonDocument::fromJson(damage).object();
        QVERIFY(!other.isEmpty());
        for (auto it = other.begin(); it != other.end(); ++it)
            object[it.key()] = it.value();
        const auto read = EvaluationDetails::fromJson(object, QStringLiteral("evaluation.json"));
        QVERIFY(!read);
        QVERIFY(read.error().toString().contains(QStringLiteral("evaluation.json")));
    }

    void samplesThatMakeNoSenseAreRefused_data() {
        QTest::addColumn<QCborArray>("numbers");
        QTest::newRow("cut short") << QCborArray{0, 1.0};
        QTest::newRow("before the first") << QCborArray{-1, 1.0, 0.0, 0.0, 0.5, false};
        QTest::newRow("more certain than certain") << QCborArray{0, 1.0, 0.0, 0.0, 1.5, false};
        QTest::newRow("wrong without a class") << QCborArray{0, 1.0, qQNaN(), 0.0, 0.5, true};
        QTest::newRow("wrong in half a class") << QCborArray{0, 1.0, 0.5, 0.0, 0.5, true};
        QTest::newRow("wrong in a class beyond all") << QCborArray{0, 1.0, 1e18, 0.0, 0.5, true};
    }
    void samplesThatMakeNoSenseAreRefused() {
        QFETCH(QCborArray, numbers);
        QVERIFY(!JudgedSample::fromCbor(numbers));
    }
};

QTEST_GUILESS_MAIN(TestEvaluationDetails)
#include "test_evaluation_details.moc"
