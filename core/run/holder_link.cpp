#include "core/run/holder_link.h"

#include <algorithm>

#include "core/base/post_to.h"
#include "core/run/held_dataset.h"

namespace hearth {
namespace {

Error cannotBeUsed(const DeviceInfo &device, const std::vector<HeldSet> &sets, const Error &reason) {
    return {QStringLiteral("run.data-device"),
            sentence("The data %1 on %2 cannot be used.").arg(namesOf(sets), device.name),
            Sentence::joined({reason.what, reason.cause}),
            reason.advice.isEmpty()
                ? sentence("Switch %1 on, or take what it holds out of \"data\" of the job.").arg(device.name)
                : reason.advice};
}

}  // namespace

HolderLink::HolderLink(const DeviceInfo &device, std::vector<HeldSet> sets, AgentLink &agent,
                       std::unique_ptr<WorkerConnector> connector, HolderDeadlines deadlines, QObject *parent)
    : QObject(parent),
      m_device(device),
      m_sets(std::move(sets)),
      m_agent(agent),
      m_deadlines(deadlines),
      m_reads(std::make_shared<HolderReads>(
          holderAway(device.name, m_sets, sentence("It has not been reached since the run was taken up.")))),
      m_pause(deadlines.firstPause) {
    m_retry.setSingleShot(true);
    connect(&m_retry, &QTimer::timeout, this, &HolderLink::start);
    connect(&agent, &AgentLink::holderExited, this, [this](const QString &id, const Error &error) {
        if (id != m_device.id || !m_address)
            return;
        m_address.reset();  // there is nobody to dial
        postTo(m_line, [line = m_line, error] { line->drop(error); });
    });
    connect(&agent, &AgentLink::deviceChanged, this, [this](const DeviceInfo &changed) {
        if (changed.id == m_device.id && changed.state != DeviceState::Lost && m_retry.isActive())
            m_retry.start(0);
    });
    connect(&agent, &AgentLink::deviceRemoved, this, [this](const QString &id) {
        if (id == m_device.id)
            giveUp({{},
                    sentence("The device is not trusted any more."),
                    {},
                    sentence("Pair with it again, or take what it holds out of \"data\" of the job.")});
    });
    m_line = new HolderLine(device.name, m_sets, m_reads, std::move(connector), deadlines);
    connect(m_line, &HolderLine::opened, this, &HolderLink::takeSets);
    connect(m_line, &HolderLine::lost, this, &HolderLink::lose);
    connect(m_line, &HolderLine::changed, this, [this] { m_isOver = true; });
    m_line->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_line, &QObject::deleteLater);
    m_thread.setObjectName(QStringLiteral("holder"));
    m_thread.start();
}

HolderLink::~HolderLink() {
    if (m_address)
        m_agent.stopHolder(m_device.id);
    m_thread.quit();
    m_thread.wait();
}

bool HolderLink::isKnown() const {
    return std::ranges::all_of(m_sets, [](const HeldSet &set) { return set.known.has_value(); });
}

void HolderLink::open(const HolderOrder &order) {
    postTo(m_line, [line = m_line, order] { line->setOrder(order); });
    if (isKnown()) {
        m_isOpened = true;
        QMetaObject::invokeMethod(this, &HolderLink::opened, Qt::QueuedConnection);
    }
    start();
}

ReadyData HolderLink::data() const {
    ReadyData ready;
    for (const HeldSet &set : m_sets)
        ready[set.place] = {set.known->input, heldDataset(*set.known, set.place, m_reads, set.gone)};
    return ready;
}

void HolderLink::start() {
    if (m_isOver)
        return;
    m_agent.startHolder(m_device.id, m_deadlines.start, this, [this](const Result<WorkerAddress> &address) {
        if (m_isOver)
            return;
        if (!address)
            return lose(address.error());
        m_address = *address;
        dial();
    });
}

void HolderLink::dial() {
    m_wasThere = false;
    postTo(m_line, [line = m_line, address = *m_address] { line->connectTo(address); });
}

void HolderLink::takeSets(const std::vector<HeldSet> &sets) {
    m_pause = m_deadlines.firstPause;
    m_wasThere = true;
    m_sets = sets;
    if (!std::exchange(m_isOpened, true))
        Q_EMIT opened();
}

void HolderLink::lose(const Error &error) {
    if (m_isOver)
        return;
    if (!m_isOpened)
        return giveUp(error);
    m_reads->away(holderAway(m_device.name, m_sets, error.toSentence()));
    // A network that was gone for a moment: the process is where it was, with its data at hand.
    if (m_address && m_wasThere)
        return dial();
    m_address.reset();
    tryLater();
}

void HolderLink::tryLater() {
    m_retry.start(m_pause);
    m_pause = std::min(2 * m_pause, m_deadlines.longestPause);
}

void HolderLink::giveUp(const Error &error) {
    if (std::exchange(m_isOver, true))
        return;
    m_retry.stop();
    const Error told = cannotBeUsed(m_device, m_sets, error);
    m_reads->final(told);
    postTo(m_line, [line = m_line, told] { line->drop(told); });
    if (!m_isOpened)
        Q_EMIT failed(told);
}

}  // namespace hearth
