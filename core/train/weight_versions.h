// Which weights the passes of a micro-batch see. Internal to core/train.
#pragma once

#include <QtGlobal>

namespace hearth {

/// A version is the number of optimizer steps that weights have seen, whatever round it is. One version is there at a
/// time: a micro-batch holds it from its forward pass to the end of its backward pass, and weights must not change
/// before it is released. The optimizer writes past autograd's own counters, so nothing else would notice. One thread.
class WeightVersions {
  public:
    explicit WeightVersions(quint64 first) : m_current(first) {}

    quint64 current() const { return m_current; }
    /// Whether weights may change.
    bool isFree() const { return m_holders == 0; }
    /// For one more micro-batch: the version that all its passes see.
    quint64 hold() { return ++m_holders, m_current; }
    void release() { --m_holders; }
    void releaseAll() { m_holders = 0; }
    /// After an optimizer step, where isFree().
    void advance() { ++m_current; }

  private:
    quint64 m_current;
    int m_holders = 0;
};

}  // namespace hearth
