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

/// What is known of a network that was planned on predictions, once it has been trained for a while.
class TestLearnedTimes : public QObject {
    Q_OBJECT
  private Q_SLOTS:
    void roundsMakeAProfileOfWhatWasGuessed() {
        GuessedRun run;
        QVERIFY(run.guess());
        QVERIFY(run.replanner->isGuess() && run.replanner->isPredicted());
        QVERIFY(run.stored().empty());
        const Deployment wanted = run.deployment();
        run.current->setDeployment(wanted);
        run.rounds->begin(wanted, FeedLayout::of(wanted, run.members()), 0, {});
        run.replanner->changeEnded(QStringLiteral("first"), 0.1);
        event::Round round = roundOf(run, 1);
        round.devices[Home::id(2)].computeS *= 1.8;
        for (round.round = 1; round.round <= 6; ++round.round)
            run.replanner->followDrift(round);
        const std::vector<ModelProfile> stored = run.stored();
        QCOMPARE(stored.size(), std::size_t(2));
        for (const ModelProfile &profile : stored) {
            const TimeTable &before = run.timesOf(profile.device);
            const double ratio = profile.times.seconds(0) / before.seconds(0);
            QVERIFY2(std::abs(ratio - (profile.device == Home::id(2) ? 1.8 : 1)) < 0.3,
                     qPrintable(QString::number(ratio)));
            QVERIFY(profile.times.isGuess() && profile.times.relativeError(0) < before.relativeError(0));
            QVERIFY(profile.layers.front().savedBytes > 0);
        }
        QVERIFY(!Knowledge::load(knowledgeFile(run.home.request.profiles)).pairs().empty());
        // The next run plans on that.
        QVERIFY(run.guess());
        for (const ModelProfile &profile : stored)
            QVERIFY(run.timesOf(profile.device) == profile.times);
        QCOMPARE(run.home.benchmarkProfiles + run.home.wholeProfiles + run.home.briefPasses, 0);
    }

    void whatADeviceHasMeasuredMeanwhileStays() {
        GuessedRun run;
        QVERIFY(run.guess());
        ModelProfile measured;
        measured.device = Home::id(2);
        measured.model = run.home.request.model.name;
        measured.modelSha256 = QString::fromLatin1(run.home.request.model.sha256());
        measured.library = run.home.library;
        measured.precision = QStringLiteral("float32");
        measured.layers = run.replanner->problem()->layers;
        measured.times = run.timesOf(Home::id(2));
        measured.times.error.clear();
        QVERIFY(ProfileStore(run.home.request.profiles).save(measured));
        const CapacityDrift drift{};
        learnTimes({run.home.request, *run.replanner->problem(), run.current->plan(), *run.membership, drift},
                   *run.log);
        const std::vector<ModelProfile> stored = run.stored();
        QCOMPARE(stored.size(), std::size_t(2));
        for (const ModelProfile &profile : stored)
            QCOMPARE(profile.times.isPredicted(), profile.device == Home::id(1));
    }
};

QTEST_GUILESS_MAIN(TestLearnedTimes)
#include "test_learned_times.moc"
