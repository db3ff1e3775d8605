// Where adapters go when nobody says where.
#pragma once

#include "core/model/adapters.h"

namespace hearth {

/// Of the patterns that an empty `targets` stands for, those that a linear op of the network fits; none: it has no op
/// of a usual name, and withAdapters() wants targets. Any thread.
QStringList usualTargets(const Model &model, AdapterSpec::Kind kind);

}  // namespace hearth
