// Events of a run as sentences for a person.
#pragma once

#include <QString>
#include <optional>

#include "ui/run/run_model.h"

namespace hearth {

/// Nothing for events that only feed plots (rounds, profile progress). `run` knows the names of devices.
std::optional<EventSentence> sentenceOf(const RunEvent &event, const RunModel &run);

/// Stands for `count` sentences that a list does not hold any more, the last of them `newest`.
EventSentence earlierSentence(const EventSentence &newest, int count);

/// Why there is a new plan, as the end of a sentence: "because a device was lost"; empty for the first, and for reasons
/// of a later version.
QString planReasonText(const QString &reason);

/// "Training", "Paused", …; the word itself where it is of a later version.
QString stateText(const QString &state);

/// What those that compute answers do meanwhile (AnswerSource::prepares).
QString preparingText(const QString &state);

}  // namespace hearth
