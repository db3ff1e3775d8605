#include "core/plan/edit/locks.h"

#include <algorithm>

#include "core/plan/words.h"

namespace hearth {
namespace {

std::vector<int> devicesOf(const StagePlacement &stage) {
    std::vector<int> devices;
    for (const MemberShare &member : stage.group)
        devices.push_back(member.device);
    std::sort(devices.begin(), devices.end());
    return devices;
}

tl::unexpected<Error> locked(const Sentence &what, const Sentence &cause) {
    return fail(QStringLiteral("edit.locked"), what, cause, sentence("Unlock it first."));
}

}  // namespace

LockCheck::LockCheck(const CostModel &model, const Placement &placement, const PlanLocks &locks)
    : m_problem(model.problem()),
      m_any(!locks.isEmpty()),
      m_microBatch(locks.microBatch ? placement.microBatch : 0),
      m_devices(model.problem().devices.size()) {
    for (const StagePlacement &stage : placement.stages) {
        if (stage.firstLayer > 0 && locks.borders.contains(stage.firstLayer))
            m_borders.push_back(stage.firstLayer);
        if (locks.stages.contains(stage.firstLayer))
            m_stages.push_back({stage.firstLayer, stage.lastLayer, devicesOf(stage)});
        for (const MemberShare &member : stage.group) {
            Seat &seat = m_devices[static_cast<std::size_t>(member.device)];
            seat.samples = member.samples;
            seat.firstLayer = stage.firstLayer;
            seat.lastLayer = stage.lastLayer;
        }
    }
    for (const QString &device : locks.devices) {
        if (const int index = model.indexOf(device); index >= 0)
            m_devices[static_cast<std::size_t>(index)].locked = true;
    }
    for (const QString &device : locks.shares) {
        if (const int index = model.indexOf(device); index >= 0) {
            Seat &seat = m_devices[static_cast<std::size_t>(index)];
            seat.shareLocked = seat.samples > 0;
        }
    }
}

Sentence LockCheck::layerName(int layer) const {
    return layerText(m_problem, layer);
}

Result<void> LockCheck::checkPlaces(const Placement &placement) const {
    if (!m_any)
        return {};
    if (m_microBatch > 0 && placement.microBatch != m_microBatch)
        return locked(sentence("The micro-batch of %1 {1|sample|samples} is locked.").arg(m_microBatch),
                      sentence("It would have %1.").arg(placement.microBatch));
    const auto &stages = placement.stages;
    const auto beginningAt = [&stages](int layer) {
        return std::find_if(stages.begin(), stages.end(),
                            [layer](const StagePlacement &stage) { return stage.firstLayer == layer; });
    };
    for (const int border : m_borders) {
        if (beginningAt(border) == stages.end())
            return locked(sentence("The border before %1 is locked.").arg(layerName(border)),
                          sentence("No stage would begin there."));
    }
    for (const LockedStage &own : m_stages) {
        const auto found = beginningAt(own.firstLayer);
        const Sentence what =
            sentence("The stage of %1 to %2 is locked.").arg(layerName(own.firstLayer), layerName(own.lastLayer - 1));
        if (found == stages.end() || found->lastLayer != own.lastLayer)
            return locked(what, sentence("Its layers would change."));
        if (devicesOf(*found) != own.devices)
            return locked(what, sentence("Its devices would change."));
    }
    std::vector<char> working(m_devices.size(), 0);
    for (const StagePlacement &stage : stages) {
        for (const MemberShare &member : stage.group) {
            working[static_cast<std::size_t>(member.device)] = 1;
            const Seat &seat = m_devices[static_cast<std::size_t>(member.device)];
            if (!seat.locked)
                continue;
            if (seat.firstLayer < 0)
                return locked(sentence("%1 is locked where it is.").arg(id(member.device)),
                              sentence("It rests, and would get to work."));
            if (std::max(seat.firstLayer, stage.firstLayer) >= std::min(seat.lastLayer, stage.lastLayer))
                return locked(sentence("%1 is locked where it is.").arg(id(member.device)),
                              sentence("It would change to another stage."));
        }
    }
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        const Seat &seat = m_devices[i];
        if (working[i] || seat.firstLayer < 0)
            continue;
        if (seat.shareLocked)
            return locked(sentence("The share of %1 is locked.").arg(id(static_cast<int>(i))),
                          sentence("It would be sent to rest."));
        if (seat.locked)
            return locked(sentence("%1 is locked where it is.").arg(id(static_cast<int>(i))),
                          sentence("It would be sent to rest."));
    }
    return {};
}

Result<void> LockCheck::check(const Placement &placement) const {
    if (auto ok = checkPlaces(placement); !ok || !m_any)
        return ok;
    std::vector<int> samples(m_devices.size(), 0);
    for (const StagePlacement &stage : placement.stages) {
        for (const MemberShare &member : stage.group)
            samples[static_cast<std::size_t>(member.device)] = member.samples;
    }
    for (std::size_t i = 0; i < m_devices.size(); ++i) {
        const Seat &seat = m_devices[i];
        if (seat.shareLocked && samples[i] != seat.samples)
            return locked(
                sentence("The share of %1 is locked.").arg(id(static_cast<int>(i))),
                sentence("It has %1 {1|sample|samples} and would have %2.").arg(seat.samples).arg(samples[i]));
    }
    return {};
}

}  // namespace hearth
