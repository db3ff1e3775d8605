// What a run reached, for people who were not there. Of files and folders the last part of their path alone is told.
#pragma once

#include <QByteArray>

#include "core/history/run_results.h"
#include "core/history/run_summary.h"

namespace hearth {

/// A page in English of one file, with plots and what it gets wrong, where that is known, and with nothing that it
/// would run or fetch. Light or dark as its reader likes it. Names are escaped. UTF-8; any thread.
QByteArray runReport(const RunDetails &run, const std::optional<RunResults> &results);

/// A model card in English: Markdown, with how to use the network (usageSection()) and the places that only a person
/// can fill in. Names are escaped. UTF-8; any thread; blocks.
QByteArray modelCard(const RunDetails &run, const std::optional<RunResults> &results);

}  // namespace hearth
