// What the page for a phone shows, in the language of the window.
#pragma once

#include <QByteArray>
#include <QJsonObject>

namespace hearth {

class HomeSource;
class RunModel;

/// All of it as texts, but for the part that is done, the silence and the points of the curve: the page only puts them
/// in their places. `silence` is since the last event, in seconds; 0 is told where none has to come. The same figures,
/// devices and sentences as on Train. GUI thread.
QJsonObject phoneState(const HomeSource &home, const RunModel &run, bool isRecording, qint64 silence);

/// The page itself, with what it says when it hears nothing.
QByteArray phonePage();

}  // namespace hearth
