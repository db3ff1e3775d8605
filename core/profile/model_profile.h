// What each layer of a model costs: bytes, and seconds per batch size on one device.
#pragma once

#include <QCborMap>
#include <QJsonArray>
#include <QJsonObject>
#include <QMap>
#include <QString>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// Bytes of a layer that are also those of an earlier one: a tensor that both have. Layer and tensor name it where it
/// comes first in the network.
struct TiedBytes {
    int layer = 0;
    int tensor = 0;
    qint64 bytes = 0;
    bool isTrainable = true;
    bool operator==(const TiedBytes &) const = default;
};

/// Which part is left of the bytes of a codec where they are packed without loss.
struct PackedParts {
    double forward = 1;
    double backward = 1;
    /// Backward, where both ends have the same activations, and values that come to nothing behind a rectifier may be
    /// left out: no more than backward.
    double active = 1;
    bool operator==(const PackedParts &) const = default;
    /// The larger ones of both.
    PackedParts raisedTo(const PackedParts &other) const;
};

/// Bytes of one layer; per sample, except parameters, trainable and buffers. Plain value.
struct LayerFacts {
    QString name;
    qint64 outputBytes = 0;            // a_l: what crosses a cut after this layer, forward
    qint64 gradientBytes = 0;          // what crosses it backward
    qint64 savedBytes = 0;             // s_l: kept from forward to backward
    qint64 workspaceBytes = 0;         // passing peak above the steady state
    qint64 parameterBytes = 0;         // w_l
    qint64 trainableBytes = 0;         // the part with gradients and optimizer state
    qint64 bufferBytes = 0;            // running statistics
    int minimumSamples = 1;            // smallest share that the layer can train on
    std::vector<TiedBytes> tied = {};  // among the parameters
    /// Of what crosses the cut after this layer, by the codec's name; of one that is not here nobody knows.
    QMap<QString, PackedParts> packed = {};

    bool operator==(const LayerFacts &) const = default;
    /// As another device saw it, where that is more: bytes, samples and parts.
    void raiseTo(const LayerFacts &seen);
    QJsonObject toJson() const;  // a row of "layers" in hearth-problem/1
    static Result<LayerFacts> fromJson(const QJsonObject &object, const QString &source, const QString &path);
};

/// Seconds of every layer on one device: forward[layer][i] at batch[i] samples. Batch sizes ascend; times may fall as
/// they grow (a library picks another kernel), readers use the running maximum. The rows of a layer that was not
/// measured are empty (null in JSON), all of them; at least one layer was.
struct TimeTable {
    std::vector<int> batch;
    std::vector<std::vector<double>> forward;
    std::vector<std::vector<double>> backward;      // both halves
    std::vector<std::vector<double>> weights = {};  // the half that nobody waits for; empty: halves are not known
    /// How far off forward and backward together may well be, relative, where they are predicted; 0: measured. Empty:
    /// all of it was measured. A table with predictions is complete.
    std::vector<std::vector<double>> error = {};

    bool operator==(const TimeTable &) const = default;
    bool isMeasured(std::size_t layer) const { return !forward[layer].empty(); }
    bool isComplete() const;
    bool isPredicted() const { return !error.empty(); }
    /// All of it is predicted: the device measured nothing of this network, nor what it takes of memory.
    bool isGuess() const;
    /// Errors of different layers are wrong for the same reason in part: so much of their variances is common.
    static constexpr double commonError = 0.25;
    /// Of all layers together at batch[i] samples; complete tables only.
    double seconds(std::size_t i) const;
    double relativeError(std::size_t i) const;
    /// All of it takes so many times as long, within what a table may hold.
    void scale(double factor);
    /// `where` is a person's name for the place, for instance "/times/nx0".
    Result<void> validate(qsizetype layers, const QString &source, const QString &where) const;
    QJsonObject toJson() const;  // an entry of "times" in hearth-problem/1
    static Result<TimeTable> fromJson(const QJsonObject &object, const QString &source, const QString &path);
};

/// One model measured on one device. Plain value, any thread; travels as CBOR and is cached as JSON.
struct ModelProfile {
    QString device;                                 // id of the device that measured
    QString model;                                  // name
    QString modelSha256;                            // hex, of the canonical JSON
    QString library;                                // "libtorch 1.13.1"
    QString computeDevice = QStringLiteral("cpu");  // what computed
    QString precision;                              // of precisionNames()
    double bfloat16Gain = 0;                        // in bfloat16: large products against float32; 0: not measured
    int threads = 1;
    std::vector<LayerFacts> layers;
    TimeTable times;
    /// What the device might use when it left larger batches out that did not fit; 0: it left none out.
    qint64 endOfMemoryBytes = 0;

    bool operator==(const ModelProfile &) const = default;
    Result<void> validate() const;
    QJsonObject toJson() const;
    static Result<ModelProfile> fromJson(const QJsonObject &object, const QString &source);
    QCborMap toCbor() const;
    static Result<ModelProfile> fromCbor(const QCborMap &map);
};

}  // namespace hearth
