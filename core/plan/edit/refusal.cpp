#include "core/plan/edit/refusal.h"

#include "core/plan/words.h"

namespace hearth {
namespace {

/// In the order of the reasons.
constexpr RefusalWords words[] = {
    {"", "", "", ""},
    {"edit.no-layers", QT_TRANSLATE_NOOP("EditRefusal", "Stage %1 would have no layers."),
     QT_TRANSLATE_NOOP("EditRefusal", "It begins at %2."),
     QT_TRANSLATE_NOOP("EditRefusal", "Merge it with stage %3 to give all of them away.")},
    {"edit.no-layers", QT_TRANSLATE_NOOP("EditRefusal", "Stage %1 would have no layers."),
     QT_TRANSLATE_NOOP("EditRefusal", "It ends with %2."),
     QT_TRANSLATE_NOOP("EditRefusal", "Merge it with stage %3 to give all of them away.")},
    {"edit.no-layers", QT_TRANSLATE_NOOP("EditRefusal", "Stage %1 would have no layers."),
     QT_TRANSLATE_NOOP("EditRefusal", "Its neighbors hold %2 layers in all and need one each."),
     QT_TRANSLATE_NOOP("EditRefusal", "Choose another place.")},
    {"edit.stage", QT_TRANSLATE_NOOP("EditRefusal", "There is no place %1 for a stage."),
     QT_TRANSLATE_NOOP("EditRefusal", "The plan has %2 stages."),
     QT_TRANSLATE_NOOP("EditRefusal", "Choose a place between two of them, or at an end.")},
    {"edit.no-devices", QT_TRANSLATE_NOOP("EditRefusal", "Stage %1 would have no devices."),
     QT_TRANSLATE_NOOP("EditRefusal", "%2 is the only one there."),
     QT_TRANSLATE_NOOP("EditRefusal", "Give it another device first, or merge it with its neighbor.")},
    {"edit.locked",
     QT_TRANSLATE_NOOP("EditRefusal", "The locked shares of stage %1 leave too few or too many samples."),
     QT_TRANSLATE_NOOP("EditRefusal", "All shares must sum to the %2 samples of a micro-batch."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock a share first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The locked share of %1 is too small."),
     QT_TRANSLATE_NOOP("EditRefusal", "%2 needs at least %3 samples per device."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.minimum-samples", QT_TRANSLATE_NOOP("EditRefusal", "%1 needs at least %2 samples per device."),
     QT_TRANSLATE_NOOP("EditRefusal", "A micro-batch of %3 samples is too small for the %4 devices of stage %5."),
     QT_TRANSLATE_NOOP("EditRefusal", "Send a device to another stage or to rest, or make the micro-batch larger.")},
    {"edit.minimum-samples", QT_TRANSLATE_NOOP("EditRefusal", "Stage %1 has more devices than samples."),
     QT_TRANSLATE_NOOP("EditRefusal", "A micro-batch of %2 samples is too small for the %3 devices of stage %1."),
     QT_TRANSLATE_NOOP("EditRefusal", "Send a device to another stage or to rest, or make the micro-batch larger.")},
    {"edit.memory", QT_TRANSLATE_NOOP("EditRefusal", "%1 would need %2 and has %3."),
     QT_TRANSLATE_NOOP("EditRefusal", "For its part of %4 to %5 (stage %6) it needs %7 bytes; it may use %8 bytes."),
     QT_TRANSLATE_NOOP("EditRefusal",
                       "Give it fewer layers or samples, add a device to its stage, or turn recompute on.")},
    {"edit.shares", QT_TRANSLATE_NOOP("EditRefusal", "%1 would have no samples."),
     QT_TRANSLATE_NOOP("EditRefusal", "Every device of a stage takes part in each micro-batch."),
     QT_TRANSLATE_NOOP("EditRefusal", "Send it to rest, or give fewer samples.")},
    {"edit.minimum-samples", QT_TRANSLATE_NOOP("EditRefusal", "%1 needs at least %2 samples per device."),
     QT_TRANSLATE_NOOP("EditRefusal", "%3 would have %4."),
     QT_TRANSLATE_NOOP("EditRefusal", "Send it to rest, or give fewer samples.")},
    {"edit.shares", QT_TRANSLATE_NOOP("EditRefusal", "The shares sum to %1 samples."),
     QT_TRANSLATE_NOOP("EditRefusal", "A micro-batch has %2."),
     QT_TRANSLATE_NOOP("EditRefusal", "Give the difference to one of the devices.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The micro-batch of %1 samples is locked."),
     QT_TRANSLATE_NOOP("EditRefusal", "It would have %2."), QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The border before %1 is locked."),
     QT_TRANSLATE_NOOP("EditRefusal", "No stage would begin there."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The stage of %1 to %2 is locked."),
     QT_TRANSLATE_NOOP("EditRefusal", "Its layers would change."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The stage of %1 to %2 is locked."),
     QT_TRANSLATE_NOOP("EditRefusal", "Its devices would change."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "%1 is locked where it is."),
     QT_TRANSLATE_NOOP("EditRefusal", "It rests, and would get to work."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "%1 is locked where it is."),
     QT_TRANSLATE_NOOP("EditRefusal", "It would change to another stage."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "%1 is locked where it is."),
     QT_TRANSLATE_NOOP("EditRefusal", "It would be sent to rest."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The share of %1 is locked."),
     QT_TRANSLATE_NOOP("EditRefusal", "It would be sent to rest."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.locked", QT_TRANSLATE_NOOP("EditRefusal", "The share of %1 is locked."),
     QT_TRANSLATE_NOOP("EditRefusal", "It has %2 samples and would have %3."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock it first.")},
    {"edit.pipelines",
     QT_TRANSLATE_NOOP("EditRefusal", "A plan of several pipelines side by side cannot be changed by hand."), "",
     QT_TRANSLATE_NOOP("EditRefusal", "Load a plan of stages.")},
    {"finish.no-plan",
     QT_TRANSLATE_NOOP("EditRefusal", "No plan that keeps what is locked fits these devices and links."),
     QT_TRANSLATE_NOOP("EditRefusal", "The plan as it is does not fit either."),
     QT_TRANSLATE_NOOP("EditRefusal", "Unlock something, or send less to the device that is too small.")},
};
static_assert(std::size(words) == static_cast<std::size_t>(RefusalReason::NoPlanFits) + 1);

QString inEnglish(const QVariant &part) {
    return part.typeId() == QMetaType::Double ? bytesText(part.toDouble()) : part.toString();
}

}  // namespace

const RefusalWords &wordsOf(RefusalReason reason) {
    return words[static_cast<std::size_t>(reason)];
}

QString filledWith(const QString &text, const QStringList &arguments) {
    QString filled;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const int number = text[i] == QLatin1Char('%') && i + 1 < text.size() ? text[i + 1].digitValue() : -1;
        if (number < 1 || number > arguments.size()) {
            filled += text[i];
        } else {
            filled += arguments[number - 1];
            ++i;
        }
    }
    return filled;
}

EditRefusal::EditRefusal(RefusalReason why, QVariantList parts) : reason(why), arguments(std::move(parts)) {
    const RefusalWords &said = wordsOf(why);
    QStringList english;
    for (const QVariant &part : std::as_const(arguments))
        english << inEnglish(part);
    code = QLatin1String(said.code);
    what = filledWith(QLatin1String(said.what), english);
    cause = filledWith(QLatin1String(said.cause), english);
    advice = filledWith(QLatin1String(said.advice), english);
}

}  // namespace hearth
