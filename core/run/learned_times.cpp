#include "core/run/learned_times.h"

#include "core/predict/home_prediction.h"
#include "core/profile/declared_facts.h"

namespace hearth {
namespace {

/// Nothing where the device has measured the network wholly by now.
std::optional<ModelProfile> predictedProfile(const ProfileStore &store, const RunRequest &request,
                                             const WorkerSession &worker, const TimeTable &told) {
    const WorkerHello &hello = worker.hello();
    ModelProfile profile;
    profile.device = worker.id();
    profile.model = request.model.name;
    profile.modelSha256 = QString::fromLatin1(request.model.sha256());
    profile.library = hello.library;
    profile.computeDevice = hello.computeDevice;
    profile.precision = precisionName(request.job.precision);
    profile.threads = hello.threads;
    if (auto own = store.load(ProfileKey::of(profile))) {
        if (!own->times.isPredicted() || own->layers.size() != request.model.layers.size())
            return std::nullopt;
        return own;
    }
    if (!told.isGuess())
        return std::nullopt;
    profile.layers = estimatedFacts(request.model, dtypeOf(request.job.precision));
    return profile;
}

}  // namespace

void learnTimes(const TaughtRounds &rounds, RunLog &log) {
    const ProfileStore store(rounds.request.profiles);
    const QString file = knowledgeFile(rounds.request.profiles);
    const DType dtype = dtypeOf(rounds.request.job.precision);
    Knowledge knowledge = Knowledge::load(file);
    for (const PlanStage &stage : rounds.inForce.stages) {
        for (const Share &share : stage.shares) {
            const WorkerSession *session = rounds.membership.session(share.device);
            const int index = rounds.problem.indexOf(share.device);
            if (!session || index < 0)
                continue;
            // As the plan was made: a coordinator that takes over learns the same once more, not twice as much.
            const TimeTable &told = rounds.problem.times[static_cast<std::size_t>(index)];
            auto profile = predictedProfile(store, rounds.request, *session, told);
            if (!profile)
                continue;
            const double ratio = rounds.drift.ratio(share.device);
            knowledge.learn(knowledgeKey(profile->device, profile->computeDevice, profile->precision), {},
                            observedInRounds(rounds.request.model, dtype, told, stage.firstLayer, stage.lastLayer,
                                             share.samples, ratio));
            profile->times = correctedBy(told, ratio);
            if (auto saved = store.save(*profile); !saved)
                log.warn(saved.error());
        }
    }
    if (auto saved = knowledge.save(file); !saved)
        log.warn(saved.error());
}

}  // namespace hearth
