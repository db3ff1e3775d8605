// How a stage writes what it sends over its cuts. No LibTorch: plain memory. Internal to core/train.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "core/base/chunk_packing.h"
#include "core/base/codec.h"
#include "core/train/compute_device.h"
#include "core/wire/tensor_frame.h"

namespace hearth {

/// Values on their way to another stage's device.
struct CutPiece {
    QString device;
    TensorHeader header;  // but for the codec, and what sendTensor() sets
    Payload raw;
    const Codec *codec = &noCodec();
    bool isMeasured = false;  // what the codec loses is to be told
    Payload rectified = {};   // of a gradient: activations that crossed the cut as they are, from a rectifier
    std::shared_ptr<const Mark> there = {}, rectifiedThere = {};  // when their memory may be read; null: now
    /// What a device has written by the codec, or could not, once it is there; null: `raw` is to be written. Else that
    /// has a size alone.
    std::function<Encoded()> coded = {};
};

/// By the codec, and behind it by zstd where that pays: found out for each device, kind and slot. One thread.
class CutWriter {
  public:
    /// Bytes a second; 0: nobody knows, and nothing is packed.
    using LinkRate = std::function<double(const QString &device)>;
    explicit CutWriter(LinkRate linkRate) : m_linkRate(std::move(linkRate)) {}

    struct Written {
        TensorHeader header;
        Payload payload;
        CodecLoss loss;      // where it is measured
        qint64 encoded = 0;  // bytes as the codec wrote them
        /// What packing leaves of them, whether it pays on the link or not: by the last piece of the kind, slot and
        /// codec that was packed or tried, to any device. All of them for a slot that never was while another one was;
        /// nothing where none was.
        std::optional<qint64> packed = {};
    };
    Written write(const CutPiece &piece);
    /// Not just the bytes as they are; of the next one that is written.
    bool takesTime(const CutPiece &piece) const;

  private:
    /// False: it is not its turn, and stays as it is.
    bool pack(const CutPiece &piece, Written &written);

    using Way = std::tuple<QString, TensorKind, quint16>;
    struct Packing {
        ChunkPacking chunks{ChunkPacking::Against::SavedSending};
        /// What the first gradients behind a rectifier say: leaving values out makes them shorter, unless zstd knows
        /// the whole better, which may repeat itself.
        bool leavesOut = true;
        int compared = 0;
    };

    LinkRate m_linkRate;
    std::map<Way, Packing> m_packing;
    /// Which part was left, by slot. What another codec wrote packs otherwise.
    std::map<std::pair<TensorKind, quint8>, std::map<quint16, double>> m_parts;
};

}  // namespace hearth
