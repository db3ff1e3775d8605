#pragma once

#include <QLoggingCategory>

namespace hearth {
Q_DECLARE_LOGGING_CATEGORY(wireLog)
}
