// What the workers of a test compute on where the environment says so: every test of LoopbackHome is one of a card,
// too.
#pragma once

#include <memory>

#include "core/train/compute_device.h"

namespace hearth {

/// Of the device with that number. HEARTH_TEST_DEVICES: "played" (a device whose memory is not the host's), "cuda" (the
/// first card) or "mixed" (it, and the processor for every second device); the processor where it says nothing. Where
/// there is no card it ends the program with skippedStatus, and says why.
std::shared_ptr<ComputeDevice> testDevice(int device);
/// Whether a repeated run has the same bits: a card adds in any order.
bool bitsRepeat();
constexpr int skippedStatus = 77;

}  // namespace hearth
