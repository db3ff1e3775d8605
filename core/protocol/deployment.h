// Who gets which layers, peers and ports: what the coordinator sends to every worker.
#pragma once

#include <QCborMap>
#include <QJsonObject>
#include <QSet>
#include <QString>
#include <utility>
#include <vector>

#include "core/base/codec.h"
#include "core/base/error.h"
#include "core/model/training_spec.h"
#include "core/protocol/codec_changes.h"

namespace hearth {

struct Plan;

/// Plain value, any thread. Devices are worker fingerprints in hex (64 lowercase digits).
struct Deployment {
    /// Hearth's own AllReduce over the workers' links; the other fabric is "gloo", unencrypted.
    static QString builtinFabric() { return QStringLiteral("builtin"); }
    static constexpr int longestFabricDeadlineMs = 3'600'000;
    struct Member {
        QString device;
        int firstSample = 0;  // of every micro-batch
        int samples = 0;
        bool operator==(const Member &) const = default;
    };
    struct Stage {
        int firstLayer = 0;
        int lastLayer = 0;  // half-open
        std::vector<Member> members;
        int inFlight = 1;
        bool recompute = false;
        CutCodec codec{};                  // of the cut after the stage, until the first of codecChanges
        QString fabric = builtinFabric();  // what sums the members' gradients
        bool operator==(const Stage &) const = default;
    };
    struct Peer {
        QString device;
        QString address;
        quint16 port = 0;
        QString elsewhere = {};  // another address where it may be; empty: none is known
        bool operator==(const Peer &) const = default;
    };
    /// The state of a layer that `to` computes from now on and does not hold; an empty `from` is the coordinator.
    struct Move {
        int layer = 0;
        QString from;
        QString to;
        bool operator==(const Move &) const = default;
    };
    /// `to` keeps copies of the states of layers that `from` computes.
    struct Backup {
        int firstLayer = 0;
        int lastLayer = 0;  // half-open
        QString from;
        QString to;
        bool operator==(const Backup &) const = default;
    };
    /// The frozen tensors of a layer (LayerStateLayout::ofFrozen), as they came with the initial weights: who computes
    /// the layer and lacks them takes them from a holder, at last from the coordinator.
    struct Frozen {
        int layer = 0;
        QString sha256;            // of their bytes, 64 lowercase hex digits
        std::vector<int> holders;  // peers by index that have them; whom to ask first, first
        bool operator==(const Frozen &) const = default;
    };

    QString run;
    quint32 term = 0;
    quint32 firstRound = 1;
    int batch = 0;
    int microBatch = 0;
    int microBatches = 0;
    QString schedule = QStringLiteral("1f1b");
    std::vector<Stage> stages;
    std::vector<CodecChange> codecChanges;
    std::vector<Peer> peers;  // of each pair that must talk, the one with the lower index dials
    QString coordinator;      // its fingerprint in hex
    QJsonObject model;
    TrainingSpec training;
    InputTransform input;
    /// Of a sample's parts as they travel, one for each input of the model; empty: the bytes of one picture.
    std::vector<DType> sampleTypes;
    const Codec *gradientCodec = &noCodec();  // of gradients inside a group (GradientCodec)
    QString tiedFabric = builtinFabric();     // what sums tied tensors over all stages that have them
    int fabricDeadlineMs = 60'000;            // for one sum over another fabric; then the built-in one takes its place
    bool weightsStreamed = false;             // else every worker initialises by seed
    /// Training goes on from the states of firstVersion(): who computes a layer holds its state or gets it by a
    /// move. Neither seed nor streamed weights are used then.
    bool statesHeld = false;
    /// Of every layer that has some, in the model's order. Empty: they are those of the seed, or there are none.
    std::vector<Frozen> frozen;
    std::vector<Move> moves;
    std::vector<Backup> backups;
    int snapshotEvery = 0;  // rounds between the states that every worker keeps of its own layers; 0: none
    bool trace = false;     // a RoundTrace is wanted after every round

    Result<void> validate() const;
    QCborMap toCbor() const;
    static Result<Deployment> fromCbor(const QCborMap &map);

    /// Of the weights that the first round begins with: every round makes one more.
    quint64 firstVersion() const { return firstRound - 1; }
    /// The stages of a device, ascending; none when it has no part. Several only where the plan is interleaved.
    std::vector<int> stagesOf(const QString &device) const;
    bool hasLayers(const QString &device) const { return !stagesOf(device).empty(); }
    /// Its place among the members of a stage; -1: it is none.
    int memberOf(int stage, const QString &device) const;
    /// Of the cut after a stage, in a round.
    const CutCodec &codecAfter(std::size_t stage, quint32 round) const;
    /// What crosses cuts in that round is checked: it is one to check, and something is lossy.
    bool isChecked(quint32 round) const;
    /// Null where none are listed.
    const Frozen *frozenOf(int layer) const;

  private:
    Result<void> checkFrozen() const;
    Result<void> checkStates(const QSet<QString> &known) const;
};

/// The stages of a plan with intervals laid out; devices still have the plan's ids, which the caller replaces by the
/// fingerprints of the workers.
std::vector<Deployment::Stage> deploymentStages(const Plan &plan);

}  // namespace hearth
