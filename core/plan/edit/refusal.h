// Why an edit of a plan is refused, in parts that can be put together in any language.
#pragma once

#include <QVariant>

#include "core/base/error.h"

namespace hearth {

/// What a person may be refused while changing a plan in the window. Other: an error without parts, in English alone.
enum class RefusalReason {
    Other,
    BeginsThere,
    EndsThere,
    NeighborsTooSmall,
    NoPlace,
    OnlyDevice,
    LockedShares,
    LockedShareTooSmall,
    TooFewSamples,
    MoreDevicesThanSamples,
    Memory,
    NoSamples,
    ShareTooSmall,
    SharesSum,
    MicroBatchLocked,
    BorderLocked,
    StageLayersLocked,
    StageDevicesLocked,
    LockedAtRest,
    LockedInStage,
    LockedAtWork,
    ShareLockedAtWork,
    ShareLocked,
    Pipelines,
    NoPlanFits
};

/// The sentences of a reason, in English, which are also the keys of their translations (context "EditRefusal"). "%1",
/// "%2", … are the refusal's arguments, numbered through all three.
struct RefusalWords {
    const char *code;
    const char *what;
    const char *cause;
    const char *advice;
};
const RefusalWords &wordsOf(RefusalReason reason);

/// The text with each "%n" replaced by argument n.
QString filledWith(const QString &text, const QStringList &arguments);

/// An error with the parts of its sentences. Plain value, any thread.
struct EditRefusal : Error {
    EditRefusal() = default;
    EditRefusal(Error error) : Error(std::move(error)) {}
    EditRefusal(RefusalReason why, QVariantList parts);

    RefusalReason reason = RefusalReason::Other;
    QVariantList
        arguments;  // QString: a layer, or a device by its id; integer: a count, or a stage from 1; double: bytes
};

template <class T>
using EditResult = tl::expected<T, EditRefusal>;

inline tl::unexpected<EditRefusal> refuse(RefusalReason reason, QVariantList arguments = {}) {
    return tl::unexpected<EditRefusal>(EditRefusal(reason, std::move(arguments)));
}

}  // namespace hearth
