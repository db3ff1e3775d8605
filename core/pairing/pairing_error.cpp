#include "core/pairing/pairing_error.h"

namespace hearth {
namespace {

QString nothingTrusted() {
    return QStringLiteral("Neither device trusts the other. Start again when you like.");
}

}  // namespace

Error ownEnd(PairingEnd end) {
    switch (end) {
        case PairingEnd::Cancelled:
            return {QStringLiteral("pairing.cancelled"),
                    QStringLiteral("The pairing was cancelled."),
                    {},
                    nothingTrusted()};
        case PairingEnd::Mismatch:
            return {QStringLiteral("pairing.mismatch"), QStringLiteral("The digits did not match."),
                    QStringLiteral("Somebody between the two devices may have answered in place of the other one."),
                    QStringLiteral("Nothing was trusted. Try again; if it happens again, use another network.")};
        case PairingEnd::Late:
            return {QStringLiteral("pairing.late"),
                    QStringLiteral("The pairing was not completed in 60 seconds."),
                    {},
                    QStringLiteral("Start again, with both devices at hand.")};
        case PairingEnd::Busy:
            return {QStringLiteral("pairing.active"),
                    QStringLiteral("Another pairing is under way here."),
                    {},
                    QStringLiteral("Finish or cancel it first.")};
        case PairingEnd::NotStored:
            return {QStringLiteral("pairing.not-stored"),
                    QStringLiteral("The list of trusted devices could not be saved."),
                    {},
                    nothingTrusted()};
        case PairingEnd::Broken:
        case PairingEnd::Later:
        case PairingEnd::Refused:
        case PairingEnd::Crossed:
            break;
    }
    return {QStringLiteral("pairing.broken"),
            QStringLiteral("The other device does not keep to the rules of pairing."),
            {},
            QStringLiteral("Install the same version of Hearth on every device.")};
}

Error theirEnd(PairingEnd end) {
    switch (end) {
        case PairingEnd::Cancelled:
            return {QStringLiteral("pairing.cancelled-there"),
                    QStringLiteral("The pairing was cancelled on the other device."),
                    {},
                    nothingTrusted()};
        case PairingEnd::Mismatch:
            return {QStringLiteral("pairing.mismatch"),
                    QStringLiteral("On the other device somebody said that the digits do not match."),
                    QStringLiteral("Somebody between the two devices may have answered in place of the other one."),
                    QStringLiteral("Nothing was trusted. Try again; if it happens again, use another network.")};
        case PairingEnd::Busy:
            return {QStringLiteral("pairing.busy"),
                    QStringLiteral("The other device is busy with another pairing."),
                    {},
                    QStringLiteral("Finish or cancel it there, or try again in a minute.")};
        case PairingEnd::Later:
            return {QStringLiteral("pairing.later"), QStringLiteral("The other device takes no pairing now."),
                    QStringLiteral("Attempts have failed there, and it pauses after each."),
                    QStringLiteral("Try again in a few minutes.")};
        case PairingEnd::Late:
            return {QStringLiteral("pairing.late"),
                    QStringLiteral("The pairing was not completed in 60 seconds."),
                    {},
                    QStringLiteral("Start again, with both devices at hand.")};
        case PairingEnd::NotStored:
            return {QStringLiteral("pairing.not-stored-there"),
                    QStringLiteral("The other device could not save its list of trusted devices."),
                    {},
                    QStringLiteral("Free some space there and try again; nothing was trusted.")};
        case PairingEnd::Refused:
            return {QStringLiteral("pairing.refused"), QStringLiteral("The other device does not take this pairing."),
                    QStringLiteral("It has a paired device of this name with another key."),
                    QStringLiteral("Forget the former device there, or give this one another name.")};
        case PairingEnd::Broken:
        case PairingEnd::Crossed:
            break;
    }
    return {QStringLiteral("pairing.broken-here"), QStringLiteral("The other device could not follow the pairing."),
            QStringLiteral("It runs another version, or somebody interferes."),
            QStringLiteral("Install the same version of Hearth on every device.")};
}

Error pairingUnsure() {
    return {QStringLiteral("pairing.unsure"),
            QStringLiteral("It is not certain that the other device has stored the pairing."),
            QStringLiteral("The connection broke at the last moment."),
            QStringLiteral("Hearth finds out as soon as the two reach each other: then both are paired, or neither.")};
}

Error pairingLost() {
    return {QStringLiteral("pairing.lost"),
            QStringLiteral("The connection broke before the pairing was complete."),
            {},
            QStringLiteral("Neither device trusts the other. Start again when you like.")};
}

Error pairingSilent(std::chrono::milliseconds waited) {
    return {
        QStringLiteral("pairing.silent"), QStringLiteral("The other device stopped answering."),
        QStringLiteral("Nothing came from it for %1 s.").arg(std::chrono::duration<double>(waited).count(), 0, 'g', 2),
        QStringLiteral("Look whether a firewall is between the two, and begin from the other device.")};
}

Error nameTaken(const QString &name) {
    return {QStringLiteral("pairing.name-taken"), QStringLiteral("Another device is called \"%1\" already.").arg(name),
            QStringLiteral("Devices are chosen by their names."),
            QStringLiteral("Give one of the two another name, then pair them.")};
}

Error keyChanged(const QString &name) {
    return {QStringLiteral("device.key-changed"),
            QStringLiteral("A device that calls itself %1 has another key than the one that was paired.").arg(name),
            QStringLiteral("It was set up anew, it is another device, or somebody pretends to be it."),
            QStringLiteral("If you set it up anew, forget it and pair it again; another device needs another name.")};
}

}  // namespace hearth
