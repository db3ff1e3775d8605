#include "core/wire/log.h"

namespace hearth {
Q_LOGGING_CATEGORY(wireLog, "hearth.wire", QtInfoMsg)
}
