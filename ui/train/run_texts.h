// What Train says of a run in words, for whoever else shows it.
#pragma once

#include <QString>

namespace hearth {

class HomeSource;
class RunModel;

/// What a run trains: "fashion-cnn on fashion-mnist"; its id where that is not known.
QString runText(const RunModel &run);
/// The same as a title; of a recording it says that it is one.
QString titleText(const RunModel &run, bool isRecording);
/// What a live run does before its first round, or rests or waits for; empty where it trains, and once it is over.
QString doingText(const HomeSource &home, const RunModel &run);
/// Whether nothing has to come of it, maybe for hours: it waits for devices that rest, is paused, or over.
bool isSilenceExpected(const RunModel &run);

}  // namespace hearth
