// What the devices of this home are called here.
#include "core/agent/agent.h"
#include "core/agent/agent_nearby.h"
#include "core/home/device_choice.h"
#include "core/home/device_name.h"

namespace hearth {

Result<void> Agent::rename(const QString &device, const QString &wanted) {
    const auto name = givenDeviceName(wanted);
    if (!name)
        return tl::unexpected(name.error());
    const auto known = deviceNamed(devices(), device);
    if (!known)
        return tl::unexpected(known.error());
    for (const DeviceInfo &other : devices()) {
        if (other.id != known->id && QString::compare(other.name, *name, Qt::CaseInsensitive) == 0) {
            return fail(QStringLiteral("device.name-taken"),
                        QStringLiteral("Another device is called \"%1\" already.").arg(*name),
                        QStringLiteral("Devices are chosen by their names."), QStringLiteral("Take another name."));
        }
    }
    if (*name == known->name)
        return {};
    if (known->self)
        return renameSelf(*name);
    const auto key = Fingerprint::fromHex(known->id);
    if (auto renamed = key ? m_trust.rename(*key, *name) : Result<void>(); !renamed)
        return renamed;
    DeviceInfo info = *known;
    info.name = *name;
    update(info);
    return {};
}

Result<void> Agent::renameSelf(const QString &name) {
    if (const auto kept = deviceName(m_options.stateDir, name); !kept)
        return tl::unexpected(kept.error());
    m_options.name = name;
    m_workers->setDeviceName(name);
    if (m_nearby)
        m_nearby->announceAs(name);
    tellOfSelf();
    return {};
}

}  // namespace hearth
