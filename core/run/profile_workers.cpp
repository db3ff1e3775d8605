#include "core/run/profile_workers.h"

#include <QCborArray>
#include <QTimer>
#include <algorithm>
#include <utility>

#include "core/base/cbor.h"
#include "core/model/catalogue.h"
#include "core/predict/home_prediction.h"
#include "core/profile/profile_limits.h"
#include "core/run/measuring_pace.h"
#include "core/run/run_log.h"

namespace hearth {
namespace {

/// Silence is what counts (RunDeadlines::profileQuiet); this only bounds the call.
constexpr std::chrono::hours wholeProfile{6};

/// Sizes double: what did not fit does not with a little more memory either.
constexpr double muchMoreMemory = 1.1;

/// All that the job has for a device, or all that fit where it may use hardly more than then.
bool hasAllSizes(const ModelProfile &own, const Job &job, qint64 memoryBytes) {
    const double enoughForMore = muchMoreMemory * static_cast<double>(own.endOfMemoryBytes);
    return own.times.batch.back() >= profiledBatches(job).back() || static_cast<double>(memoryBytes) < enoughForMore;
}

/// What a worker said of its device when it came.
DeviceProfile deviceProfile(const WorkerSession &worker) {
    const WorkerHello &hello = worker.hello();
    return {worker.id(), worker.device().name, hello.library, hello.threads, hello.memoryBytes, hello.runtimeBytes, {}};
}

}  // namespace

ProfileKey profileKey(const WorkerSession &worker, const Model &model, const Job &job) {
    const WorkerHello &hello = worker.hello();
    return {worker.id(),         QString::fromLatin1(model.sha256()), hello.library,
            hello.computeDevice, precisionName(job.precision),        hello.threads};
}

ProfileWorkers::ProfileWorkers(const Job &job, const Model &model, const QString &storeFolder,
                               const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent),
      m_job(job),
      m_model(model),
      m_store(storeFolder),
      m_home(job, model, storeFolder),
      m_deadlines(deadlines) {}

void ProfileWorkers::start(const std::vector<WorkerSession *> &workers) {
    m_workers = workers;
    m_profiles.resize(workers.size());
    m_isMeasured.resize(workers.size());
    const LinkScope links{m_scope.withLinks, m_scope.linksOf, m_scope.whole, !m_scope.again.isEmpty()};
    m_links = new MeasureLinks(workers, links, m_store, m_deadlines, this);
    connect(m_links, &MeasureLinks::warning, this, &ProfileWorkers::warning);
    connect(m_links, &MeasureLinks::finished, this, &ProfileWorkers::finished);
    connect(m_links, &MeasureLinks::failed, this, &ProfileWorkers::giveUp);
    for (const WorkerSession *worker : workers) {
        DeviceProfile device = deviceProfile(*worker);
        const auto before = m_store.loadDevice(device.device);
        if (before && before->library == device.library && before->threads == device.threads &&
            !m_scope.again.contains(device.device)) {
            device.runtimeBytes = std::max(device.runtimeBytes, before->runtimeBytes);
            device.codecs = before->codecs;
        }
        m_devices.push_back(std::move(device));
    }
    introduce();
}

void ProfileWorkers::introduce() {
    m_open = m_workers.size();
    for (WorkerSession *worker : m_workers) {
        QCborArray others;
        for (const WorkerSession *other : m_workers) {
            if (other != worker)
                others.append(other->address().fingerprint.toHex());
        }
        worker->call(QStringLiteral("expect"), {{QStringLiteral("fingerprints"), others}}, m_deadlines.hello, this,
                     [this](const Result<QCborMap> &reply) {
                         if (!reply) {
                             giveUp(reply.error());
                             return;
                         }
                         if (--m_open > 0 || m_over)
                             return;
                         for (std::size_t i = 0; i < m_workers.size(); ++i)
                             measure(i);
                     });
    }
}

void ProfileWorkers::measure(std::size_t index) {
    WorkerSession *worker = m_workers[index];
    if (!m_scope.layersOf.isEmpty() && !m_scope.layersOf.contains(worker->id())) {
        measured(index);
        return;
    }
    const auto given = std::ranges::find(m_scope.known, worker->id(), &ModelProfile::device);
    if (given != m_scope.known.end()) {
        m_profiles[index] = *given;
        measured(index);
        return;
    }
    const auto own = known(index, m_model);
    if (own && hasAllSizes(*own, m_job, worker->hello().memoryBytes) && !(m_scope.whole && own->times.isPredicted())) {
        m_profiles[index] = *own;
        Q_EMIT progress(worker->id(), 1, 1);
        measured(index);
    } else if (!takeGuess(index)) {
        if (known(index, benchmarkNetwork()))
            measureNetwork(index);
        else
            measureBenchmark(index);
    }
}

std::optional<ModelProfile> ProfileWorkers::known(std::size_t index, const Model &model) const {
    const WorkerSession &worker = *m_workers[index];
    return m_scope.again.contains(worker.id()) ? std::nullopt : m_store.load(profileKey(worker, model, m_job));
}

/// Only where the device takes what one expects of it: what has to be measured wholly to be known is not guessed.
bool ProfileWorkers::takeGuess(std::size_t index) {
    const WorkerSession *worker = m_workers[index];
    const std::vector<int> batches = profiledBatches(m_job);
    const bool isProcessor = worker->hello().computeDevice == ModelProfile().computeDevice;
    if (!m_scope.guesses || m_scope.whole || m_scope.again.contains(worker->id()) || !isProcessor || batches.size() < 2)
        return false;
    const HomeTimes::Known &home = m_home.all();
    auto guess =
        unmeasuredProfile(m_model, profileKey(*worker, m_model, m_job), batches, home.profiles, home.knowledge);
    if (!guess || guess->times.relativeError(batches.size() - 1) > BriefProfile::mostErrorOfGuess ||
        !m_home.briefOf(*worker).isPromising())
        return false;
    m_profiles[index] = std::move(*guess);
    Q_EMIT progress(worker->id(), 1, 1);
    measured(index);
    return true;
}

/// A worker that cannot is no trouble: less can be predicted then.
void ProfileWorkers::measureBenchmark(std::size_t index) {
    const Model &network = benchmarkNetwork();
    QCborArray sizes;
    for (const int size : benchmarkBatch)
        sizes.append(size);
    const QCborMap asked{{QStringLiteral("model"), QCborMap::fromJsonObject(network.toJson())},
                         {QStringLiteral("training"), TrainingSpec().toCbor()},
                         {QStringLiteral("batches"), sizes},
                         {QStringLiteral("brief"), true},
                         {QStringLiteral("packing"), false}};  // nobody cuts this network
    ask(index, QStringLiteral("profile"), asked, static_cast<int>(network.layers.size() * benchmarkBatch.size()), false,
        [this, index, &network](const Result<QCborMap> &reply) {
            const auto profile = reply.and_then([&](const QCborMap &told) { return read(index, network, told); });
            if (profile)
                m_home.keep(*profile);
            if (!takeGuess(index))
                measureNetwork(index);
        });
}

void ProfileWorkers::measureNetwork(std::size_t index) {
    if (m_scope.whole || m_scope.again.contains(m_workers[index]->id()) || profiledBatches(m_job).size() < 2)
        measureWholly(index);
    else
        measureInBrief(index);
}

void ProfileWorkers::ask(std::size_t index, const QString &call, const QCborMap &more, int steps, bool isShown,
                         Measured then) {
    WorkerSession *worker = m_workers[index];
    auto *quiet = new QTimer(this);
    quiet->setSingleShot(true);
    quiet->start(m_deadlines.profileQuiet);
    connect(quiet, &QTimer::timeout, this, [this, worker] {
        giveUp(namedFor(
            worker->device(),
            {QStringLiteral("run.profile-quiet"), sentence("Measuring the model does not get on."),
             sentence("The worker has told nothing for %1 seconds.").arg(m_deadlines.profileQuiet.count() / 1000),
             sentence("Close what else is busy there, or train without this device.")}));
    });
    // Not each note counts, but what was done since the last one; and not each step of many is told.
    connect(worker, &WorkerSession::profileProgress, quiet,
            [this, quiet, worker, steps, isShown, furthest = 0, shown = 0](int done) mutable {
                if (done <= furthest || done > steps)
                    return;
                furthest = done;
                quiet->start();
                const int percent = static_cast<int>(qint64{100} * done / steps);
                if (percent > std::exchange(shown, percent) && !m_over && isShown)
                    Q_EMIT progress(worker->id(), done, steps);
            });
    QCborMap args{{QStringLiteral("model"), QCborMap::fromJsonObject(m_model.toJson())},
                  {QStringLiteral("precision"), precisionName(m_job.precision)},
                  {QStringLiteral("optimizer"), QCborMap::fromJsonObject(m_job.optimizer.toJson())},
                  {QStringLiteral("training"), m_job.training(1).toCbor()},
                  {QStringLiteral("codecs"), m_devices[index].codecs.measured.isEmpty()}};
    for (const auto &[name, value] : more)
        args[name] = value;
    worker->call(call, args, wholeProfile, this, [this, quiet, then = std::move(then)](const Result<QCborMap> &reply) {
        delete quiet;
        if (!m_over)
            then(reply);
    });
}

void ProfileWorkers::measureWholly(std::size_t index) {
    const std::vector<int> batches = profiledBatches(m_job);
    QCborArray sizes;
    for (const int size : batches)
        sizes.append(size);
    const auto steps = static_cast<int>(m_model.layers.size() * batches.size());
    ask(index, QStringLiteral("profile"), {{QStringLiteral("batches"), sizes}}, steps, true,
        [this, index, largest = batches.back()](const Result<QCborMap> &reply) {
            auto profile = reply.and_then([&](const QCborMap &told) { return read(index, m_model, told); });
            if (!profile) {
                giveUp(profile.error());
                return;
            }
            // Where training rests its layers take of the memory, too.
            if (profile->times.batch.back() < largest && m_scope.otherwise.empty())
                profile->endOfMemoryBytes = m_workers[index]->hello().memoryBytes;
            take(index, std::move(*profile));
        });
}

/// A worker that cannot, for want of memory too, and times that cannot be predicted, are no trouble: then all is
/// measured, at the numbers of samples that fit.
void ProfileWorkers::measureInBrief(std::size_t index) {
    const auto brief = std::make_shared<BriefProfile>(m_home.briefOf(*m_workers[index]));
    if (!brief->isPromising()) {
        measureRest(index, *brief);
        return;
    }
    const QCborMap few{{QStringLiteral("batches"), QCborArray{brief->samples()}}, {QStringLiteral("brief"), true}};
    ask(index, QStringLiteral("profile"), few, static_cast<int>(m_model.layers.size()), false,
        [this, index, brief](const Result<QCborMap> &reply) {
            const auto pass = reply.and_then([&](const QCborMap &told) { return read(index, m_model, told); });
            if (pass && brief->takePass(*pass) && brief->isPromising())
                measureUnits(index, brief);
            else
                measureRest(index, *brief);
        });
}

void ProfileWorkers::measureUnits(std::size_t index, const std::shared_ptr<BriefProfile> &brief) {
    QCborArray units;
    for (const UnitSeconds &unit : brief->probes())
        units.append(QCborArray{unit.layer, unit.samples});
    ask(index, QStringLiteral("profile.units"), {{QStringLiteral("units"), units}}, static_cast<int>(units.size()),
        false, [this, index, brief](const Result<QCborMap> &reply) {
            const auto told = reply.and_then([&](const QCborMap &map) {
                return unitsFromCbor(map[QStringLiteral("units")], static_cast<int>(m_model.layers.size()));
            });
            if (told) {
                takeRuntime(index, integerOf((*reply)[QStringLiteral("runtime_bytes")]));
                brief->takeUnits(*told);
            }
            if (told && brief->isGoodEnough())
                take(index, brief->profile());
            else
                measureRest(index, *brief);
        });
}

void ProfileWorkers::measureRest(std::size_t index, const BriefProfile &brief) {
    const auto kept = std::ranges::find(m_scope.otherwise, m_workers[index]->id(), &ModelProfile::device);
    if (kept == m_scope.otherwise.end() || brief.wholeSeconds() <= BriefProfile::shortWhole) {
        measureWholly(index);
        return;
    }
    m_profiles[index] = *kept;
    measured(index);
}

void ProfileWorkers::takeRuntime(std::size_t index, qint64 bytes) {
    qint64 &most = m_devices[index].runtimeBytes;
    if (bytes <= ProfileLimits::bytes)
        most = std::max(most, bytes);
}

Result<ModelProfile> ProfileWorkers::read(std::size_t index, const Model &model, QCborMap reply) {
    const WorkerSession *worker = m_workers[index];
    takeRuntime(index, integerOf(reply.take(QStringLiteral("runtime_bytes"))));
    // A worker of an older version has not measured them.
    auto codecs = CodecRates::fromJson(reply.take(QStringLiteral("codecs")).toMap().toJsonObject(),
                                       QStringLiteral("The profile from a device"), QStringLiteral("/codecs"));
    if (codecs && !codecs->measured.isEmpty())
        m_devices[index].codecs = std::move(*codecs);
    auto profile = ModelProfile::fromCbor(reply);
    if (!profile)
        return tl::unexpected(namedFor(worker->device(), profile.error()));
    // The worker knows itself by a key of this run only; the profile belongs to the device.
    profile->device = worker->id();
    profile->model = model.name;
    profile->modelSha256 = QString::fromLatin1(model.sha256());
    profile->library = worker->hello().library;
    profile->computeDevice = worker->hello().computeDevice;
    profile->precision = precisionName(m_job.precision);
    profile->threads = worker->hello().threads;
    if (profile->layers.size() != model.layers.size()) {
        return tl::unexpected(
            namedFor(worker->device(),
                     {QStringLiteral("run.bad-profile"), sentence("The measured layers are not those of the model."),
                      sentence("It has %1 {1|layer|layers}, measured were %2.")
                          .arg(model.layers.size())
                          .arg(profile->layers.size()),
                      sentence("Install the same version of Hearth on every device.")}));
    }
    return profile;
}

void ProfileWorkers::tell(RunLog &log) {
    connect(this, &ProfileWorkers::progress, this, [&log](const QString &id, int done, int all) {
        log.record(event::Profile{id, done, all});
    });
    connect(this, &ProfileWorkers::warning, this, [&log](const Error &warning) { log.warn(warning); });
}

void ProfileWorkers::end() {
    if (std::exchange(m_over, true))
        return;
    for (std::size_t i = 0; i < m_isMeasured.size(); ++i) {
        if (!m_isMeasured[i])
            m_workers[i]->notify(QStringLiteral("profile.end"));
    }
    for (const DeviceProfile &device : m_devices)
        warnUnless(m_store.saveDevice(device));
    for (const Error &failure : m_home.save())
        Q_EMIT warning(failure);
    if (m_links == nullptr)
        return;
    m_links->end();
    for (const Error &failure : m_links->save())
        Q_EMIT warning(failure);
}

void ProfileWorkers::warnUnless(const Result<void> &saved) {
    if (!saved)
        Q_EMIT warning(saved.error());
}

void ProfileWorkers::take(std::size_t index, ModelProfile profile) {
    m_home.keep(profile);
    if (profile.times.isPredicted())
        Q_EMIT progress(m_workers[index]->id(), 1, 1);
    m_profiles[index] = std::move(profile);
    measured(index);
}

void ProfileWorkers::measured(std::size_t index) {
    m_isMeasured[index] = true;
    m_links->take(index);
}

void ProfileWorkers::giveUp(const Error &error) {
    if (m_over)
        return;
    end();
    Q_EMIT failed(error);
}

}  // namespace hearth
