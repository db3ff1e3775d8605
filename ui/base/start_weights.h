// The saved weights of a run, as another run may begin with them.
#pragma once

#include <QString>

#include "core/run/files/run_folder.h"

namespace hearth {

/// Plain value.
struct StartWeights {
    QString id;      // of the run; a demo's run lies elsewhere once the demo has ended
    QString run;     // what a person knows it by
    QString folder;  // of that run; absolute
    RunWeights which = RunWeights::Last;
    bool partial = false;  // they need not be all of the network's: the rest begins by the seed

    QString path() const { return weightsPath(folder, which); }
    bool operator==(const StartWeights &) const = default;
};

}  // namespace hearth
