#include "core/train/profile_calls.h"

#include <QCborArray>

#include "core/base/cbor.h"
#include "core/model/loss_facts.h"
#include "core/profile/codec_rates.h"
#include "core/profile/profile_limits.h"
#include "core/profile/unit_seconds.h"
#include "core/train/coordinator_line.h"
#include "core/train/memory.h"
#include "core/train/process_memory.h"
#include "core/train/room_for_layers.h"
#include "core/train/threads.h"
#include "core/train/worker_options.h"

namespace hearth {
namespace {

/// What is measured, but for the sizes.
Result<ProfileRequest> requestOf(const QCborMap &args) {
    auto model =
        Model::fromJson(args[QLatin1String("model")].toMap().toJsonObject(), QStringLiteral("the coordinator's model"));
    if (!model)
        return tl::unexpected(model.error());
    ProfileRequest request;
    request.model = std::move(*model);
    const auto precision = precisionFromName(args[QLatin1String("precision")].toString(QStringLiteral("float32")));
    if (!precision)
        return tl::unexpected(badRequest(sentence("A profile takes a precision and ascending batch sizes.")));
    request.precision = *precision;
    request.loss = args[QLatin1String("training")].toMap()[QLatin1String("loss")].toString(request.loss);
    if (!LossFacts::byName(request.loss))
        return tl::unexpected(badRequest(sentence("The loss \"%1\" is unknown.").arg(request.loss)));
    return request;
}

/// While something is measured. All threads compute then, however few are best for rounds at present, and those find
/// their own again. What it took of memory is no part of the next round. On the compute thread.
class BetweenRounds {
  public:
    BetweenRounds(const WorkerOptions &options, const WorkerCompute &compute) : m_options(options), m_compute(compute) {
        prepareComputeThread(m_options.threads);
    }
    ~BetweenRounds() {
        limitMemory(*m_options.device, m_options.memoryBytes);  // of the runtime more may be known now
        m_options.device->takePeakBytes();
        prepareComputeThread(m_compute.threads.threads());
    }
    BetweenRounds(const BetweenRounds &) = delete;
    BetweenRounds &operator=(const BetweenRounds &) = delete;

  private:
    const WorkerOptions &m_options;
    const WorkerCompute &m_compute;
};

}  // namespace

/// Tells the coordinator how far it is, and gives up where nobody waits any more.
ProfileProgress ProfileCalls::progress() {
    return [this, ended = m_ended.load(), told = -1](int done, int total) mutable {
        if (done == std::exchange(told, done))
            return ended == m_ended.load();
        m_io.post([this, done, total] {
            m_line.note(QStringLiteral("profile.progress"),
                        {{QLatin1String("done"), done}, {QLatin1String("total"), total}});
        });
        return ended == m_ended.load();
    };
}

void ProfileCalls::whole(const QCborMap &args, const Reply &reply) {
    auto request = requestOf(args);
    if (!request)
        return reply.fail(request.error());
    for (const QCborValue &value : args[QLatin1String("batches")].toArray())
        request->batches.push_back(static_cast<int>(integerOf(value)));
    const std::vector<int> &batches = request->batches;
    if (batches.empty() || batches.front() < 1 || batches.back() > ProfileLimits::batch ||
        batches.size() > ProfileLimits::batchSizes ||
        !std::is_sorted(batches.begin(), batches.end(), std::less_equal<>()))
        return reply.fail(badRequest(sentence("A profile takes a precision and ascending batch sizes.")));
    if (args[QLatin1String("brief")].toBool())
        request->secondsPerBatch = 0;  // as few passes as tell anything
    request->triesPacking = args[QLatin1String("packing")].toBool(true);
    request->threads = m_options.threads;
    const bool withCodecs = args[QLatin1String("codecs")].toBool(true);
    m_thread.post([this, compute = m_compute, request = *request, withCodecs, progress = progress(),
                   ticket = m_line.keep(reply)]() mutable {
        const BetweenRounds between(m_options, *compute);
        request.isAlone = !compute->stages;
        Result<ModelProfile> result = [&]() -> Result<ModelProfile> {
            // Layers are measured in parts where they do not fit together: each has to fit alone.
            TrainingSpec plain;
            plain.precision = request.precision;
            plain.optimizer.momentum = 0;  // nothing is trained
            for (int l = 0; l < static_cast<int>(request.model.layers.size()); ++l) {
                if (auto fits = checkLayers(request.model, {{l, l + 1}}, plain, *m_options.device); !fits)
                    return tl::unexpected(fits.error());
            }
            return profileLayers(request, progress, *m_options.device);
        }();
        CodecRates codecs = result && withCodecs ? measureCodecs() : CodecRates();
        if (result && withCodecs && !m_options.device->isHost())
            measureWays(*m_options.device, codecs);
        m_io.post([this, ticket, codecs, result = std::move(result)]() mutable {
            if (!result)
                return m_line.answer(ticket, tl::unexpected(result.error()));
            result->device = m_self;
            QCborMap told = result->toCbor();
            told[QLatin1String("runtime_bytes")] = m_options.device->runtimeBytes();
            told[QLatin1String("codecs")] = QCborMap::fromJsonObject(codecs.toJson());
            m_line.answer(ticket, told);
        });
    });
}

void ProfileCalls::units(const QCborMap &args, const Reply &reply) {
    auto request = requestOf(args);
    if (!request)
        return reply.fail(request.error());
    std::vector<ProbedUnit> units;
    const auto layers = static_cast<qint64>(request->model.layers.size());
    for (const QCborValue &value : args[QLatin1String("units")].toArray()) {
        const QCborArray unit = value.toArray();
        const qint64 layer = integerOf(unit.at(0), -1), samples = integerOf(unit.at(1), -1);
        if (layer < 0 || layer >= layers || samples < 1 || samples > ProfileLimits::batch)
            return reply.fail(badRequest(sentence("A unit is a layer of the model and a number of samples.")));
        units.push_back({static_cast<int>(layer), static_cast<int>(samples)});
    }
    m_thread.post([this, compute = m_compute, request = *request, units, progress = progress(),
                   ticket = m_line.keep(reply)]() mutable {
        const BetweenRounds between(m_options, *compute);
        request.isAlone = !compute->stages;
        auto result = profileUnits(request, units, progress, *m_options.device);
        m_io.post([this, ticket, result = std::move(result)]() mutable {
            if (!result)
                return m_line.answer(ticket, tl::unexpected(result.error()));
            m_line.answer(ticket, QCborMap{{QLatin1String("units"), toCbor(*result)},
                                           {QLatin1String("runtime_bytes"), m_options.device->runtimeBytes()}});
        });
    });
}

}  // namespace hearth
