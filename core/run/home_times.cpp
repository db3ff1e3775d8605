#include "core/run/home_times.h"

#include <QDateTime>
#include <utility>

#include "core/model/catalogue.h"
#include "core/predict/home_prediction.h"
#include "core/run/measuring_pace.h"
#include "core/run/worker_session.h"

namespace hearth {

HomeTimes::HomeTimes(const Job &job, const Model &model, const QString &storeFolder)
    : m_job(job), m_model(model), m_storeFolder(storeFolder), m_store(storeFolder) {}

HomeTimes::Known HomeTimes::withMeasured() const {
    Known all{m_store.profiles(), Knowledge::load(knowledgeFile(m_storeFolder))};
    for (const StoredProfile &each : m_measured) {
        const ProfileKey key = ProfileKey::of(each.profile);
        std::erase_if(all.profiles, [&](const StoredProfile &other) { return ProfileKey::of(other.profile) == key; });
        all.profiles.push_back(each);
        const bool isOfJob = key.modelSha256 == QLatin1String(m_model.sha256());
        learnFrom(all.knowledge, isOfJob ? m_model : benchmarkNetwork(), each.profile, all.profiles);
    }
    return all;
}

const HomeTimes::Known &HomeTimes::all() {
    if (!m_all) {
        m_all = withMeasured();
        m_all->knowledge = homeKnowledge(std::move(m_all->knowledge), m_storeFolder, precisionName(m_job.precision),
                                         m_all->profiles, builtinModelOf);
    }
    return *m_all;
}

void HomeTimes::keep(const ModelProfile &profile) {
    m_measured.push_back({profile, QDateTime::currentMSecsSinceEpoch()});
    m_all.reset();
}

BriefProfile HomeTimes::briefOf(const WorkerSession &worker) {
    const Known &home = all();
    return {m_model, dtypeOf(m_job.precision), profiledBatches(m_job),
            basesFor(worker.id(), worker.hello().computeDevice, m_model, precisionName(m_job.precision), home.profiles,
                     home.knowledge)};
}

std::vector<Error> HomeTimes::save() const {
    std::vector<Error> failures;
    if (m_measured.empty())
        return failures;
    const auto note = [&failures](const Result<void> &saved) {
        if (!saved)
            failures.push_back(saved.error());
    };
    // Before the profiles: it is learned from those that were there.
    const Knowledge knowledge = withMeasured().knowledge;
    for (const StoredProfile &each : m_measured)
        note(m_store.save(each.profile));
    note(knowledge.save(knowledgeFile(m_storeFolder)));
    return failures;
}

}  // namespace hearth
