// Training a small part of a network: what is added to it, and what of it stays as it was.
#pragma once

#include <QJsonObject>
#include <QStringList>

#include "core/model/model.h"

namespace hearth {

class JsonReader;

/// Plain value. Patterns are globs over names of ops ("*.query"). JSON, all but kind with defaults:
/// {"kind":"lora","rank":8,"alpha":16,"dropout":0,"targets":[…]} or {"kind":"bottleneck","features":64,"targets":[…]}.
struct AdapterSpec {
    enum class Kind { Lora, Bottleneck };

    Kind kind = Kind::Lora;
    /// LoRA (Hu et al., 2022): beside a linear op, alpha / rank · B · A of what it takes; B begins at zero.
    int rank = 8;
    double alpha = 16;
    double dropout = 0;  // of what A takes
    /// Bottleneck (Houlsby et al., 2019): behind a linear op, so many features and back, added; the way back begins at
    /// zero.
    int features = 64;
    static constexpr double mostAlpha = 1e6, mostDropout = 0.99;
    /// Linear ops that get one. None: queries and values for LoRA, the last op of attention and of the feed-forward
    /// part for bottlenecks, as the families here call them.
    QStringList targets;

    bool operator==(const AdapterSpec &) const = default;
    /// Whether targets are patterns is for checkPatterns(). `source` and `path` are what errors name ("job.json",
    /// "/adapters").
    static Result<AdapterSpec> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
};

/// A list of texts, empty where the key is absent.
QStringList readPatterns(JsonReader &reader, const char *key);
/// Rejects what stands at `pointer` where one of these texts is no pattern, or they are too many.
void checkPatterns(JsonReader &reader, const QString &pointer, const QStringList &patterns);

/// The network with adapters, as a network that is one graph: its op "x" becomes "x" and "x.lora_A", "x.lora_B", or
/// "x.adapter_down", "x.adapter_up". `freeze`: what of it stays as it begins, as withFrozen() says; none: all but
/// classifiers. Adapters are always trained. Errors: it is described by layers; a pattern that no op fits. Any thread.
Result<Model> withAdapters(const Model &model, const AdapterSpec &spec, const QStringList &freeze = {});

/// Of the patterns that no targets stand for, those that a linear op of the network fits; none: it has no op of a usual
/// name, and withAdapters() wants targets. Any thread.
QStringList usualTargets(const Model &model, AdapterSpec::Kind kind);

/// The network with those of its ops frozen (of one that is described by layers: layers) that the last pattern which
/// fits them says; "!" before a pattern takes back. Errors: a pattern that nothing fits, nothing is left to train. Any
/// thread.
Result<Model> withFrozen(const Model &model, const QStringList &freeze);

}  // namespace hearth
