// How to use what was taken along, for people.
#pragma once

#include <QString>

namespace hearth {

/// The section of a model card, in Markdown and English: what becomes of samples and what answers mean, with values
/// and a program in Python. Names are escaped. Of a run that does not say it (NetworkUse), a sentence that tells so.
/// Any thread; blocks.
QString usageSection(const QString &runFolder);

}  // namespace hearth
