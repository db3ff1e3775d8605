// Internal to core/data: what is left out or doubtful, in a "hearth-data/1" file.
#pragma once

#include <QJsonArray>
#include <vector>

#include "core/data/dataset.h"

namespace hearth {

class JsonReader;

/// [{"file":"cat/7.jpg","cause":"…"},{"file":"price","cause":"…","doubtful":true}]; "cause" is in English, its parts
/// beside it (insertSentence()).
QJsonArray brokenToJson(const std::vector<BrokenFile> &broken);
/// The reverse, at "broken", which may be absent.
std::vector<BrokenFile> readBroken(JsonReader &reader);

}  // namespace hearth
