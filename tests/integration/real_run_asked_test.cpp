// A trained network is asked over the devices of a real home.
#include <algorithm>
#include <cmath>
#include <csignal>
#include <random>
#include <utility>

#include "core/base/cbor.h"
#include "core/inference/answer_process.h"
#include "core/inference/home_answers.h"
#include "core/run/files/run_folder.h"
#include "tests/integration/real_run.h"

using namespace hearth;

class RealRunAskedTest : public RealRun {
    Q_OBJECT

    using Numbers = std::vector<double>;

    static constexpr int count = 21;

    Numbers answersOf(AnswerSource &source) const {
        std::optional<Numbers> answers;
        std::optional<Error> wrong;
        connect(&source, &AnswerSource::failed, &source, [&wrong](const Error &error) { wrong = error; });
        source.ask(m_samples, {}, [&answers](const Numbers &values) { answers = values; });
        if (!QTest::qWaitFor([&] { return answers || wrong; }, slowRun) || wrong)
            qFatal("%s", wrong ? qPrintable(wrong->toString()) : "no answer");
        return *answers;
    }

    std::optional<Result<QCborMap>> m_answer;
    void ask(const QString &run, const QCborMap &question) {
        QCborMap args = question;
        args[QStringLiteral("id")] = run;
        m_answer.reset();
        m_client->call(QStringLiteral("run.ask"), args, std::chrono::milliseconds(slowRun), m_client.get(),
                       [this](const Result<QCborMap> &answer) { m_answer = answer; });
    }

    static bool areClose(const Numbers &one, const Numbers &other) {
        return std::ranges::equal(one, other, [](double a, double b) { return std::abs(a - b) <= 1e-12; });
    }

    AskedRun m_run;
    QByteArray m_samples;
    Numbers m_expected;

  private Q_SLOTS:
    void initTestCase() {
        beginHome();
        RunOrder trained = order(3);
        trained.job[QStringLiteral("precision")] = QStringLiteral("float64");
        Follower run(*m_client);
        QCOMPARE(run.endOf(trained), QStringLiteral("finished"));
        const auto opened = AskedRun::open(m_home->stateDir() + QStringLiteral("/runs/") + run.id);
        QVERIFY2(opened, opened ? "" : qPrintable(opened.error().toString()));
        m_run = *opened;
        std::mt19937 chance(7);
        for (int i = 0; i < count * m_run.data.samples.front().bytes(); ++i)
            m_samples += static_cast<char>(chance());
        AnswerProcess here(m_run.folder, m_run.weights);
        m_expected = answersOf(here);
        QCOMPARE(m_expected.size(), std::size_t(count * 10));
    }
    void cleanupTestCase() { m_home.reset(); }

