// A run that trains nothing: its network is asked about samples, and it waits in between.
#include <QTest>

#include "core/data/tokenizer.h"
#include "core/run/asked_samples.h"
#include "recovery_checks.h"

using namespace hearth;
using namespace hearth::fake;

using Numbers = std::vector<double>;

/// Two stages; of three devices the last is a group of two.
struct AskedHome : Home {
    explicit AskedHome(int devices = 3) : Home(devices) {
        request.plan = plan();
        request.kind = RunKind::Answer;
        request.asked = RunData{request.job.precision, request.job.loss, inputs.input, {inputs.data->sample()}, {}};
        inputs.data = noSamples(*request.asked, request.model);
    }

    /// Samples of 784 bytes, each filled with its number from `first` on.
    static QByteArray samples(int count, int first = 0) {
        QByteArray bytes;
        for (int i = 0; i < count; ++i)
            bytes += QByteArray(784, static_cast<char>(first + i));
        return bytes;
    }
    /// What the fake workers make of them.
    static Numbers answers(int count, int first = 0) {
        Numbers numbers;
        for (int i = 0; i < count; ++i)
            numbers.insert(numbers.end(), 10, first + i);
        return numbers;
    }
    void ask(const QByteArray &question, std::optional<qint64> row = {}) {
        coordinator->ask(question, row, [this](const Result<Numbers> &answer) { answered.push_back(answer); });
    }
    bool hasAnswers(std::size_t count) const {
        return comes([&] { return answered.size() == count; });
    }

    std::vector<Result<Numbers>> answered;
};

