// How a Python program asks a network that was taken along.
#pragma once

#include <QStringList>

#include "core/history/network_use.h"

namespace hearth {

/// One after the other, a program: it asks "network.onnx" about "picture.jpg", each row of "rows.csv", a text or a
/// prompt, by what NetworkUse::metadata() wrote into the file. Nothing of the run stands in it. Any thread.
QStringList usagePython(const NetworkUse &use);
/// The same of weights: what takes the place of its first part.
QString usagePyTorch();
/// The parts of all such programs; the manual has each once.
QStringList allUsagePython();

}  // namespace hearth
