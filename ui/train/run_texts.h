// What Train says of a run in words, for whoever else shows it.
#pragma once

#include <QString>

namespace hearth {

class RunModel;

/// What a run trains: "fashion-cnn on fashion-mnist"; its id where that is not known.
QString runText(const RunModel &run);
/// What a live run does before its first round.
QString beginningText(const RunModel &run);

}  // namespace hearth
