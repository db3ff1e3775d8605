#include "core/base/version.h"

#include <QCoreApplication>

namespace hearth {

void setProgramVersion() {
    QCoreApplication::setApplicationVersion(QStringLiteral(HEARTH_VERSION));
}

}  // namespace hearth