    void aPipelineAnswersAsThisComputerDoesAlsoAfterALoss() {
        Plan plan = planOfTest();
        plan.stages = {{0, 2, {{QStringLiteral("local-1"), 10}, {QStringLiteral("local-3"), 6}}, 2, false},
                       {2, plan.layerCount, {{QStringLiteral("local-2"), 16}}, 1, false}};
        auto asked = orderOfRun(m_run.folder, m_run.weights, QStringLiteral("answer"));
        QVERIFY(asked);
        asked->plan = plan.toJson();
        asked->options[QStringLiteral("samples")] = m_run.data.toJson();
        for (Tries tries;;) {
            Follower run(*m_client);
            run.start(*asked);
            QTRY_VERIFY_WITH_TIMEOUT(!run.id.isEmpty() || run.refused, slowRun);
            QVERIFY2(!run.refused, run.refused ? qPrintable(run.refused->toString()) : "");
            askForAll(run.id);

            const auto devices = run.all<event::Device>();
            const auto member = std::ranges::find(devices, QStringLiteral("local-3"), &event::Device::name);
            QVERIFY(member != devices.end());
            const auto workers = run.all<event::Worker>();
            const auto worker = std::ranges::find(workers, member->id, &event::Worker::id);
            QVERIFY(worker != workers.end());
            ::kill(static_cast<pid_t>(worker->workerPid), SIGKILL);
            askForAll(run.id);
            QTRY_VERIFY_WITH_TIMEOUT(!run.hasLost({}), slowRun);
            QVERIFY(run.all<event::Round>().empty());
            refuseWrongQuestions(run.id);

            m_client->command(run.id, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
            QTRY_VERIFY_WITH_TIMEOUT(run.ended, slowRun);
            QCOMPARE(run.lastState(), QStringLiteral("stopped"));
            ask(run.id, {{QStringLiteral("samples"), m_samples}});
            QTRY_VERIFY_WITH_TIMEOUT(m_answer, slowRun);
            QCOMPARE(m_answer->error().code, QStringLiteral("run.not-live"));
            if (run.isSpoilt({member->id}, tries))
                continue;
            QVERIFY2(run.hasLost({member->id}), qPrintable(lossesBeside({member->id}, run.losses())));
            return;
        }
    }

    void theHomeAnswersUntilItsAskerGoes() {
        QString live;
        m_client->subscribe();
        const QMetaObject::Connection follows =
            connect(m_client.get(), &AgentClient::runChanged, this, [&live](const QString &run) { live = run; });
        QString last;
        {
            HomeAnswers home(m_run, m_home->stateDir());
            QSignalSpy prepares(&home, &AnswerSource::prepares);
            QVERIFY(areClose(answersOf(home), m_expected));
            QVERIFY(areClose(answersOf(home), m_expected));
            QCOMPARE(prepares.first().first().toString(), QString());
            QTRY_VERIFY_WITH_TIMEOUT(!live.isEmpty(), slowRun);
            // Somebody else stops it: it begins anew with the next question.
            const QString stopped = std::exchange(live, {});
            prepares.clear();
            m_client->command(stopped, QStringLiteral("stop"), {}, m_client.get(), [](const auto &) {});
            QTRY_VERIFY_WITH_TIMEOUT(stateOf(stopped) == QLatin1String("stopped"), slowRun);
            QVERIFY(prepares.isEmpty());  // nobody waits
            QVERIFY(areClose(answersOf(home), m_expected));
            QVERIFY(live != stopped);
            QVERIFY(stateOf(live) != QLatin1String("stopped"));
        }
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(live), QStringLiteral("stopped"), slowRun);
        disconnect(follows);
    }

    void whatCannotBeAskedSaysWhy() {
        AskedRun broken = m_run;
        broken.weights = m_folder.filePath(QStringLiteral("none.safetensors"));
        HomeAnswers home(broken, m_home->stateDir());
        QSignalSpy failed(&home, &AnswerSource::failed);
        home.ask(m_samples, {}, [](const Numbers &) { QFAIL("there are no weights"); });
        QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, slowRun);
        QVERIFY(home.hasFailed());
        QVERIFY(failed.first().first().value<Error>().toString().contains(QStringLiteral("none.safetensors")));
    }

  private:
    void askForAll(const QString &run) {
        ask(run, {{QStringLiteral("samples"), m_samples}});
        QTRY_VERIFY_WITH_TIMEOUT(m_answer, slowRun);
        QVERIFY2(*m_answer, *m_answer ? "" : qPrintable(m_answer->error().toString()));
        QVERIFY(areClose(numbersOfBytes((**m_answer)[QStringLiteral("values")].toByteArray()), m_expected));
    }
    void refuseWrongQuestions(const QString &run) {
        for (const auto &[question, code] :
             {std::pair{QCborMap{{QStringLiteral("samples"), m_samples.chopped(1)}}, "answer.bad-samples"},
              std::pair{QCborMap{{QStringLiteral("samples"), QByteArray()}}, "answer.bad-samples"},
              std::pair{QCborMap{{QStringLiteral("samples"), m_samples}, {QStringLiteral("row"), 0}},
                        "answer.bad-row"}}) {
            ask(run, question);
            QTRY_VERIFY_WITH_TIMEOUT(m_answer, slowRun);
            QVERIFY(!*m_answer);
            QCOMPARE(m_answer->error().code, QLatin1String(code));
        }
    }
    /// Empty: it is gone, or not live any more.
    QString stateOf(const QString &run) const {
        QString state;
        bool isTold = false;
        m_client->runs(m_client.get(), [&](const Result<std::vector<RunInfo>> &runs) {
            isTold = true;
            for (const RunInfo &each : runs.value_or(std::vector<RunInfo>())) {
                if (each.id == run)
                    state = each.state;
            }
        });
        if (!QTest::qWaitFor([&] { return isTold; }, slowRun))
            qFatal("no list of runs");
        return state;
    }
};

QTEST_GUILESS_MAIN(RealRunAskedTest)
#include "real_run_asked_test.moc"
