#include "core/run/files/state_words.h"

namespace hearth {

bool isFinalState(const QString &state) {
    return state == QLatin1String("finished") || state == QLatin1String("stopped") || state == QLatin1String("failed");
}

bool isUnderWay(const QString &state) {
    return !isFinalState(state) && state != QLatin1String("interrupted");
}

}  // namespace hearth
