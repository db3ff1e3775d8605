// The times of networks that a home knows, with what a run measures.
#pragma once

#include <QString>
#include <optional>
#include <vector>

#include "core/model/model.h"
#include "core/predict/brief_profile.h"
#include "core/predict/knowledge.h"
#include "core/profile/profile_store.h"
#include "core/run/job.h"

namespace hearth {

class WorkerSession;

/// What is measured counts for the predictions that follow, and is stored once, at the end. One thread.
class HomeTimes {
  public:
    /// `storeFolder` holds profiles and knowledge.
    HomeTimes(const Job &job, const Model &model, const QString &storeFolder);

    struct Known {
        std::vector<StoredProfile> profiles;
        Knowledge knowledge;
    };
    /// What is stored, with what was measured since and what other devices told. Valid until keep().
    const Known &all();
    /// Of the job's network, or of the benchmark's.
    void keep(const ModelProfile &profile);
    /// What is to be measured of the job's network on that worker's device.
    BriefProfile briefOf(const WorkerSession &worker);
    /// What could not be stored.
    std::vector<Error> save() const;

  private:
    Known withMeasured() const;

    Job m_job;
    Model m_model;
    QString m_storeFolder;
    ProfileStore m_store;
    std::vector<StoredProfile> m_measured;  // in the order of their ends
    std::optional<Known> m_all;             // none: to be read, or more was measured since
};

}  // namespace hearth
