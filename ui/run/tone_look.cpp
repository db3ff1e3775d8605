#include "ui/run/tone_look.h"

namespace hearth {

ThemeColour toneColour(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return &Theme::good;
        case Tone::Slow:
            return &Theme::slow;
        case Tone::Bad:
            return &Theme::bad;
        case Tone::Plain:
            break;
    }
    return &Theme::secondary;
}

QString toneIcon(Tone tone) {
    switch (tone) {
        case Tone::Good:
            return QStringLiteral("ready");
        case Tone::Slow:
            return QStringLiteral("warning");
        case Tone::Bad:
            return QStringLiteral("error");
        case Tone::Plain:
            break;
    }
    return QStringLiteral("info");
}

}  // namespace hearth
