// An installation by SSH in the words of the window.
#pragma once

#include <QString>

#include "core/install/install_dialogue.h"

namespace hearth {

QString stepText(InstallStep step);
/// What a check looks at; what it found and what is wrong are core's words (see coreText).
QString checkTitle(const InstallCheck &check);
QString passwordQuestion(PasswordKind kind, const QString &prompt, int attempt);

}  // namespace hearth
