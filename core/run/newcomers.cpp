#include "core/run/newcomers.h"

#include <algorithm>

#include "core/run/joined_device.h"
#include "core/run/plan_run.h"

namespace hearth {

Newcomers::Newcomers(const RunRequest &request, const Dataset &data, Membership &membership, RunLog &log,
                     const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent), m_request(request), m_data(data), m_membership(membership), m_log(log), m_deadlines(deadlines) {}

void Newcomers::taken(const Plan &inForce) {
    m_ids.removeIf([&](const QString &device) { return usesDevice(inForce, device); });
}

bool Newcomers::areIn(const Plan &plan) const {
    return std::ranges::any_of(m_ids, [&](const QString &device) { return usesDevice(plan, device); });
}

void Newcomers::measureNext(const PlanningProblem &known) {
    const auto workers = m_membership.workers();
    const auto next = std::ranges::find_if(workers, [&](const auto *each) {
        const QString &id = each->id();
        return known.indexOf(id) < 0 || std::ranges::any_of(workers, [&](const auto *other) {
                   return known.indexOf(other->id()) >= 0 && !knowsLink(known, id, other->id());
               });
    });
    if (next != workers.end())
        measure((*next)->id(), known);
}

void Newcomers::measure(const QString &device, const PlanningProblem &known) {
    m_measuring.reset(new ProfileWorkers(m_request.job, m_request.model, m_request.profiles, m_deadlines));
    m_measuring->setScope({.layersOf = {},
                           .linksOf = {device},
                           .again = {},
                           .whole = m_request.measureAll,
                           .known = profilesOf(known, m_request.model.sha256())});
    m_measuring->tell(m_log);
    const bool isNew = known.indexOf(device) < 0;
    connect(m_measuring.get(), &ProfileWorkers::failed, this, [this, device, isNew](const Error &error) {
        stop();
        doWithout(device, isNew, error);
    });
    connect(m_measuring.get(), &ProfileWorkers::finished, this, [this, device, isNew] { take(device, isNew); });
    m_measuring->start(m_membership.workers());
}

void Newcomers::take(const QString &device, bool isNew) {
    const auto all = problemOf(m_request, m_data, m_membership.workers(), *m_measuring);
    stop();
    if (all)
        Q_EMIT measured(device, *all);
    else
        doWithout(device, isNew, all.error());
}

/// A device that trains stays: only its links were to be measured.
void Newcomers::doWithout(const QString &device, bool isNew, const Error &error) {
    if (!isNew)
        m_log.warn(error);
    else if (m_log.warn(error, sentence("The run goes on without this device.")))
        m_membership.remove(device, Departure::Released);
}

}  // namespace hearth
