#pragma once

#include <QIODevice>
#include <chrono>
#include <functional>
#include <memory>

namespace hearth {

/// Ends a device from any place, its own signals included: what it has buffered still goes out within `linger` (0 =
/// dropped), then it is deleted. `keepAlive` is destroyed with it.
void retire(std::unique_ptr<QIODevice> device, std::chrono::milliseconds linger, std::function<void()> keepAlive = {});

}  // namespace hearth
