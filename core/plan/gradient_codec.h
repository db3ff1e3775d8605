// How the members of a group write their gradients for each other.
#pragma once

#include <QStringList>
#include <cstddef>

#include "core/base/codec.h"

namespace hearth {

class JsonReader;

/// Rounded gradients: every member sends its own to every other one, once, and what rounding took from them is added to
/// its next ones (error feedback; Seide et al. 2014, Karimireddy et al. 2019). Any thread.
struct GradientCodec {
    /// In larger groups so many copies would cross more bytes than an exact sum does: those stay exact.
    static constexpr std::size_t mostMembers = 4;
    /// Every so many-th round is exact, and what is owed by then goes along: after it all members of a group hold the
    /// same, and nothing but what is kept of a state. A function of the round alone, as replay needs it.
    static constexpr int exactEvery = 16;

    /// "none" and "bfp8".
    static QStringList names();
    /// Null: unknown here.
    static const Codec *fromName(const QString &name);
    /// "gradient_codec"; absent: none.
    static const Codec &read(JsonReader &reader);

    static bool isUsed(const Codec &codec, std::size_t members) {
        return &codec != &noCodec() && members > 1 && members <= mostMembers;
    }
};

}  // namespace hearth
