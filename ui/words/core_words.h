// Texts that core and its peers tell in English, in the language of the window.
#pragma once

#include <QString>
#include <span>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// Sentences are recognised by their words, "%1", "%2", … standing for whatever they tell of; those that are not known
/// stay as they are, and so does everything in an English window. GUI thread.
QString coreText(const QString &english);
/// The same for what happened, why and what to do.
Error coreText(const Error &error);

/// What is recognised, of all subjects; the keys of the translations in the context "CoreWords".
std::vector<const char *> coreSentences();
/// By subject, each in a file of its own (core_words_run.cpp, …).
std::span<const char *const> runSentences();
std::span<const char *const> homeSentences();
std::span<const char *const> installSentences();

}  // namespace hearth
