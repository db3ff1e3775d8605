#include "core/run/link_losses.h"

#include <QTimer>

namespace hearth {

LinkLosses::LinkLosses(const RunContext &run, const PlanInForce &current, QObject *parent)
    : QObject(parent), m_run(run), m_current(current) {}

void LinkLosses::watch(WorkerSession &session) {
    connect(&session, &WorkerSession::fabricFailed, this,
            [this, &session](const Error &error) { loseFabric(session, error); });
    connect(&session, &WorkerSession::peerLost, this,
            [this, id = session.id()](const QString &fingerprint, const Error &error, qint64 term) {
                // A worker that ended takes its connections along, and whoever saw it end says more about it.
                QTimer::singleShot(m_run.deadlines.exitReason, this,
                                   [this, id, fingerprint, error, term, heard = m_current.term()] {
                                       judge(id, fingerprint, error, term, heard);
                                   });
            });
}

/// `heard`: the term at which that was told. Links that the plan in force does not need are of no interest.
void LinkLosses::judge(const QString &device, const QString &peer, const Error &error, qint64 term, quint32 heard) {
    qCDebug(memberLog).noquote() << device << "lost its connection to worker" << peer << "under term" << heard << "of"
                                 << m_current.term() << error.toString();
    if ((term == -1 ? qint64{heard} : term) != m_current.term() || !m_run.log.isOpen())
        return;
    const WorkerSession *from = nullptr, *to = nullptr;
    for (WorkerSession *session : m_run.membership.workers()) {
        if (session->id() == device)
            from = session;
        if (session->address().fingerprint.toHex() == peer)
            to = session;
    }
    if (!from || !to || from->isClosing() || to->isClosing())
        return;
    const bool isSilent = error.code == QLatin1String("worker.link-silent");
    Q_EMIT lost(from->id(), to->id(),
                {isSilent ? QStringLiteral("run.link-silent") : QStringLiteral("run.link-lost"),
                 sentence("The connection between %1 and %2 broke.").arg(from->device().name, to->device().name),
                 error.toSentence(), sentence("Check the network between the two.")},
                term);
}

void LinkLosses::loseFabric(const WorkerSession &worker, const Error &error) {
    const std::vector<int> stages = m_current.deployment().stagesOf(worker.address().fingerprint.toHex());
    if (stages.empty() || !m_fabrics.insert({m_current.term(), stages.front()}).second)
        return;
    m_run.log.warn(
        {error.code,
         sentence("Stage %1 sums its gradients over Hearth's own links from now on.").arg(stages.front() + 1),
         Sentence::joined({namedFor(worker.device(), error).what, error.cause}), error.advice});
}

}  // namespace hearth
