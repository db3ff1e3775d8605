#include "core/run/learned_times.h"

#include "core/predict/home_prediction.h"
#include "core/run/profile_workers.h"

namespace hearth {

void learnTimes(const TaughtRounds &rounds, RunLog &log) {
    const ProfileStore store(rounds.request.profiles);
    const QString file = knowledgeFile(rounds.request.profiles);
    const DType dtype = dtypeOf(rounds.request.job.precision);
    Knowledge knowledge = Knowledge::load(file);
    bool hasLearnt = false;
    for (const PlanStage &stage : rounds.inForce.stages) {
        for (const Share &share : stage.shares) {
            const WorkerSession *session = rounds.membership.session(share.device);
            const int index = rounds.problem.indexOf(share.device);
            if (!session || index < 0)
                continue;
            // As the plan was made: a coordinator that takes over learns the same once more, not twice as much.
            const TimeTable &told = rounds.problem.times[static_cast<std::size_t>(index)];
            if (told.isGuess())
                continue;
            auto profile = store.load(profileKey(*session, rounds.request.model, rounds.request.job));
            if (!profile || !profile->times.isPredicted() ||
                profile->layers.size() != rounds.request.model.layers.size())
                continue;
            const double ratio = rounds.drift.calibration(share.device);
            knowledge.learn(knowledgeKey(profile->device, profile->computeDevice, profile->precision), {},
                            observedInRounds(rounds.request.model, dtype, told, stage.firstLayer, stage.lastLayer,
                                             share.samples, ratio));
            hasLearnt = true;
            profile->times = correctedBy(told, ratio);
            if (auto saved = store.save(*profile); !saved)
                log.warn(saved.error());
        }
    }
    if (!hasLearnt)
        return;
    if (auto saved = knowledge.save(file); !saved)
        log.warn(saved.error());
}

}  // namespace hearth
