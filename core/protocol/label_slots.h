// Where labels are among the tensors that a coordinator sends.
#pragma once

#include <QtGlobal>

namespace hearth {

/// Values of TensorHeader::slot. In frames of TensorKind::Label:
constexpr quint16 labelSlot = 0;
constexpr quint16 normaliserSlot = 1;  // one Float64: what the loss counts in the whole round, above 0
/// In frames of TensorKind::Evaluation, where lower ones are what crosses a cut.
constexpr quint16 evaluationLabelSlot = 255;

}  // namespace hearth
