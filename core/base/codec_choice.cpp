#include "core/base/codec_choice.h"

namespace hearth {

QStringList codecChoiceNames() {
    return {QStringLiteral("none"), QStringLiteral("auto"), QStringLiteral("strong")};
}

QString codecChoiceName(CodecChoice choice) {
    return codecChoiceNames()[static_cast<qsizetype>(choice)];
}

std::optional<CodecChoice> codecChoiceFromName(const QString &name) {
    const qsizetype index = codecChoiceNames().indexOf(name);
    return index < 0 ? std::nullopt : std::optional(static_cast<CodecChoice>(index));
}

std::vector<const Codec *> levelsOf(CodecChoice choice) {
    QStringList names;
    if (choice != CodecChoice::None)
        names << QStringLiteral("bf16") << QStringLiteral("bfp8");
    if (choice == CodecChoice::Strong)
        names << QStringLiteral("bfp4");
    std::vector<const Codec *> levels;
    for (const QString &name : names) {
        if (const Codec *codec = codecByName(name))
            levels.push_back(codec);
    }
    return levels;
}

}  // namespace hearth
