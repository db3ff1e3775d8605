#include "core/run/run_request.h"

#include <QCborArray>
#include <QFileInfo>
#include <algorithm>
#include <array>
#include <iterator>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/home/device_choice.h"
#include "core/model/safetensors.h"
#include "core/model/safetensors_source.h"
#include "core/plan/planner.h"
#include "core/plan/problem.h"
#include "core/run/asked_samples.h"
#include "core/run/checkpoint_store.h"
#include "core/run/held_data.h"

namespace hearth {
namespace {

const QString orderSource = QStringLiteral("the order of the run");

constexpr std::array runKinds{RunKind::Train, RunKind::Plan, RunKind::Measure, RunKind::Evaluate, RunKind::Answer};

/// What an order may say under "only".
QStringList onlyNames() {
    QStringList names;
    std::transform(runKinds.begin() + 1, runKinds.end(), std::back_inserter(names), runKindName);
    return names;
}

Result<std::vector<DeviceInfo>> readDevices(const QCborArray &list) {
    std::vector<DeviceInfo> devices;
    for (const QCborValue &value : list) {
        const auto device = DeviceInfo::fromCbor(value.toMap());
        if (!device)
            return tl::unexpected(device.error());
        devices.push_back(*device);
    }
    return devices;
}

/// Beside other work it would look slower than it is.
Result<void> mustBeIdle(const DeviceInfo &device) {
    if (device.state != DeviceState::Training)
        return {};
    return fail(QStringLiteral("run.device-busy"),
                sentence("The device %1 is at work now, and was not measured.").arg(device.name),
                sentence("Beside a run it would look slower than it is."),
                sentence("Measure it when the run is over, or stop the run."));
}

Result<void> mustBeReady(const DeviceInfo &device) {
    if (takesWork(device.state))
        return {};
    if (device.state == DeviceState::Leaving) {
        return fail(QStringLiteral("run.device-leaving"), sentence("The device %1 is about to leave.").arg(device.name),
                    QString(), sentence("Train without it, or start its agent again."));
    }
    if (device.state == DeviceState::Resting) {
        return fail(QStringLiteral("run.device-resting"), sentence("The device %1 takes no work now.").arg(device.name),
                    restCause(device.rest, device.limits), sentence("Train without it, or change its limits."));
    }
    return fail(QStringLiteral("run.device-away"), sentence("The device %1 cannot be reached now.").arg(device.name),
                device.lastError, sentence("Switch it on, or train without it."));
}

/// For a coordinator that takes the place of one that died: all that it may have used, in whatever state they are.
std::vector<DeviceInfo> possibleDevices(const std::vector<DeviceInfo> &all, const QJsonArray &wanted) {
    std::vector<DeviceInfo> possible;
    std::copy_if(all.begin(), all.end(), std::back_inserter(possible), [&](const DeviceInfo &device) {
        return wanted.isEmpty() || wanted.contains(device.id) || wanted.contains(device.name);
    });
    std::sort(possible.begin(), possible.end(),
              [](const DeviceInfo &a, const DeviceInfo &b) { return idLess(a.id, b.id); });
    return possible;
}

bool rests(const DeviceInfo &device) {
    return device.state == DeviceState::Resting;
}

/// Those that are named, or all that can be reached. A run that may wait for them takes devices that rest where there
/// is no other.
Result<std::vector<DeviceInfo>> chooseDevices(const std::vector<DeviceInfo> &all, const QJsonArray &wanted,
                                              bool mayWait) {
    std::vector<DeviceInfo> chosen;
    QStringList names;
    for (const DeviceInfo &device : all) {
        names << device.name;
        if (wanted.isEmpty() && takesWork(device.state))
            chosen.push_back(device);
    }
    if (wanted.isEmpty() && chosen.empty() && mayWait)
        std::ranges::copy_if(all, std::back_inserter(chosen), rests);
    for (const QJsonValue &value : wanted) {
        const QString word = value.toString();
        std::vector<DeviceInfo> matching;
        for (const DeviceInfo &device : all) {
            if (device.id == word || device.name == word)
                matching.push_back(device);
        }
        if (matching.size() != 1) {
            return fail(QStringLiteral("run.unknown-device"),
                        (matching.empty() ? sentence("The device \"%1\" is not in this home.")
                                          : sentence("The device \"%1\" is not the only one of that name."))
                            .arg(word.left(80)),
                        QString(), didYouMean(word, names));
        }
        const auto same = [&](const DeviceInfo &device) { return device.id == matching.front().id; };
        if (std::none_of(chosen.begin(), chosen.end(), same))
            chosen.push_back(matching.front());
    }
    const bool waits = mayWait && std::ranges::all_of(chosen, rests);
    for (const DeviceInfo &device : chosen) {
        if (auto ready = mustBeReady(device); !ready && !waits)
            return tl::unexpected(ready.error());
    }
    if (const Sentence rest = restCauses(all); chosen.empty() && !rest.isEmpty()) {
        return fail(QStringLiteral("run.device-resting"), sentence("No device takes work now."), rest,
                    sentence("Start the run when one of them does, or change its limits."));
    }
    if (chosen.empty()) {
        return fail(QStringLiteral("run.no-device"), sentence("There is no device to train on."),
                    sentence("None of the home's devices can be reached now."),
                    sentence("Switch one on, or look at \"hearth devices\"."));
    }
    std::sort(chosen.begin(), chosen.end(),
              [](const DeviceInfo &a, const DeviceInfo &b) { return idLess(a.id, b.id); });
    return chosen;
}

/// Which devices a run measures, and that they can be; their words become ids.
Result<void> chooseMeasured(RunRequest &request) {
    if (request.kind != RunKind::Measure && !request.measureAgain && !request.measureAll)
        return {};
    QStringList ids;
    for (const QString &word : request.measured) {
        const auto device = deviceNamed(request.devices, word);
        if (!device)
            return tl::unexpected(device.error());
        ids << device->id;
    }
    request.measured = ids;
    for (const DeviceInfo &device : request.devices) {
        const bool counts = ids.isEmpty() || ids.contains(device.id);
        if (auto idle = counts && !request.again ? mustBeIdle(device) : Result<void>(); !idle)
            return idle;
    }
    return {};
}

Result<void> readOptions(const QJsonObject &json, RunRequest &request) {
    JsonReader reader(json, orderSource, QStringLiteral("/options"));
    request.planner = reader.string("planner", request.planner);
    request.save = reader.string("save", {});
    request.trace = reader.string("trace", {});
    if (reader.has("only")) {
        const auto kind = std::ranges::find(runKinds, reader.choice("only", onlyNames()), runKindName);
        if (kind != runKinds.end())
            request.kind = *kind;
    }
    request.measureAgain = reader.boolean("measure_again", false);
    request.measureAll = reader.boolean("measure_all", false);
    request.partialWeights = reader.boolean("partial_weights", false);
    request.origin = reader.string("origin", {});
    for (const QJsonValue &device : reader.array("measure_of", false))
        request.measured << device.toString();
    const QJsonObject samples = reader.object("samples", request.kind == RunKind::Answer);
    const QString fabric = reader.string("trusted_fabric", {});
    const QJsonObject safety = reader.object("safety", false);
    if (auto ok = reader.finish(); !ok)
        return ok;
    if (request.kind == RunKind::Answer) {
        auto asked = RunData::fromJson(samples, orderSource);
        if (!asked)
            return tl::unexpected(asked.error());
        request.asked = std::move(*asked);
    }
    if (const auto planner = findPlanner(request.planner); !planner)
        return tl::unexpected(planner.error());
    const auto scope = fabricScopeFromName(fabric);
    if (!scope)
        return tl::unexpected(scope.error());
    request.fabric = *scope;
    auto options = SafetyOptions::fromJson(safety, orderSource, QStringLiteral("/options/safety"));
    if (!options)
        return tl::unexpected(options.error());
    request.safety = *options;
    if (request.again)
        return {};  // it was so at the first start, and a run that is under way does not end for it
    // Found out now rather than after hours of training.
    const Sentence advice = sentence("Name a file in a folder of your own with %1.");
    const auto save = mustBeWritable(request.save, QStringLiteral("run.save-path"),
                                     sentence("The weights could not be saved as %1.").arg(request.save),
                                     advice.arg(QStringLiteral("--save")));
    if (!save)
        return save;
    return mustBeWritable(request.trace, QStringLiteral("run.trace-path"),
                          sentence("The trace could not be written to %1.").arg(request.trace),
                          advice.arg(QStringLiteral("--trace")));
}

/// What makes the run: from the order, or from the folder of a run that goes on.
Result<void> readWork(const QJsonObject &jobJson, const QJsonObject &modelJson, const QString &jobSource,
                      const QString &modelSource, RunRequest &request) {
    auto job = Job::validFromJson(jobJson, jobSource);
    if (!job)
        return tl::unexpected(job.error());
    request.job = std::move(*job);
    auto model = Model::fromJson(modelJson, modelSource);
    if (!model)
        return tl::unexpected(model.error());
    request.model = std::move(*model);
    return {};
}

Result<void> readWorkOfFolder(RunRequest &request) {
    const QString jobPath = request.directory + QStringLiteral("/job.json");
    const QString modelPath = request.directory + QStringLiteral("/model.json");
    const auto job = readJsonFile(jobPath);
    if (!job)
        return tl::unexpected(job.error());
    const auto model = readJsonFile(modelPath);
    if (!model)
        return tl::unexpected(model.error());
    return readWork(*job, *model, jobPath, modelPath, request);
}

/// Who holds the data that are not here.
Result<void> findHolders(const std::vector<DeviceInfo> &home, RunRequest &request) {
    if (request.asked)
        return {};  // no data are read
    auto sources = resolvedSources(request.job, home);
    if (!sources)
        return tl::unexpected(sources.error());
    request.sources = std::move(*sources);
    for (const DeviceInfo &device : home) {
        if (std::ranges::find(request.sources, device.id, &DataSource::device) != request.sources.end())
            request.holders.push_back(device);
    }
    return {};
}

/// The job, whose data of this device are called as they are here.
Job withSources(const RunRequest &request) {
    Job job = request.job;
    for (std::size_t i = 0; i < request.sources.size() && request.sources.size() > 1; ++i) {
        if (request.sources[i].isHere())
            job.data[static_cast<qsizetype>(i)] = request.sources[i].name;
    }
    return job;
}

using LayerWeights = std::vector<std::vector<NamedTensor>>;

Result<LayerWeights> readAll(const RunRequest &request) {
    auto tensors = readSafetensors(request.weights);
    if (!tensors)
        return tl::unexpected(tensors.error());
    auto layers = weightsForModel(request.model, std::move(*tensors), dtypeOf(request.job.precision), request.weights);
    if (!layers && request.kind == RunKind::Train) {
        Error &error = layers.error();
        error.advice = Sentence::joined(
            {error.advice, sentence("Or take \"Only those that fit\" on the Job page, or give --partial.")});
    }
    return layers;
}

Result<LayerWeights> readMatching(const RunRequest &request, RunInputs &inputs) {
    const auto source = openSafetensors({request.weights});
    if (!source)
        return tl::unexpected(source.error());
    inputs.match = WeightsMatch::of(request.model, **source);
    return matchingWeights(request.model, **source, dtypeOf(request.job.precision), request.job.seed, request.weights);
}

/// As in a coordinator that lives: once there is a checkpoint nothing begins with them again.
bool isPastItsWeights(const RunRequest &request) {
    return request.again && !request.weights.isEmpty() && !CheckpointStore(request.directory, {}).versions().empty();
}

}  // namespace

QString runKindName(RunKind kind) {
    switch (kind) {
        case RunKind::Train:
            break;
        case RunKind::Plan:
            return QStringLiteral("plan");
        case RunKind::Measure:
            return QStringLiteral("measure");
        case RunKind::Evaluate:
            return QStringLiteral("evaluate");
        case RunKind::Answer:
            return QStringLiteral("answer");
    }
    return {};
}

QString RunRequest::keptIn() const {
    if (kind == RunKind::Evaluate)
        return weights.isEmpty() ? QString() : QFileInfo(weights).absolutePath();
    return again || resume ? directory : QString();
}

Result<RunRequest> RunRequest::fromCbor(const QCborMap &start) {
    RunRequest request;
    request.id = start[QStringLiteral("run")].toString();
    request.directory = start[QStringLiteral("dir")].toString();
    request.profiles = QFileInfo(request.directory + QStringLiteral("/../../profiles")).absoluteFilePath();
    request.again = start[QStringLiteral("again")].toBool();
    request.resume = start[QStringLiteral("resume")].toBool();
    JsonReader reader(start[QStringLiteral("request")].toMap().toJsonObject(), orderSource);
    const QJsonObject jobJson = reader.object("job", !request.resume);
    const QJsonObject modelJson = reader.object("model", !request.resume);
    const QString resumed = reader.string("resume", request.id);
    const bool hasPlan = reader.has("plan");
    const QJsonObject plan = reader.object("plan", false);
    const QJsonArray wanted = reader.array("devices", false);
    const QJsonObject options = reader.object("options", false);
    request.weights = reader.string("weights", {});
    if (auto ok = reader.finish(); !ok)
        return tl::unexpected(ok.error());
    if (hasPlan)
        request.plan = plan;
    if (resumed != request.id ||
        (request.resume && !(jobJson.isEmpty() && modelJson.isEmpty() && request.weights.isEmpty()))) {
        return fail(QStringLiteral("run.resume-keeps-job"),
                    sentence("A run that goes on keeps its job, its model and its weights."), QString(),
                    sentence("Leave them out, or start a new run."));
    }
    auto work = request.resume ? readWorkOfFolder(request)
                               : readWork(jobJson, modelJson, QStringLiteral("the job"),
                                          QStringLiteral("the model of the job"), request);
    if (!work)
        return tl::unexpected(work.error());
    if (auto read = readOptions(options, request); !read)
        return tl::unexpected(read.error());
    request.anyDevice = wanted.isEmpty();
    auto devices = readDevices(start[QStringLiteral("devices")].toArray())
                       .and_then([&](const auto &all) -> Result<std::vector<DeviceInfo>> {
                           return request.again ? possibleDevices(all, wanted)
                                                : chooseDevices(all, wanted, request.kind == RunKind::Train);
                       });
    if (!devices)
        return tl::unexpected(devices.error());
    // The list tells also who serves the data, whether or not it computes.
    const auto home = readDevices(start[QStringLiteral("devices")].toArray());
    const auto self = std::ranges::find_if(*home, &DeviceInfo::self);
    if (self != home->end())
        request.dataDevice = self->id;
    if (auto found = findHolders(*home, request); !found)
        return tl::unexpected(found.error());
    request.devices = std::move(*devices);
    if (auto chosen = chooseMeasured(request); !chosen)
        return tl::unexpected(chosen.error());
    return request;
}

Result<RunInputs> RunInputs::load(const RunRequest &request, const ReadyData &ready) {
    RunInputs inputs;
    auto data = request.asked ? JobData{request.asked->input, noSamples(*request.asked, request.model)}
                              : KeptData::load(request.keptIn()).and_then([&](const KeptData &kept) {
                                    return dataOf(withSources(request), request.model, ready, kept);
                                });
    if (!data)
        return tl::unexpected(data.error());
    inputs.input = data->input;
    inputs.data = std::move(data->data);
    if (request.kind == RunKind::Train || request.kind == RunKind::Evaluate) {
        auto prompts = promptsOf(request.job, request.model, *inputs.data);
        if (!prompts)
            return tl::unexpected(prompts.error());
        inputs.prompts = std::move(*prompts);
    }
    for (const DataPart &part : inputs.data->parts())
        inputs.sampleTypes.push_back(part.slot.dtype);
    const bool isPast = isPastItsWeights(request);
    if (request.weights.isEmpty() || isPast) {
        auto frozen = loadFrozen(request.directory, request.model, dtypeOf(request.job.precision));
        if (!frozen)
            return tl::unexpected(frozen.error());
        // What is frozen is in no checkpoint.
        const bool lacksFrozen = frozen->isEmpty() && request.model.elements(TensorRole::Frozen) > 0;
        inputs.frozen = std::move(*frozen);
        inputs.areWeightsPast = isPast && !lacksFrozen;
        if (request.weights.isEmpty() || inputs.areWeightsPast)
            return inputs;
    }
    auto layers = request.partialWeights ? readMatching(request, inputs) : readAll(request);
    if (!layers)
        return tl::unexpected(layers.error());
    inputs.weights = std::move(*layers);
    inputs.frozen = frozenOf(inputs.weights);
    return inputs;
}

RunData RunInputs::described(const Job &job) const {
    RunData described{job.precision, job.loss, input, {}, data->labelNames()};
    for (const DataPart &part : data->parts())
        described.samples.push_back(part.slot);
    return described;
}

}  // namespace hearth
