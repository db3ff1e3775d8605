#include "core/run/data_feed.h"

#include <algorithm>
#include <cstring>

#include "core/protocol/label_slots.h"

namespace hearth {
namespace {

/// How many samples of the target's interval there are in a micro-batch that may be short.
int existing(const FeedTarget &target, const Batch &batch) {
    return std::clamp(batch.samples - target.firstSample, 0, target.samples);
}

/// To each its own part of `bytes`, which are the micro-batch's, one sample of `slot` after the other.
void sendParts(const FeedLayout &layout, const std::vector<FeedTarget> &targets, const Batch &batch, const Slot &slot,
               const Payload &bytes, TensorHeader header) {
    header.dtype = slot.dtype;
    for (const FeedTarget &target : targets) {
        const int count = existing(target, batch);
        if (count == 0 || !target.worker)
            continue;
        header.firstSample = static_cast<quint32>(target.firstSample);
        header.sampleCount = static_cast<quint32>(count);
        header.dims = {header.sampleCount};
        for (const qint64 dimension : slot.shape)
            header.dims.push_back(static_cast<quint32>(dimension));
        layout.send(target, header,
                    {bytes.data + target.firstSample * slot.bytes(), count * slot.bytes(), bytes.owner});
    }
}

/// `counted` by the loss; a round of which nothing counts divides its zeros by one.
void sendNormaliser(const FeedLayout &layout, qint64 counted, TensorHeader header) {
    header.kind = TensorKind::Label;
    header.dtype = DType::Float64;
    header.dims = {1};
    header.stage = static_cast<quint16>(layout.lastStage);
    header.slot = normaliserSlot;
    const auto buffer = Buffer::allocate(sizeof(double));
    const auto normaliser = static_cast<double>(std::max<qint64>(counted, 1));
    std::memcpy(buffer->data(), &normaliser, sizeof normaliser);
    for (const FeedTarget &target : layout.labels) {
        if (target.worker)
            layout.send(target, header, Payload::of(buffer));
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
            static_cast<int>(last),
            feedTargets(deployment, 0, workers),
            feedTargets(deployment, last, workers),
            {}};
}

void FeedLayout::send(const FeedTarget &target, const TensorHeader &header, Payload payload) const {
    if (observer)
        observer(*target.worker, header, payload.size);
    target.worker->channel().sendTensor(header, std::move(payload));
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

void sendInputs(const FeedLayout &layout, const Batch &batch, const std::vector<DataPart> &parts, TensorHeader header) {
    header.stage = 0;
    for (std::size_t part = 0; part < parts.size(); ++part) {
        header.slot = static_cast<quint16>(part);
        sendParts(layout, layout.inputs, batch, parts[part].slot, batch.inputs[part], header);
    }
}

void sendLabels(const FeedLayout &layout, const Batch &batch, const Slot &label, TensorHeader header) {
    header.stage = static_cast<quint16>(layout.lastStage);
    sendParts(layout, layout.labels, batch, label, batch.labels, header);
}

DataFeed::DataFeed(const std::shared_ptr<const Dataset> &data, const BatchOrder &order, FeedLayout layout,
                   qint64 firstRound, QObject *parent)
    : QObject(parent),
      m_data(data),
      m_label(order.labelOf(*data)),
      m_layout(std::move(layout)),
      m_batch(order.batch),
      m_begun(firstRound - 1),
      m_sent(order.batch),
      m_limit(firstRound - 1),
      m_source(data, order, firstRound) {
    m_layout.whenOpened(this, [this] { schedule(); });
    connect(&m_source, &BatchSource::ready, this, [this] { schedule(); });
    connect(&m_source, &BatchSource::waiting, this, [this](const Error &error) {
        m_isWaiting = true;
        Q_EMIT waiting(error);
    });
    connect(&m_source, &BatchSource::found, this, [this] {
        m_isWaiting = false;
        Q_EMIT found();
    });
}

void DataFeed::setLimit(qint64 round) {
    m_limit = std::max(round, begun());
    schedule();
}

bool DataFeed::isDue() const {
    return m_sent < m_batch || m_begun < m_limit;
}

void DataFeed::schedule() {
    if (m_scheduled || !isDue())
        return;
    m_scheduled = true;
    QMetaObject::invokeMethod(
        this, [this] { step(); }, Qt::QueuedConnection);
}

void DataFeed::step() {
    m_scheduled = false;
    if (!isDue() || m_layout.isFull())
        return;
    const auto next = m_source.take();
    if (!next) {
        Q_EMIT failed(next.error());
        return;
    }
    Q_EMIT starved(!*next);
    if (!*next)
        return;
    const Batch &batch = **next;
    TensorHeader header;
    header.term = m_layout.term;
    header.round = static_cast<quint32>(batch.round);
    header.version = static_cast<quint64>(batch.round - 1);
    header.microBatch = static_cast<quint32>(batch.microBatch);
    const bool begins = batch.microBatch == 0;
    if (begins) {
        m_begun = batch.round;
        m_sent = 0;
        sendNormaliser(m_layout, batch.counted, header);
    }
    header.kind = TensorKind::Input;
    sendInputs(m_layout, batch, m_data->parts(), header);
    header.kind = TensorKind::Label;
    header.slot = labelSlot;
    sendLabels(m_layout, batch, m_label, header);
    m_sent += batch.samples;
    schedule();
    if (begins)
        Q_EMIT roundBegun(batch.round);
}

}  // namespace hearth
