#include "core/run/holder_line.h"

#include <QJsonDocument>
#include <algorithm>
#include <array>
#include <numeric>

#include "core/base/cbor.h"
#include "core/base/post_to.h"

namespace hearth {
namespace {

/// The silence is what is watched: an answer takes as long as the holder reads.
constexpr std::chrono::hours answerDeadline{24};
/// Several, so that a thread that was blocked looks at its socket between two of them.
constexpr int turnsOfSilence = 4;

}  // namespace

QString namesOf(const std::vector<HeldSet> &sets) {
    QStringList names;
    for (const HeldSet &set : sets)
        names << set.name;
    return names.join(QStringLiteral(", "));
}

Error holderAway(const QString &deviceName, const std::vector<HeldSet> &sets, const Sentence &cause) {
    return {
        QStringLiteral("data.unreadable"),
        sentence("The data %1 on %2 cannot be read now.").arg(namesOf(sets), deviceName), cause,
        sentence("Switch %1 on, and see that it is in the network; the run goes on by itself then.").arg(deviceName)};
}

HolderLine::HolderLine(QString deviceName, std::vector<HeldSet> sets, std::shared_ptr<HolderReads> reads,
                       std::unique_ptr<WorkerConnector> connector, HolderDeadlines deadlines)
    : m_deviceName(std::move(deviceName)),
      m_sets(std::move(sets)),
      m_reads(std::move(reads)),
      m_connector(std::move(connector)),
      m_deadlines(deadlines),
      m_listening(this) {
    connect(&m_listening, &QTimer::timeout, this, &HolderLine::listen);
}

HolderLine::~HolderLine() {
    m_reads->away(holderAway(m_deviceName, m_sets, sentence("The run has ended.")));
    if (m_channel)
        m_channel->disconnect(this);
}

void HolderLine::connectTo(const WorkerAddress &holder) {
    letGo();
    m_isDialling = true;
    m_connector->connectTo(holder, m_deadlines.dial, this,
                           [this, attempt = m_attempt](Result<std::unique_ptr<Channel>> channel) {
                               if (attempt != m_attempt)
                                   return;
                               m_isDialling = false;
                               if (channel)
                                   adopt(std::move(*channel));
                               else
                                   Q_EMIT lost(channel.error());
                           });
}

void HolderLine::drop(const Error &reason) {
    ++m_attempt;
    if (m_channel)
        m_channel->close(reason);
    else if (std::exchange(m_isDialling, false))
        Q_EMIT lost(reason);
}

void HolderLine::letGo() {
    ++m_attempt;
    m_listening.stop();
    if (m_channel) {
        m_channel->disconnect(this);
        m_channel.release()->deleteLater();
    }
    if (m_rpc)
        m_rpc.release()->deleteLater();
}

void HolderLine::adopt(std::unique_ptr<Channel> channel) {
    m_channel = std::move(channel);
    m_rpc = std::make_unique<Rpc>(m_channel.get());
    connect(m_channel.get(), &Channel::tensorReceived, this, &HolderLine::receive);
    connect(m_channel.get(), &Channel::closed, this, [this](const Error &reason) {
        letGo();
        m_reads->away(holderAway(m_deviceName, m_sets, reason.toSentence()));
        Q_EMIT lost(reason);
    });
    m_heard = 0;
    m_silentTurns = 0;
    m_listening.start(m_deadlines.silence / turnsOfSilence);
    m_open = 0;
    openNext();
}

void HolderLine::openNext() {
    const HeldSet &set = m_sets[m_open];
    QCborMap args{{QStringLiteral("name"), set.name},
                  {QStringLiteral("place"), set.place},
                  {QStringLiteral("job"), m_order.job},
                  {QStringLiteral("model"), m_order.model}};
    if (!m_order.preparation.isEmpty())
        args[QStringLiteral("preparation")] = m_order.preparation;
    m_rpc->call(QStringLiteral("open"), args, answerDeadline, this, [this](const Result<QCborMap> &answer) {
        if (answer)
            return takeFacts(*answer);
        if (m_channel && m_channel->isOpen())  // else it says so itself
            m_channel->close(answer.error());
    });
}

void HolderLine::takeFacts(const QCborMap &answer) {
    HeldSet &set = m_sets[m_open];
    auto facts = DataFacts::fromText(answer[QStringLiteral("facts")].toByteArray(), m_deviceName);
    if (!facts)
        return m_channel->close(facts.error());
    if (set.known && *set.known != *facts) {
        const Error error{QStringLiteral("data.changed"),
                          sentence("The data %1 on %2 are not what they were.").arg(set.name, m_deviceName),
                          sentence("They were changed since the run began."),
                          sentence("Bring them back as they were and resume the run, or start a new one.")};
        m_reads->final(error);
        Q_EMIT changed(error);
        return drop(error);
    }
    set.known = std::move(*facts);
    const std::array<qint64, allSplits.size()> &counts = set.known->counts;
    const qint64 samples = std::accumulate(counts.begin(), counts.end(), qint64{0});
    set.gone = std::clamp<qint64>(integerOf(answer[QStringLiteral("gone")]), 0, samples);
    if (++m_open < m_sets.size()) {
        // What rows become is decided by the job's first set.
        if (m_order.preparation.isEmpty() && set.place == 0 && !set.known->preparation.isEmpty())
            m_order.preparation = QJsonDocument(set.known->preparation).toJson(QJsonDocument::Compact);
        return openNext();
    }
    m_reads->connected([this](quint64 request, const HolderCall &call) {
        postTo(this, [this, request, call] { ask(request, call); });
    });
    Q_EMIT opened(m_sets);
}

void HolderLine::ask(quint64 request, const HolderCall &call) {
    if (!m_rpc || !m_channel->isOpen())
        return;  // nobody waits for it any more
    QCborMap args = call.args;
    args[QStringLiteral("request")] = static_cast<qint64>(request);
    m_rpc->call(call.op, args, answerDeadline, this, [this, request](const Result<QCborMap> &answer) {
        if (answer)
            m_reads->end(request, {});
        else if (m_channel && m_channel->isOpen())
            m_reads->end(request, tl::unexpected(answer.error()));
    });
}

void HolderLine::receive(const TensorFrame &frame) {
    if (m_reads->take(frame.header.version, frame.payload->bytes()))
        return;
    m_channel->close({QStringLiteral("data.bad-answer"),
                      sentence("%1 sent more samples than it was asked for.").arg(m_deviceName),
                      {},
                      sentence("Run the same version of Hearth on all devices.")});
}

void HolderLine::listen() {
    const quint64 heard = m_channel->bytesReceived();
    m_silentTurns = heard == m_heard ? m_silentTurns + 1 : 0;
    m_heard = heard;
    if (m_silentTurns < turnsOfSilence)
        return;
    m_channel->close({QStringLiteral("data.silent"),
                      sentence("%1 does not answer.").arg(m_deviceName),
                      sentence("Nothing came from it for %1 seconds.")
                          .arg(std::chrono::duration<double>(m_deadlines.silence).count()),
                      {}});
}

}  // namespace hearth
