#include <QTest>
#include <cmath>

#include "core/predict/home_prediction.h"
#include "core/run/learned_times.h"
#include "run_parts.h"

using namespace hearth;
using namespace hearth::fake;

namespace {

/// A run whose devices measured another network, and guess this one.
class GuessedRun : public RunParts {
  public:
    GuessedRun() : RunParts(2) {
        home.request.model = *loadModel(QStringLiteral("mobilenetv2-cifar"));
        home.asDescribed = 300;
        home.remember(QStringLiteral("mobilenetv2"));
        m_scope.guesses = true;
    }

    bool guess() { return plan(m_scope); }

    std::vector<ModelProfile> stored() const {
        std::vector<ModelProfile> profiles;
        for (const StoredProfile &each : ProfileStore(home.request.profiles).profiles()) {
            if (each.profile.modelSha256 == QLatin1String(home.request.model.sha256()))
                profiles.push_back(each.profile);
        }
        return profiles;
    }

    const TimeTable &timesOf(const QString &device) const {
        const PlanningProblem &problem = *replanner->problem();
        return problem.times[static_cast<std::size_t>(problem.indexOf(device))];
    }

  private:
    ProfileScope m_scope;
};

}  // namespace

/// What is known of a network that was planned on guesses, once it has been trained for a while.
class TestLearnedTimes : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void aGuessIsNotStored() {
        GuessedRun run;
        QVERIFY(run.guess());
        QVERIFY(run.replanner->isGuess());
        const Deployment wanted = run.deployment();
        run.current->setDeployment(wanted);
        run.rounds->begin(wanted, FeedLayout::of(wanted, run.members()), 0, {});
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        event::Round round = roundOf(run, 1.8);
        for (round.round = 1; round.round <= 6; ++round.round)
            run.replanner->followDrift(round);
        QVERIFY(run.replanner->atPresent().times.front().seconds(0) > 1.5 * run.timesOf(Home::id(1)).seconds(0));
        QVERIFY(run.stored().empty());
        QVERIFY(Knowledge::load(knowledgeFile(run.home.request.profiles)).pairs().empty());
    }

    void whatADeviceHasMeasuredMeanwhileStays() {
        GuessedRun run;
        QVERIFY(run.guess());
        ModelProfile brief;
        brief.device = Home::id(2);
        brief.model = run.home.request.model.name;
        brief.modelSha256 = QString::fromLatin1(run.home.request.model.sha256());
        brief.library = run.home.library;
        brief.precision = QStringLiteral("float32");
        brief.layers = run.replanner->problem()->layers;
        brief.times = run.timesOf(Home::id(2));
        brief.times.error.front().front() = 0;
        QVERIFY(ProfileStore(run.home.request.profiles).save(brief));
        const CapacityDrift drift{};
        learnTimes({run.home.request, *run.replanner->problem(), run.current->plan(), *run.membership, drift},
                   *run.log);
        QCOMPARE(run.stored().size(), std::size_t(1));
        QVERIFY(run.stored().front().times == brief.times);
    }

    void whatSlowsADeviceDownLaterIsNotLearned() {
        RunParts run(2);
        run.home.asDescribed = 300;
        run.home.remember(QStringLiteral("mobilenetv2"));
        QVERIFY(run.plan());
        const PlanningProblem problem = *run.replanner->problem();
        CapacityDrift drift;
        drift.planned(problem, run.current->plan());
        for (const double slower : {1.5, 4.5}) {
            event::Round round = roundOf(run, slower);
            for (event::RoundDevice &device : round.devices)
                device.waitForwardS = 1;  // long enough to say how fast it is
            for (int i = 0; i < 20; ++i)
                drift.take(round.devices);
        }
        QVERIFY(drift.ratio(Home::id(2)) > 4);
        learnTimes({run.home.request, problem, run.current->plan(), *run.membership, drift}, *run.log);
        int learned = 0;
        for (const StoredProfile &stored : ProfileStore(run.home.request.profiles).profiles()) {
            const ModelProfile &own = stored.profile;
            if (own.modelSha256 != QLatin1String(run.home.request.model.sha256()))
                continue;
            const TimeTable &told = problem.times[static_cast<std::size_t>(problem.indexOf(own.device))];
            const std::size_t largest = told.batch.size() - 1;
            const double ratio = own.times.seconds(largest) / told.seconds(largest);
            QVERIFY2(std::abs(ratio - 1.5) < 0.3, qPrintable(QString::number(ratio)));
            ++learned;
        }
        QCOMPARE(learned, 2);
    }

    void roundsAreComparedWithTheNewestTimes() {
        GuessedRun run;
        QVERIFY(run.guess());
        const Deployment wanted = run.deployment();
        run.current->setDeployment(wanted);
        run.rounds->begin(wanted, FeedLayout::of(wanted, run.members()), 0, {});
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        event::Round round = roundOf(run, 1.8);
        for (round.round = 1; round.round <= 6; ++round.round)
            run.replanner->followDrift(round);
        PlanningProblem measured = *run.replanner->problem();
        for (TimeTable &times : measured.times)
            times.scale(1.8);
        run.replanner->setProblem(measured);
        QVERIFY(run.replanner->atPresent().times == measured.times);
        QVERIFY(run.replanner->asPlanned().times == measured.times);
        for (; round.round <= 12; ++round.round)
            run.replanner->followDrift(round);
        QVERIFY(run.replanner->atPresent().times == measured.times);
    }
};

QTEST_GUILESS_MAIN(TestLearnedTimes)
#include "test_learned_times.moc"
