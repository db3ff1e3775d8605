// Everything a run starts from: what the app asked for and the devices that the agent knows.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/error.h"
#include "core/data/dataset.h"
#include "core/home/device_info.h"
#include "core/model/model.h"
#include "core/model/named_tensor.h"
#include "core/model/weights_match.h"
#include "core/plan/planner.h"
#include "core/protocol/run_data.h"
#include "core/run/fabric_choice.h"
#include "core/run/frozen_tensors.h"
#include "core/run/job.h"
#include "core/run/job_data.h"
#include "core/run/run_prompts.h"
#include "core/run/safety_options.h"

namespace hearth {

/// What a run is for.
enum class RunKind {
    Train,
    Plan,      // finished once there is a plan
    Measure,   // finished once RunRequest::measured and their links are
    Evaluate,  // no round: the test set, with the weights that are given
    Answer,    // no round: what is asked of these weights, until nobody asks any more
};
/// As its first event and the options of its order say it; empty: it trains.
QString runKindName(RunKind kind);

/// The arguments of the agent's `start` call: {run, dir, request, devices, again?, resume?}, where request is what
/// `run.start` carried: {job, model, plan?, weights?, devices?, options {only?: plan|measure|evaluate|answer,
/// samples, measure_of, measure_again, measure_all, origin, partial_weights, planner, save, trace, trusted_fabric,
/// safety}}, or {resume, plan?, devices?, options} with job and model read from the folder. Plain value.
struct RunRequest {
    QString id;
    QString directory;
    QString profiles;  // the folder of cached profiles
    Job job;
    Model model;
    std::optional<QJsonObject> plan;  // hearth-plan/1 as given by the user, unchecked
    QString weights;                  // safetensors to start from; empty: initialise from the seed
    bool partialWeights = false;      // they need not be all of the model's, nor only those
    QString origin;                   // as event::Run has it
    QString save;                     // where else to write the weights at the end; empty: nowhere
    QString trace;                    // where to write what every device did when; empty: nowhere
    QString planner = defaultPlanner();
    /// The coordinator of this run has died and this one takes its place: same folder, same key, workers may be alive.
    bool again = false;
    /// The run has ended before and goes on from the newest checkpoint in its folder. With `again` as well, that is
    /// what the one that died had begun to do.
    bool resume = false;
    RunKind kind = RunKind::Train;
    std::optional<RunData> asked;  // of RunKind::Answer: how the network takes samples; no data set is read
    bool measureAgain = false;     // what is stored of `measured` does not count
    bool measureAll = false;       // every layer at every size, whatever could be predicted
    QStringList measured;          // ids, some of `devices`; empty: all of them
    SafetyOptions safety;
    FabricScope fabric = FabricScope::None;  // which groups may sum over Gloo
    /// Those that take part, by id; with `again` all that may have, those that are lost or leave included.
    std::vector<DeviceInfo> devices;
    bool anyDevice = true;            // none were named: others of the home may join
    std::vector<DataSource> sources;  // of the job's data: other devices by id
    std::vector<DeviceInfo> holders;  // those devices, whether or not they compute
    QString dataDevice;               // this device: it serves the samples

    /// A part of the data is on other devices.
    bool readsElsewhere() const { return !holders.empty(); }
    /// The folder of the run whose network goes on here: what it says of its data holds. Empty: the network is new.
    QString keptIn() const;
    /// Devices that it did not begin with join it.
    bool takesNewcomers() const { return anyDevice && safety.join != JoinPolicy::Ignore && kind == RunKind::Train; }
    bool makesNoRound() const { return kind == RunKind::Evaluate || kind == RunKind::Answer; }

    /// Strict. Devices are chosen by name or id; absent: all that are ready. Where all of them rest, a run that trains
    /// begins with these and waits for them. One that is at work for another run cannot be measured: "run.device-busy".
    static Result<RunRequest> fromCbor(const QCborMap &start);
};

/// What a run reads from this device before anything starts.
struct RunInputs {
    std::shared_ptr<const Dataset> data;
    InputTransform input;
    std::vector<DType> sampleTypes;  // as in Deployment
    /// One list per layer in the order of its tensors; empty: workers initialise from the seed.
    std::vector<std::vector<NamedTensor>> weights;
    /// They were given and are not read any more: the run has a checkpoint. Their file may be gone by now.
    bool areWeightsPast = false;
    std::optional<WeightsMatch> match = {};  // what partial weights were of use for
    /// Of the weights, now or when the run began: who gets a layer later has no other source.
    FrozenTensors frozen;
    std::vector<PromptTokens> prompts = {};  // promptsOf()

    /// Loads and checks against the model; blocks for as long as reading takes. `ready` is what of the data need not be
    /// read from this device.
    static Result<RunInputs> load(const RunRequest &request, const ReadyData &ready = {});
    /// For who asks the run's network later.
    RunData described(const Job &job) const;
};

}  // namespace hearth
