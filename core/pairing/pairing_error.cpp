#include "core/pairing/pairing_error.h"

#include "core/base/sentence.h"

namespace hearth {
namespace {

Sentence nothingTrusted() {
    return sentence("Neither device trusts the other. Start again when you like.");
}

}  // namespace

Error ownEnd(PairingEnd end) {
    switch (end) {
        case PairingEnd::Cancelled:
            return {QStringLiteral("pairing.cancelled"), sentence("The pairing was cancelled."), {}, nothingTrusted()};
        case PairingEnd::Mismatch:
            return {QStringLiteral("pairing.mismatch"), sentence("The digits did not match."),
                    sentence("Somebody between the two devices may have answered in place of the other one."),
                    sentence("Nothing was trusted. Try again; if it happens again, use another network.")};
        case PairingEnd::Late:
            return {QStringLiteral("pairing.late"),
                    sentence("The pairing was not completed in 60 seconds."),
                    {},
                    sentence("Start again, with both devices at hand.")};
        case PairingEnd::Busy:
            return {QStringLiteral("pairing.active"),
                    sentence("Another pairing is under way here."),
                    {},
                    sentence("Finish or cancel it first.")};
        case PairingEnd::NotStored:
            return {QStringLiteral("pairing.not-stored"),
                    sentence("The list of trusted devices could not be saved."),
                    {},
                    nothingTrusted()};
        case PairingEnd::Broken:
        case PairingEnd::Later:
        case PairingEnd::Refused:
        case PairingEnd::Crossed:
            break;
    }
    return {QStringLiteral("pairing.broken"),
            sentence("The other device does not keep to the rules of pairing."),
            {},
            sentence("Install the same version of Hearth on every device.")};
}

Error theirEnd(PairingEnd end) {
    switch (end) {
        case PairingEnd::Cancelled:
            return {QStringLiteral("pairing.cancelled-there"),
                    sentence("The pairing was cancelled on the other device."),
                    {},
                    nothingTrusted()};
        case PairingEnd::Mismatch:
            return {QStringLiteral("pairing.mismatch"),
                    sentence("On the other device somebody said that the digits do not match."),
                    sentence("Somebody between the two devices may have answered in place of the other one."),
                    sentence("Nothing was trusted. Try again; if it happens again, use another network.")};
        case PairingEnd::Busy:
            return {QStringLiteral("pairing.busy"),
                    sentence("The other device is busy with another pairing."),
                    {},
                    sentence("Finish or cancel it there, or try again in a minute.")};
        case PairingEnd::Later:
            return {QStringLiteral("pairing.later"), sentence("The other device takes no pairing now."),
                    sentence("Attempts have failed there, and it pauses after each."),
                    sentence("Try again in a few minutes.")};
        case PairingEnd::Late:
            return {QStringLiteral("pairing.late"),
                    sentence("The pairing was not completed in 60 seconds."),
                    {},
                    sentence("Start again, with both devices at hand.")};
        case PairingEnd::NotStored:
            return {QStringLiteral("pairing.not-stored-there"),
                    sentence("The other device could not save its list of trusted devices."),
                    {},
                    sentence("Free some space there and try again; nothing was trusted.")};
        case PairingEnd::Refused:
            return {QStringLiteral("pairing.refused"), sentence("The other device does not take this pairing."),
                    sentence("It has a paired device of this name with another key."),
                    sentence("Forget the former device there (without a window by \"hearth-agent distrust NAME\"), "
                             "or give this one another name.")};
        case PairingEnd::Broken:
        case PairingEnd::Crossed:
            break;
    }
    return {QStringLiteral("pairing.broken-here"), sentence("The other device could not follow the pairing."),
            sentence("It runs another version, or somebody interferes."),
            sentence("Install the same version of Hearth on every device.")};
}

Error pairingUnsure() {
    return {QStringLiteral("pairing.unsure"),
            sentence("It is not certain that the other device has stored the pairing."),
            sentence("The connection broke at the last moment."),
            sentence("Hearth finds out as soon as the two reach each other: then both are paired, or neither.")};
}

Error pairingLost() {
    return {QStringLiteral("pairing.lost"),
            sentence("The connection broke before the pairing was complete."),
            {},
            sentence("Neither device trusts the other. Start again when you like.")};
}

Error pairingSilent(std::chrono::milliseconds waited) {
    return {QStringLiteral("pairing.silent"), sentence("The other device stopped answering."),
            sentence("Nothing came from it for %1 s.")
                .arg(Sentence::quantity(QString::number(std::chrono::duration<double>(waited).count(), 'g', 2))),
            sentence("Look whether a firewall is between the two, and begin from the other device.")};
}

Error nameTaken(const QString &name) {
    return {QStringLiteral("pairing.name-taken"), sentence("Another device is called \"%1\" already.").arg(name),
            sentence("Devices are chosen by their names."),
            sentence("Give one of the two another name, then pair them.")};
}

Error keyChanged(const QString &name) {
    return {QStringLiteral("device.key-changed"),
            sentence("A device that calls itself %1 has another key than the one that was paired.").arg(name),
            sentence("It was set up anew, it is another device, or somebody pretends to be it."),
            sentence("If you set it up anew, forget it and pair it again; another device needs another name.")};
}

}  // namespace hearth
