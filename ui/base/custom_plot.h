// QCustomPlot's header uses Qt's keyword macros, which Hearth turns off everywhere else. Include this instead of
// <qcustomplot.h>, and only in .cpp files: it is large.
#pragma once

#include <QtGlobal>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
