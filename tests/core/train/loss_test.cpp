// Losses and what evaluations count, against LibTorch's own functions and by hand.
#include <torch/torch.h>

#include <QTest>
#include <cmath>

#include "core/train/loss.h"

using namespace hearth;

namespace {

constexpr std::int64_t ignored = ignoredLabel;

std::unique_ptr<const Loss> lossOf(const char *name, double smoothing = 0) {
    TrainingSpec training;
    training.loss = QLatin1String(name);
    training.labelSmoothing = smoothing;
    return Loss::make(training);
}

const LossFacts &factsOf(const char *name) {
    return *LossFacts::byName(QLatin1String(name));
}

torch::Tensor doubles(at::IntArrayRef shape) {
    return torch::randn(shape, torch::kDouble);
}

/// The sum of what every share of these samples tells.
EvaluationTally together(const Loss &loss, const torch::Tensor &output, const torch::Tensor &labels,
                         at::IntArrayRef shares) {
    EvaluationTally sum;
    const auto outputs = output.split_with_sizes(shares), parts = labels.split_with_sizes(shares);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const auto sent = EvaluationTally::fromCbor(loss.judge(outputs[i], parts[i]).tally.toCbor());
        if (!sent)
            qFatal("%s", qPrintable(sent.error().toString()));
        sum.add(*sent);
    }
    return sum;
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

}  // namespace

class LossTest : public QObject {
    Q_OBJECT

  private Q_SLOTS:
    void init() { torch::manual_seed(7); }

