#include "core/agent/worker_host.h"

#include <utility>

#include "core/agent/programs.h"

namespace hearth {
namespace {

// Plans know within so much what a worker takes.
constexpr double tolerance = 1.15;

Error onProcessorInstead(const QString &device, const Error &reason) {
    return {QStringLiteral("worker.card-failed"),
            sentence("%1 computes on its processor in this run, not on its graphics card.").arg(device),
            Sentence::joined({reason.what, reason.cause}),
            sentence("Check the card's driver there. The next run tries the card again.")};
}

}  // namespace

WorkerHost::WorkerHost(ProcessSettings settings, bool trustsFabric, QObject *parent)
    : ProcessHost(QStringLiteral("worker"), std::move(settings), parent), m_trustsFabric(trustsFabric) {}

WorkerHost::~WorkerHost() = default;

std::vector<qint64> WorkerHost::cardPids() const {
    std::vector<qint64> pids;
    for (const auto &[run, onCard] : m_onCard) {
        if (const ChildProcess *worker = process(run))
            pids.push_back(worker->pid());
    }
    return pids;
}

void WorkerHost::tellCard(const CardLoad &load) {
    for (const auto &[run, onCard] : m_onCard) {
        if (ChildProcess *worker = process(run); worker && worker->isRunning())
            worker->rpc()->notify(QStringLiteral("card"), QCborMap::fromJsonObject(load.toJson()));
    }
}

void WorkerHost::setCardTrouble(const Sentence &trouble) {
    if (trouble == m_cardTrouble)
        return;
    m_cardTrouble = trouble;
    Q_EMIT cardTroubleChanged();
}

std::unique_ptr<ChildProcess> WorkerHost::makeWorker(bool own) const {
    auto worker = std::make_unique<ChildProcess>(sentence("The worker on %1").arg(settings().deviceName));
    if (m_share.enforceMemory) {
        const qint64 memory = own ? m_share.memoryBytes : m_share.memoryForOthers;
        worker->limitMemory(static_cast<qint64>(tolerance * static_cast<double>(memory)));
    }
    // Threads that wait for one another leave the processor to others; the libraries read this before main(). The
    // second is OpenBLAS's own, as a power of two of clock ticks.
    worker->setDefault(QStringLiteral("OMP_WAIT_POLICY"), QStringLiteral("passive"));
    worker->setDefault(QStringLiteral("OPENBLAS_THREAD_TIMEOUT"), QStringLiteral("4"));
    return worker;
}

QStringList WorkerHost::argumentsOf(const QString &run, bool own, bool onCard) const {
    const qint64 memory = onCard ? m_share.cardBytes : own ? m_share.memoryBytes : m_share.memoryForOthers;
    QStringList arguments = argumentsFor(run);
    arguments << QStringLiteral("--threads") << QString::number(m_share.threads) << QStringLiteral("--memory")
              << QString::number(memory);
    if (m_trustsFabric || own)
        arguments << QStringLiteral("--trusted-fabric");
    if (onCard)
        arguments << QStringLiteral("--card") << QString::number(m_share.card->index);
    return arguments;
}

bool WorkerHost::launch(const QString &run, const Start &start, const std::optional<Error> &cardFailed) {
    const bool useCard = m_share.card && !cardFailed;
    const auto program =
        useCard ? Result<QString>(m_share.card->program) : findProgram(QStringLiteral("hearth-worker"));
    if (!program) {
        start.answer(tl::unexpected(program.error()));
        return false;
    }
    const auto onCard = useCard ? std::make_shared<OnCard>(OnCard{start}) : nullptr;
    if (onCard)
        m_onCard[run] = onCard;
    else
        m_onCard.erase(run);
    const bool own = start.owner == localOwner();
    begin(run, start, makeWorker(own), *program, argumentsOf(run, own, useCard),
          [this, answer = start.answer, onCard, cardFailed](Result<QCborMap> result) {
              if (onCard && std::exchange(onCard->over, true))
                  return;
              if (result && onCard)
                  setCardTrouble({});
              if (result && cardFailed)
                  (*result)[QStringLiteral("warning")] = cardFailed->toCbor();
              answer(result);
          });
    return true;
}

void WorkerHost::tellExit(const QString &run, const QString &owner, const Error &reason, bool requested) {
    const auto at = m_onCard.find(run);
    const auto onCard = at != m_onCard.end() ? at->second : nullptr;
    m_onCard.erase(run);
    if (onCard && !onCard->over && !requested && onCard->start.context) {
        onCard->over = true;
        const Error failed = onProcessorInstead(settings().deviceName, reason);
        setCardTrouble(failed.cause);
        if (launch(run, onCard->start, failed))
            return;
    }
    ProcessHost::tellExit(run, owner, reason, requested);
}

}  // namespace hearth
