// What a worker tells the coordinator after each round.
#pragma once

#include <QCborMap>
#include <QMap>
#include <QString>
#include <optional>
#include <vector>

#include "core/base/card_load.h"
#include "core/base/codec.h"
#include "core/base/error.h"

namespace hearth {

/// What a stage's member saw of its cuts in a round that is checked. Plain value.
struct CutCheck {
    int stage = 0;
    CodecLoss forward;     // of the first micro-batch's activations, which it sent
    CodecLoss backward;    // of the gradients that it sent
    double codedLoss = 0;  // of that micro-batch's samples, the sum; 0 except in the last stage, as is ...
    double rawLoss = 0;    // ... the same with cuts that lose nothing

    bool operator==(const CutCheck &) const = default;
};

enum class CutWay {
    Forward,   // activations
    Backward,  // their gradients
    Active     // likewise, exact, where both ends have the same activations (PackedParts::active)
};

/// What a stage's member sent over a cut in a round, as far as the cut's codec wrote it. It says what the data are
/// like, whether packing pays on the links or not; nothing is told where it was never tried. Plain value; bytes.
struct CutPacking {
    int cut = 0;  // behind this stage
    CutWay way = CutWay::Forward;
    const Codec *codec = &noCodec();
    qint64 encoded = 0;  // as the codec wrote them
    qint64 packed = 0;   // what packing leaves of them

    bool operator==(const CutPacking &) const = default;
};
/// Together with those of the same cut, way and codec.
void addPacking(std::vector<CutPacking> &all, const CutPacking &more);

/// Plain value, any thread. Seconds of this round on this device, bytes sent to each peer (by fingerprint in hex).
struct RoundReport {
    quint32 round = 0;  // from 1
    quint32 term = 0;
    quint64 version = 0;  // optimizer steps applied, this round included
    bool kept = false;    // this version is kept whole until a newer one is complete, as was asked
    double loss = 0;      // this member's part of sum-loss / normaliser; 0 except in the last stage; may be NaN
    double computeSeconds = 0;
    double waitForwardSeconds = 0;
    double waitBackwardSeconds = 0;
    double waitAllReduceSeconds = 0;  // for members of the group that are still computing
    double sendSeconds = 0;
    double allReduceSeconds = 0;  // moving and adding the group's gradients, where computing does not hide it
    double optimizerSeconds = 0;
    qint64 memoryBytes = 0;  // peak of tensors plus what the libraries take
    QMap<QString, qint64> sent;
    qint64 savedBytes = 0;            // that codecs left out of what was sent
    std::vector<CutCheck> checks;     // of each stage that it computes
    std::vector<CutPacking> packing;  // likewise
    CardLoad card;  // of the graphics card that it computes on, as it was last looked at; empty where there is none
    /// Of all gradients together, before they are clipped, where the optimizer clips; infinite or NaN where they are.
    std::optional<double> gradientNorm;

    QCborMap toCbor() const;
    static Result<RoundReport> fromCbor(const QCborMap &map);
};

}  // namespace hearth
