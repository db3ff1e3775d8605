#include "core/run/data_feed.h"

#include <algorithm>
#include <cstring>

namespace hearth {
namespace {

/// What exists of the target's interval in a micro-batch that may be short.
std::span<const qint64> clipped(const FeedTarget &target, std::span<const qint64> indices) {
    const auto size = static_cast<int>(indices.size());
    const int first = std::min(target.firstSample, size);
    const int count = std::min(target.samples, size - first);
    return indices.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

void address(TensorHeader &header, const FeedTarget &target, std::span<const qint64> own) {
    header.firstSample = static_cast<quint32>(target.firstSample);
    header.sampleCount = static_cast<quint32>(own.size());
}

void sendNormaliser(const FeedLayout &layout, TensorHeader header) {
    header.kind = TensorKind::Label;
    header.dtype = DType::Float64;
    header.dims = {1};
    header.stage = static_cast<quint16>(layout.lastStage);
    header.slot = 1;
    const auto buffer = Buffer::allocate(sizeof(double));
    const double samples = layout.batch;
    std::memcpy(buffer->data(), &samples, sizeof samples);
    for (const FeedTarget &target : layout.labels) {
        if (target.worker)
            layout.send(target, header, buffer);
    }
}

}  // namespace

std::vector<FeedTarget> feedTargets(const Deployment &deployment, std::size_t stage,
                                    const std::vector<WorkerSession *> &workers) {
    std::vector<FeedTarget> targets;
    for (const Deployment::Member &member : deployment.stages[stage].members) {
        for (WorkerSession *worker : workers) {
            if (worker->address().fingerprint.toHex() == member.device)
                targets.push_back({worker, member.firstSample, member.samples});
        }
    }
    return targets;
}

FeedLayout FeedLayout::of(const Deployment &deployment, const std::vector<WorkerSession *> &workers) {
    const std::size_t last = deployment.stages.size() - 1;
    return {deployment.term,
            deployment.batch,
            deployment.microBatch,
            static_cast<int>(last),
            feedTargets(deployment, 0, workers),
            feedTargets(deployment, last, workers),
            {}};
}

void FeedLayout::send(const FeedTarget &target, const TensorHeader &header,
                      const std::shared_ptr<Buffer> &payload) const {
    if (observer)
        observer(*target.worker, header, payload->size());
    target.worker->channel().sendTensor(header, Payload::of(payload));
}

bool FeedLayout::isFull() const {
    const auto full = [](const FeedTarget &target) {
        return target.worker && target.worker->channel().queuedBytes() >= Channel::highMark;
    };
    return std::any_of(inputs.begin(), inputs.end(), full) || std::any_of(labels.begin(), labels.end(), full);
}

void FeedLayout::whenOpened(QObject *context, const std::function<void()> &resume) const {
    for (const auto *targets : {&inputs, &labels}) {
        for (const FeedTarget &target : *targets) {
            if (target.worker)
                QObject::connect(&target.worker->channel(), &Channel::windowOpened, context, resume);
        }
    }
}

void sendInputs(const FeedLayout &layout, const Dataset &data, Split split, std::span<const qint64> indices,
                TensorHeader header) {
    header.dtype = DType::UInt8;
    header.stage = 0;
    header.slot = 0;
    for (const FeedTarget &target : layout.inputs) {
        const auto own = clipped(target, indices);
        if (own.empty() || !target.worker)
            continue;
        address(header, target, own);
        header.dims = {static_cast<quint32>(own.size())};
        for (const qint64 dimension : data.sampleShape())
            header.dims.push_back(static_cast<quint32>(dimension));
        const auto buffer = Buffer::allocate(static_cast<qsizetype>(own.size()) * data.sampleBytes());
        data.copySamples(split, own, buffer->bytes());
        layout.send(target, header, buffer);
    }
}

void sendLabels(const FeedLayout &layout, const Dataset &data, Split split, std::span<const qint64> indices,
                TensorHeader header) {
    header.dtype = DType::Int64;
    header.stage = static_cast<quint16>(layout.lastStage);
    for (const FeedTarget &target : layout.labels) {
        const auto own = clipped(target, indices);
        if (own.empty() || !target.worker)
            continue;
        address(header, target, own);
        header.dims = {static_cast<quint32>(own.size())};
        std::vector<qint64> labels(own.size());
        data.copyLabels(split, own, labels);
        const auto buffer = Buffer::allocate(static_cast<qsizetype>(own.size() * sizeof(qint64)));
        std::memcpy(buffer->data(), labels.data(), own.size() * sizeof(qint64));
        layout.send(target, header, buffer);
    }
}

DataFeed::DataFeed(std::shared_ptr<const Dataset> data, Sampler sampler, FeedLayout layout, qint64 firstRound,
                   QObject *parent)
    : QObject(parent),
      m_data(std::move(data)),
      m_sampler(std::move(sampler)),
      m_layout(std::move(layout)),
      m_round(firstRound),
      m_limit(firstRound - 1) {
    m_layout.whenOpened(this, [this] { schedule(); });
}

void DataFeed::setLimit(qint64 round) {
    m_limit = std::max(round, begun());
    schedule();
}

void DataFeed::schedule() {
    if (m_scheduled || m_round > m_limit)
        return;
    m_scheduled = true;
    QMetaObject::invokeMethod(
        this, [this] { step(); }, Qt::QueuedConnection);
}

void DataFeed::step() {
    m_scheduled = false;
    if (m_round > m_limit || m_layout.isFull())
        return;
    TensorHeader header;
    header.term = m_layout.term;
    header.round = static_cast<quint32>(m_round);
    header.version = static_cast<quint64>(m_round - 1);
    header.microBatch = static_cast<quint32>(m_microBatch);
    const bool begins = m_microBatch == 0;
    if (begins) {
        m_indices = m_sampler.indicesOfRound(m_round, m_layout.batch);
        sendNormaliser(m_layout, header);
    }
    const auto samples = std::span<const qint64>(m_indices).subspan(
        static_cast<std::size_t>(m_microBatch) * static_cast<std::size_t>(m_layout.microBatch),
        static_cast<std::size_t>(m_layout.microBatch));
    header.kind = TensorKind::Input;
    sendInputs(m_layout, *m_data, Split::Train, samples, header);
    header.kind = TensorKind::Label;
    sendLabels(m_layout, *m_data, Split::Train, samples, header);
    const qint64 round = m_round;
    if (++m_microBatch * m_layout.microBatch >= m_layout.batch) {
        m_microBatch = 0;
        ++m_round;
    }
    schedule();
    if (begins)
        Q_EMIT roundBegun(round);
}

}  // namespace hearth
