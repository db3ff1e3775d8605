// Owns an asynchronous operation: a QObject that works until it says that it has ended.
#pragma once

#include <memory>

namespace hearth {

/// An operation that has ended may still be on the call stack.
struct DeleteLater {
    template <class T>
    void operator()(T *object) const {
        object->disconnect();
        object->deleteLater();
    }
};
/// Dropping it ends its signals at once, and the object as soon as the event loop is back.
template <class T>
using Operation = std::unique_ptr<T, DeleteLater>;

}  // namespace hearth
