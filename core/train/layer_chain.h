// Layers one after the other, timed as training runs them. Internal to core/train.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "core/train/layer_profiler.h"
#include "core/train/loss.h"
#include "core/train/stage_module.h"

namespace hearth {

/// Layers that touch this much leave nothing of the ones before in a processor's caches.
inline constexpr qint64 cacheBytes = 16 << 20;

/// What a layer takes.
struct LayerPoint {
    double forward = 0, backward = 0;   // seconds of the device; in the end, seconds
    double weights = 0;                 // of backward: the half that waits until the gradient has left
    qint64 saved = 0, workspace = 0;    // of the whole batch
    QMap<QString, PackedParts> packed;  // of the cut behind it, as LayerFacts has it; empty where it was not looked at
};

/// What a layer's passes read and write.
qint64 touchedBytes(const Layer &layer, int samples, DType dtype);

/// Forward through all, backward through all, as the executor would, so that each finds the caches as training leaves
/// them. On the compute thread; `request` and `device` outlive it. What LibTorch throws goes through.
class LayerChain {
  public:
    /// `layers` ascend.
    LayerChain(const ProfileRequest &request, std::vector<int> layers, ComputeDevice &device);

    const std::vector<int> &indices() const { return m_indices; }

    /// One point per layer; empty if `wanted` says that nobody waits for them.
    std::vector<LayerPoint> measure(int samples, const ProfileRequest &request, const std::function<bool()> &wanted);
    /// The one layer of this chain, as profileUnits() says; nothing if `wanted` says that nobody waits for it.
    std::optional<LayerPoint> probe(int samples, const std::function<bool()> &wanted);

  private:
    void passOver(Tensors &fresh);
    std::size_t index(std::size_t i) const { return static_cast<std::size_t>(m_indices[i]); }
    const Layer &layer(std::size_t i) const { return m_model.layers[index(i)]; }
    bool isLast(std::size_t i) const { return index(i) + 1 == m_model.layers.size(); }
    /// A batch that a layer cannot train on costs what the smallest one does that it can.
    int samplesOf(std::size_t i) const { return std::max(m_samples, layer(i).shape.minimumSamples); }
    Tensors noise(std::size_t i) const;
    void prepare(int samples);
    bool followsTheOneBefore(std::size_t i) const;
    /// Of the cut before a layer, with what crosses it now.
    QMap<QString, PackedParts> packedBefore(std::size_t i, const Tensors &values, const Tensors &gradients);
    std::vector<LayerPoint> pass(int salt, double &seconds);

    const Model &m_model;
    const LossFacts &m_facts;
    const std::unique_ptr<const Loss> m_loss;
    std::vector<int> m_indices;  // of the layers, ascending
    DType m_dtype;
    ComputeDevice &m_device;
    int m_samples = 0;
    std::vector<std::unique_ptr<StageModule>> m_layers;
    std::vector<Tensors> m_inputs;  // empty: what the layer before gives
    at::Tensor m_labels;
    double m_packingSeconds = 0;     // of measure()
    std::vector<qint64> m_lookedAt;  // so many bytes of the cut before each layer were packed
    bool m_packs = false;            // in this pass
    std::vector<char> m_between;     // of a probe: what its other layers touch
};

}  // namespace hearth
