#include "core/run/residual_watch.h"

#include <QFile>
#include <cmath>

#include "core/profile/profile_store.h"

namespace hearth {

void ResidualWatch::take(const event::Round &round, const CapacityDrift &drift) {
    m_unwatched += round.roundS;
    if (m_unwatched < lookSeconds)
        return;
    m_unwatched = 0;
    for (auto device = round.devices.keyBegin(); device != round.devices.keyEnd(); ++device) {
        if (m_strayed.contains(*device) || !m_residuals[*device].add(std::log(drift.newest(*device))))
            continue;
        m_strayed << *device;
        const ProfileStore store(m_profiles);
        for (const StoredProfile &stored : store.profiles()) {
            const ModelProfile &own = stored.profile;
            if (own.device == *device && own.times.isPredicted())
                QFile::remove(store.pathOf(
                    {own.device, own.modelSha256, own.library, own.computeDevice, own.precision, own.threads}));
        }
    }
}

}  // namespace hearth
