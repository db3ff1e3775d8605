// agent.log in the state folder: what an agent says that no service keeps a journal for.
#pragma once

#include <QString>

namespace hearth {

QString agentLogPath(const QString &stateDir);

/// Cuts off the beginning of a log that has become long, and returns its size; whoever writes to it appends (O_APPEND).
/// A log that cannot be read costs nothing but itself. Blocks while it reads and writes up to a megabyte.
qint64 keepLogEnd(const QString &path);

}  // namespace hearth
