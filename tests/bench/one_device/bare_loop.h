// LibTorch training loops without any part of Hearth but its model descriptions: what the worker is measured against.
#pragma once

#include <memory>

#include "core/model/model.h"
#include "core/model/training_spec.h"

namespace hearth {

class BareLoop {
  public:
    struct Style {
        bool channelsLast = false;
        bool inPlace = false;
        int card = -1;  // the processor
        /// Bfloat16: as LibTorch's own autocast rounds, on a card.
        Precision precision = Precision::Float32;
    };
    /// SGD with momentum on fixed random images.
    BareLoop(const Model &model, int batch, Style style);
    ~BareLoop();
    /// One training step; the loss.
    double step();

  private:
    struct Private;
    std::unique_ptr<Private> d;
};

}  // namespace hearth
