#include "core/plan/gradient_codec.h"

#include "core/base/block_codecs.h"
#include "core/base/json_reader.h"

namespace hearth {

QStringList GradientCodec::names() {
    return {QString::fromLatin1(noCodec().name), QString::fromLatin1(bfp8Codec.name)};
}

const Codec *GradientCodec::fromName(const QString &name) {
    return names().contains(name) ? codecByName(name) : nullptr;
}

const Codec &GradientCodec::read(JsonReader &reader) {
    const Codec *codec = fromName(reader.choice("gradient_codec", names(), names().front()));
    return codec ? *codec : noCodec();
}

}  // namespace hearth
