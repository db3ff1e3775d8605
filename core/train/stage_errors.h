// How a stage's errors come about. Internal to core/train.
#pragma once

#include "core/base/error.h"

namespace hearth {

Error badFrame(const Sentence &cause);
Error fromException();  // of the exception being handled

/// Runs `body`; what LibTorch throws becomes an Error.
template <class Body>
auto guarded(Body body) -> decltype(body()) {
    try {
        return body();
    } catch (...) {
        return tl::unexpected<Error>(fromException());
    }
}

}  // namespace hearth