    void smoothedLabelsAreTorchs_data() {
        QTest::addColumn<double>("smoothing");
        QTest::newRow("not smoothed") << 0.0;
        QTest::newRow("a tenth") << 0.1;
        QTest::newRow("a half") << 0.5;
    }
    /// Of tokens, a fifth of which counts for nothing: value and gradient.
    void smoothedLabelsAreTorchs() {
        QFETCH(double, smoothing);
        torch::Tensor labels = torch::randint(9, {6, 5}, torch::kLong);
        labels.index_put_({torch::indexing::Slice(), 2}, ignored);
        const torch::Tensor ours = doubles({6, 5, 9}).set_requires_grad(true);
        const torch::Tensor theirs = ours.detach().clone().set_requires_grad(true);
        const torch::Tensor sum = lossOf("cross-entropy", smoothing)->sum(ours, labels);
        const torch::Tensor plain = torch::nn::functional::cross_entropy(
            theirs.flatten(0, 1), labels.flatten(),
            torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum).label_smoothing(smoothing));
        sum.backward();
        plain.backward();
        QVERIFY(near(sum.item<double>(), plain.item<double>()));
        QVERIFY((ours.grad() - theirs.grad()).abs().max().item<double>() < 1e-14);
    }

    void mixedLabelsAreTorchsChances_data() { smoothedLabelsAreTorchs_data(); }
    /// Of the chances of all classes that two classes and a share are: value and gradient.
    void mixedLabelsAreTorchsChances() {
        QFETCH(double, smoothing);
        const torch::Tensor classes = torch::randint(9, {6, 2}, torch::kLong),
                            kept = torch::rand({6, 1}, torch::kDouble);
        const torch::Tensor labels = torch::cat({classes.to(torch::kDouble), kept}, 1);
        torch::Tensor chances = torch::zeros({6, 9}, torch::kDouble);
        chances.scatter_add_(1, classes, torch::cat({kept, 1 - kept}, 1));
        const torch::Tensor ours = doubles({6, 9}).set_requires_grad(true);
        const torch::Tensor theirs = ours.detach().clone().set_requires_grad(true);
        const torch::Tensor sum = lossOf("cross-entropy", smoothing)->sum(ours, labels);
        const torch::Tensor plain = torch::nn::functional::cross_entropy(
            theirs, chances,
            torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum).label_smoothing(smoothing));
        sum.backward();
        plain.backward();
        QVERIFY(near(sum.item<double>(), plain.item<double>()));
        QVERIFY((ours.grad() - theirs.grad()).abs().max().item<double>() < 1e-14);
    }
    void whatIsMixedWithNothingCountsAsFarAsItIsThere() {
        const torch::Tensor output = doubles({2, 4});
        const torch::Tensor labels =
            torch::tensor({{1.0, static_cast<double>(ignored), 0.75}, {static_cast<double>(ignored), 2.0, 0.75}});
        const torch::Tensor logs = torch::log_softmax(output, 1);
        const double expected = -0.75 * logs[0][1].item<double>() - 0.25 * logs[1][2].item<double>();
        QVERIFY(near(lossOf("cross-entropy")->sum(output, labels.to(torch::kDouble)).item<double>(), expected));
    }

    void lossesOfNumbersAreTorchs_data() {
        QTest::addColumn<bool>("binary");
        QTest::newRow("squared errors") << false;
        QTest::newRow("yes or no") << true;
    }
    /// Labels that are NaN neither count nor have a gradient.
    void lossesOfNumbersAreTorchs() {
        QFETCH(bool, binary);
        const char *name = binary ? "binary-cross-entropy" : "mean-squared-error";
        const torch::Tensor whole = binary ? torch::randint(2, {8, 3}, torch::kFloat) : torch::randn({8, 3});
        torch::Tensor labels = whole.clone();
        labels[4][1] = NAN;
        const torch::Tensor ours = doubles({8, 3}).set_requires_grad(true);
        const torch::Tensor theirs = ours.detach().clone().set_requires_grad(true);
        lossOf(name)->sum(ours, labels).backward();
        const torch::Tensor wanted = whole.to(torch::kDouble);
        torch::Tensor terms = binary
                                  ? torch::binary_cross_entropy_with_logits(theirs, wanted, {}, {}, at::Reduction::None)
                                  : torch::mse_loss(theirs, wanted, at::Reduction::None);
        terms = terms * labels.isnan().logical_not();
        terms.sum().backward();
        QVERIFY(near(lossOf(name)->sum(ours, labels).item<double>(), terms.sum().item<double>()));
        QVERIFY((ours.grad() - theirs.grad()).abs().max().item<double>() < 1e-14);
        QCOMPARE(factsOf(name).count(std::as_bytes(std::span(labels.data_ptr<float>(), 24))), 23);
    }

    void numbersForOneOutputHaveNoDimension() {
        QCOMPARE(factsOf("mean-squared-error").label({1}), (Slot{DType::Float32, {}, false}));
        const torch::Tensor output = doubles({4, 1}), labels = torch::randn({4});
        QVERIFY(near(lossOf("mean-squared-error")->sum(output, labels).item<double>(),
                     (output.squeeze(1) - labels.to(torch::kDouble)).square().sum().item<double>()));
    }

    void sharesOfAnySizeTellTheSame_data() {
        QTest::addColumn<std::vector<qint64>>("shares");
        QTest::newRow("all at once") << std::vector<qint64>{64};
        QTest::newRow("two of a size") << std::vector<qint64>{32, 32};
        QTest::newRow("unequal ones") << std::vector<qint64>{1, 40, 3, 20};
    }
    /// As scikit-learn defines them (macro average), counted the plain way.
    void sharesOfAnySizeTellTheSame() {
        QFETCH(std::vector<qint64>, shares);
        constexpr int classes = 8;
        const torch::Tensor output = doubles({64, classes});
        torch::Tensor labels = torch::randint(classes - 1, {64}, torch::kLong);
        labels[5] = ignored;
        const auto tally = together(*lossOf("cross-entropy", 0.2), output, labels,
                                    std::vector<std::int64_t>(shares.begin(), shares.end()));
        int right = 0, amongFive = 0, right7 = 0;
        double loss = 0;
        std::vector<int> both(classes), given(classes), wanted(classes);
        for (int i = 0; i < 64; ++i) {
            const auto label = labels[i].item<std::int64_t>();
            if (label == ignored)
                continue;
            const auto scores = output[i];
            int better = 0;
            for (int c = 0; c < classes; ++c)
                better += (scores[c] > scores[label]).item<bool>() ? 1 : 0;
            const auto answer = static_cast<std::size_t>(scores.argmax().item<std::int64_t>());
            right += better == 0 ? 1 : 0;
            amongFive += better < 5 ? 1 : 0;
            ++given[answer];
            ++wanted[static_cast<std::size_t>(label)];
            both[answer] += better == 0 ? 1 : 0;
            right7 += label == 7 ? 1 : 0;
            loss -= torch::log_softmax(scores, 0)[label].item<double>();
        }
        QCOMPARE(right7, 0);  // that class is only answered
        double f1 = 0;
        for (std::size_t c = 0; c < classes; ++c)
            f1 += 2.0 * both[c] / (given[c] + wanted[c]) / classes;
        const auto scores = EvaluationScores::of(factsOf("cross-entropy"), {classes}, tally, 63);
        QVERIFY(near(scores.accuracy, right / 63.0));
        QVERIFY(near(*scores.top5, amongFive / 63.0));
        QVERIFY(near(*scores.f1, f1));
        QVERIFY(near(scores.loss, loss / 63));  // without smoothing
        QVERIFY(!scores.perplexity && !scores.meanAbsoluteError);
        const auto ofTokens = EvaluationScores::of(factsOf("cross-entropy"), {16, classes}, tally, 63);
        QVERIFY(near(*ofTokens.perplexity, std::exp(loss / 63)));
    }

    void ofTwoClassesTheSecondHasTheScore() {
        const torch::Tensor output = torch::tensor({{1., 0.}, {0., 1.}, {0., 1.}, {1., 0.}, {0., 1.}});
        const torch::Tensor labels = torch::tensor({0, 1, 0, 1, 1}, torch::kLong);
        const auto tally = together(*lossOf("cross-entropy"), output, labels, {2, 3});
        const auto scores = EvaluationScores::of(factsOf("cross-entropy"), {2}, tally, 5);
        QVERIFY(near(*scores.f1, 2.0 * 2 / (3 + 3)));
        QVERIFY(!scores.top5);
    }

    void yesAndNoAreCounted() {
        const torch::Tensor output = torch::tensor({2.0, -1.0, 0.5, -3.0, 1.0, 0.1}).view({3, 2});
        const torch::Tensor labels = torch::tensor({1.F, 0.F, 0.F, 1.F, 1.F, NAN}).view({3, 2});
        const auto tally = together(*lossOf("binary-cross-entropy"), output, labels, {1, 2});
        const auto scores = EvaluationScores::of(factsOf("binary-cross-entropy"), {2}, tally, 5);
        QVERIFY(near(scores.accuracy, 3 / 5.0));
        QVERIFY(near(*scores.f1, 2.0 * 2 / (3 + 3)));
    }

    void numbersHaveAMeanError() {
        const torch::Tensor output = torch::tensor({1.0, 2.0, 3.0, 4.0}).view({4, 1});
        const torch::Tensor labels = torch::tensor({0.5F, 4.F, NAN, 4.F});
        const auto tally = together(*lossOf("mean-squared-error"), output, labels, {3, 1});
        const auto scores = EvaluationScores::of(factsOf("mean-squared-error"), {1}, tally, 3);
        QVERIFY(std::isnan(scores.accuracy));
        QVERIFY(near(*scores.meanAbsoluteError, 2.5 / 3));
        QVERIFY(near(scores.loss, 4.25 / 3));
        QVERIFY(!scores.f1);
        // Of quantities that were learnt in deviations of 10.
        const auto inTheirUnit = EvaluationScores::of(factsOf("mean-squared-error"), {1}, tally, 3, 10);
        QVERIFY(near(*inTheirUnit.meanAbsoluteError, 25.0 / 3));
        QVERIFY(near(inTheirUnit.loss, 4.25 / 3));
    }

    void samplesOfClassesAreJudgedOneByOne() {
        const torch::Tensor output = torch::tensor({{1., 0., 0.}, {0., 2., 0.}, {0., 0., 3.}}, torch::kDouble);
        const torch::Tensor labels = torch::tensor({std::int64_t{0}, ignored, std::int64_t{1}}, torch::kLong);
        const auto judged = lossOf("cross-entropy", 0.1)->judge(output, labels).samples;
        QCOMPARE(judged.size(), std::size_t{2});
        const double first = std::exp(1) / (std::exp(1) + 2), last = std::exp(3) / (std::exp(3) + 2);
        QVERIFY(judged[0].sample == 0 && judged[0].label == 0 && judged[0].answer == 0 && !judged[0].isWrong);
        QVERIFY(near(judged[0].loss, -std::log(first)) && near(judged[0].certainty, first));
        QVERIFY(judged[1].sample == 2 && judged[1].label == 1 && judged[1].answer == 2 && judged[1].isWrong);
        QVERIFY(near(judged[1].loss, -std::log((1 - last) / 2)) && near(judged[1].certainty, last));
    }

    void ofSeveralLabelsTheMeanLossIsTold() {
        const torch::Tensor output = torch::zeros({2, 3, 4}, torch::kDouble);
        const torch::Tensor labels = torch::tensor({{0, 1, 2}, {3, -100, -100}}, torch::kLong);
        const auto judged = lossOf("cross-entropy")->judge(output, labels).samples;
        QCOMPARE(judged.size(), std::size_t{2});
        for (const JudgedSample &one : judged)
            QVERIFY(near(one.loss, std::log(4)) && !one.hasAnswer() && !one.isWrong);
    }

    void numbersAndAYesOrNoAreJudgedOneByOne() {
        const torch::Tensor output = torch::tensor({1.0, -2.0, 3.0}, torch::kDouble).view({3, 1});
        const torch::Tensor labels = torch::tensor({0.F, NAN, 1.F});
        const auto numbers = lossOf("mean-squared-error")->judge(output, labels).samples;
        QCOMPARE(numbers.size(), std::size_t{2});
        QVERIFY(numbers[1].sample == 2 && numbers[1].loss == 4 && numbers[1].label == 1 && numbers[1].answer == 3);
        QVERIFY(!numbers[1].isWrong && std::isnan(numbers[1].certainty));
        const auto answers = lossOf("binary-cross-entropy")->judge(output, labels).samples;
        QCOMPARE(answers.size(), std::size_t{2});
        QVERIFY(answers[0].isWrong && answers[0].label == 0 && answers[0].answer == 1);
        QVERIFY(near(answers[0].certainty, 1 / (1 + std::exp(-1))) && near(answers[0].loss, std::log1p(std::exp(1))));
        QVERIFY(!answers[1].isWrong && near(answers[1].certainty, 1 / (1 + std::exp(-3))));
    }

    void talliesThatMakeNoSenseAreRefused_data() {
        QTest::addColumn<QCborMap>("map");
        const QString correct = QStringLiteral("correct"), classes = QStringLiteral("classes");
        QTest::newRow("fewer than none are right") << QCborMap{{correct, -1}};
        QTest::newRow("a class without its numbers") << QCborMap{{correct, 0}, {classes, QCborArray{1, 2}}};
        QTest::newRow("more are right than were answered") << QCborMap{{correct, 0}, {classes, QCborArray{1, 3, 2, 3}}};
        QTest::newRow("a class that no table has") << QCborMap{{correct, 0}, {classes, QCborArray{1000, 0, 1, 1}}};
        QTest::newRow("more than can be counted")
            << QCborMap{{correct, 0}, {classes, QCborArray{1, 0, std::numeric_limits<qint64>::max(), 1}}};
    }
    void talliesThatMakeNoSenseAreRefused() {
        QFETCH(QCborMap, map);
        QVERIFY(!EvaluationTally::fromCbor(map));
    }
};

QTEST_GUILESS_MAIN(LossTest)
#include "loss_test.moc"
