// Ignored devices in a terminal.
#pragma once

#include <QJsonObject>
#include <vector>

#include "core/home/ignore_list.h"

namespace hearth {

void printIgnored(const std::vector<IgnoredDevice> &devices);
QJsonObject ignoredJson(const IgnoredDevice &device);

}  // namespace hearth
