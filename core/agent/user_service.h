// The agent as a service of the user, where systemd has one.
#pragma once

#include <QObject>
#include <QString>
#include <functional>

#include "core/base/error.h"

namespace hearth {

/// Starts hearth-agent.service of the user's systemd where it is enabled and serves this state folder: a second agent
/// beside it would keep it from its folder until systemd gives up. Answers false where there is no such service. Any
/// thread with an event loop; not answered once `context` is gone. Error "agent.service-failed".
void startUserService(const QString &stateDir, QObject *context, std::function<void(Result<bool>)> answer);

}  // namespace hearth