class TestCoordinatorAnswers : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void questionsAreAnsweredInOrder() {
        AskedHome home;
        home.start(quick());
        home.ask(AskedHome::samples(21));  // before there is a plan
        home.ask(AskedHome::samples(1, 7));
        home.ask(AskedHome::samples(70, 9));  // three micro-batches
        QVERIFY(home.hasAnswers(3));
        QCOMPARE(home.answered[0].value(), AskedHome::answers(21));
        QCOMPARE(home.answered[1].value(), AskedHome::answers(1, 7));
        QCOMPARE(home.answered[2].value(), AskedHome::answers(70, 9));
        QVERIFY(reaches(home, RunState::Paused));
        home.ask(AskedHome::samples(2, 3));
        QVERIFY(home.hasAnswers(4));
        QCOMPARE(home.answered[3].value(), AskedHome::answers(2, 3));
        QVERIFY(reaches(home, RunState::Paused));
        for (const char *nothing : {"round", "evaluation", "evaluating", "checkpoint", "warning"})
            QCOMPARE(count(home, nothing), std::size_t(0));
        QCOMPARE(lastEvent<event::Run>(home, "run").only, QStringLiteral("answer"));
        home.command("stop");
        QVERIFY(reaches(home, RunState::Stopped));
        QVERIFY(!QFile::exists(home.directory->weightsFile()));
    }

    void ofRowsOneAloneIsTold() {
        AskedHome home;
        home.request.model.layers.back().shape.outputs.front().shape = {6, 10};
        home.start(quick());
        home.ask(AskedHome::samples(3), 5);
        QVERIFY(home.hasAnswers(1));
        QCOMPARE(home.answered[0].value(), AskedHome::answers(3));
        QCOMPARE(home.worker(1)->evaluation.row, std::optional<qint64>(5));
    }

    void aLossInBetweenIsNoOtherAnswer() {
        AskedHome home;
        home.dies[3] = QStringLiteral("evaluate");
        home.start(quick());
        home.ask(AskedHome::samples(21));
        QVERIFY(home.hasAnswers(1));
        QCOMPARE(home.answered[0].value(), AskedHome::answers(21));
        QCOMPARE(count(home, "lost"), std::size_t(1));
        QVERIFY(reaches(home, RunState::Paused));
    }

    void aQuestionThatFailsAgainAndAgainIsTold() {
        AskedHome home(2);
        home.fails[2] = QStringLiteral("evaluate");
        home.start(quick());
        home.ask(AskedHome::samples(1));
        QVERIFY(home.hasAnswers(1));
        QVERIFY(!home.answered[0]);
        home.fails.clear();
        home.ask(AskedHome::samples(2));
        QVERIFY(home.hasAnswers(2));
        QCOMPARE(home.answered[1].value(), AskedHome::answers(2));
    }

    void aWorkerThatTellsTooMuchIsNotBelieved() {
        AskedHome home(2);
        home.outputs = 11;
        home.start(quick());
        home.ask(AskedHome::samples(1));
        QVERIFY(home.hasAnswers(1));
        QVERIFY(!home.answered[0]);
        QCOMPARE(home.answered[0].error().code, QStringLiteral("run.bad-report"));
    }

    void whatNoNetworkCouldAnswerIsRefused_data() {
        QTest::addColumn<QByteArray>("samples");
        QTest::addColumn<std::optional<qint64>>("row");
        QTest::addColumn<QString>("code");
        const std::optional<qint64> all;
        QTest::newRow("nothing") << QByteArray() << all << QStringLiteral("answer.bad-samples");
        QTest::newRow("a part of a sample") << QByteArray(1000, 'x') << all << QStringLiteral("answer.bad-samples");
        QTest::newRow("a row where there are none")
            << AskedHome::samples(1) << std::optional<qint64>(0) << QStringLiteral("answer.bad-row");
        QTest::newRow("more than a message holds")
            << QByteArray(qsizetype{784} * 220'000, 'x') << all << QStringLiteral("answer.too-large");
    }

    void whatNoNetworkCouldAnswerIsRefused() {
        QFETCH(QByteArray, samples);
        QFETCH(std::optional<qint64>, row);
        QFETCH(QString, code);
        AskedHome home(2);
        home.start(quick());
        home.ask(samples, row);
        QCOMPARE(home.answered.size(), std::size_t(1));
        QVERIFY(!home.answered[0]);
        QCOMPARE(home.answered[0].error().code, code);
        home.ask(AskedHome::samples(1));
        QVERIFY(home.hasAnswers(2));
        QVERIFY(home.answered[1]);
    }

    void anEndIsToldToWhoeverWaits() {
        AskedHome home(2);
        home.holdsEvaluation = true;
        home.start(quick());
        home.ask(AskedHome::samples(1));
        home.ask(AskedHome::samples(1));
        QVERIFY(comes([&] { return home.evaluationsAsked == 2; }));
        home.command("stop");
        QVERIFY(home.hasAnswers(2));
        for (const auto &answer : home.answered)
            QCOMPARE(answer.error().code, QStringLiteral("run.ended"));
        home.ask(AskedHome::samples(1));
        QCOMPARE(home.answered.back().error().code, QStringLiteral("run.ended"));
        QVERIFY(reaches(home, RunState::Stopped));
    }

    void aFailureIsToldToWhoeverWaits() {
        AskedHome home(2);
        home.fails[1] = QStringLiteral("deploy");
        home.start(quick());
        home.ask(AskedHome::samples(1));
        QVERIFY(home.hasAnswers(1));
        QVERIFY(reaches(home, RunState::Failed));
        QCOMPARE(home.answered[0].error().code, home.lastError().code);
    }

    void aRunThatTrainsIsNotAsked() {
        Home home(2);
        home.start(quick());
        std::optional<Result<Numbers>> answer;
        home.coordinator->ask(AskedHome::samples(1), {}, [&answer](const Result<Numbers> &told) { answer = told; });
        QVERIFY(answer);
        QCOMPARE(answer->error().code, QStringLiteral("run.asks-nothing"));
    }

    void anotherCoordinatorGoesOnAnswering() {
        AskedHome home;
        home.start(quick());
        home.ask(AskedHome::samples(2));
        QVERIFY(home.hasAnswers(1));
        startAgain(home);
        home.ask(AskedHome::samples(3));
        QVERIFY(home.hasAnswers(2));
        QCOMPARE(home.answered[1].value(), AskedHome::answers(3));
        QVERIFY(reaches(home, RunState::Paused));
    }

    void promptsAreContinuedAfterAnEvaluation_data() {
        QTest::addColumn<int>("diesAt");
        QTest::newRow("nobody is lost") << 0;
        QTest::newRow("a device is lost before the third token") << 4;
    }

    void promptsAreContinuedAfterAnEvaluation() {
        QFETCH(int, diesAt);
        Home home(3);
        home.request.plan = home.plan();
        home.request.job.rounds = 2;
        home.request.job.evaluateEvery = 1;
        home.request.job.promptTokens = 5;
        // The fake data are as long as 98 ids.
        home.request.model.layers.back().shape.outputs.front().shape = {98, 10};
        for (const char *prompt : {"ab", "c"}) {
            home.inputs.prompts.push_back(
                *PromptTokens::of(QLatin1String(prompt), *Tokenizer::load(QStringLiteral("bytes")), 98));
        }
        home.diesAtEvaluation = diesAt;
        home.start(quick());
        QVERIFY(reaches(home, RunState::Finished));
        QCOMPARE(count(home, "lost"), std::size_t(diesAt > 0));
        QCOMPARE(count(home, "evaluation"), std::size_t(2));
        const auto told = eventOf<event::Evaluation>(home, "evaluation", 1);
        QCOMPARE(told.continued.size(), std::size_t(2));
        QCOMPARE(told.continued[0].prompt, QStringLiteral("ab"));
        QCOMPARE(told.continued[1].prompt, QStringLiteral("c"));
        // An evaluation and twice five tokens, all of them again where one was lost.
        QCOMPARE(home.passes, 2 * 11 + (diesAt > 0 ? diesAt : 0));
        verifyRounds(home);
    }
};

QTEST_GUILESS_MAIN(TestCoordinatorAnswers)
#include "test_coordinator_answers.moc"
