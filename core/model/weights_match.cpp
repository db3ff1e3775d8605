#include "core/model/weights_match.h"

#include <QSet>
#include <algorithm>

#include "core/model/init.h"
#include "core/model/safetensors.h"

namespace hearth {
namespace {

/// "New: 2 (a, b).", with the first few names.
Sentence listed(const Sentence &what, const QStringList &names) {
    constexpr qsizetype most = 5;
    QStringList first = names.mid(0, most);
    if (names.size() > most)
        first << QStringLiteral("…");
    return what.arg(names.size()).arg(first.join(QStringLiteral(", ")));
}

}  // namespace

WeightsMatch WeightsMatch::of(const Model &model, const TensorSource &source) {
    WeightsMatch match;
    QSet<QString> known;
    for (const TensorSpec &spec : model.tensors()) {
        known.insert(spec.name);
        const auto facts = source.find(spec.name);
        if (!facts)
            match.fresh << spec.name;
        else if (facts->shape != spec.shape || !isFloatingPoint(facts->dtype))
            match.reshaped.push_back({spec.name, facts->shape, spec.shape});
        else
            match.matched << spec.name;
    }
    for (const QString &name : source.names()) {
        if (!known.contains(name))
            match.unused << name;
    }
    return match;
}

Sentence WeightsMatch::toSentence() const {
    QStringList other;
    for (const Reshaped &each : reshaped)
        other << QStringLiteral("%1: %2 instead of %3").arg(each.name, shapeText(each.inFile), shapeText(each.inModel));
    return Sentence::joined({sentence("From the file: %1 of the model's %2 {2|tensor|tensors}.")
                                 .arg(matched.size())
                                 .arg(matched.size() + fresh.size() + static_cast<qsizetype>(reshaped.size())),
                             fresh.isEmpty() ? Sentence() : listed(sentence("New: %1 (%2)."), fresh),
                             other.isEmpty() ? Sentence() : listed(sentence("Of another shape there: %1 (%2)."), other),
                             unused.isEmpty() ? Sentence() : listed(sentence("Of no use here: %1 (%2)."), unused)});
}

Result<std::vector<std::vector<NamedTensor>>> matchingWeights(const Model &model, const TensorSource &source,
                                                              DType dtype, quint64 seed, const QString &name) {
    const WeightsMatch match = WeightsMatch::of(model, source);
    if (match.matched.isEmpty()) {
        return fail(QStringLiteral("weights.mismatch"),
                    sentence("%1 has no weights for the model \"%2\".").arg(name, model.name), match.toSentence(),
                    sentence("Choose weights whose names are those of the model (hearth model %1 lists its tensors).")
                        .arg(model.name));
    }
    const QSet<QString> wanted(match.matched.begin(), match.matched.end());
    std::vector<std::vector<NamedTensor>> layers;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        std::vector<NamedTensor> list = initialise(model, static_cast<int>(l), seed, dtype);
        for (NamedTensor &tensor : list) {
            if (const auto &first = tensor.spec.tiedTo) {
                const bool here = static_cast<std::size_t>(first->layer) == l;
                tensor.data =
                    (here ? list
                          : layers[static_cast<std::size_t>(first->layer)])[static_cast<std::size_t>(first->tensor)]
                        .data;
            } else if (wanted.contains(tensor.spec.name)) {
                auto read = source.read(tensor.spec.name);
                if (!read)
                    return tl::unexpected(read.error());
                tensor.data = valuesAs(*read, dtype);
            }
        }
        layers.push_back(std::move(list));
    }
    return layers;
}

}  // namespace hearth
