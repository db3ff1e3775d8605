#include "core/model/ties.h"

#include <QHash>
#include <algorithm>
#include <map>

namespace hearth {
namespace {

tl::unexpected<Error> cannotTie(const QString &source, const QString &name, const Sentence &cause,
                                const Sentence &advice) {
    return fail(QStringLiteral("model.tie"),
                sentence("%1: two ops cannot share the tensor \"%2\".").arg(source, name.left(200)), cause, advice);
}

Result<void> tie(TensorSpec &own, const TensorSpec &first, const TensorRef &place, const QString &source) {
    if (own.shape != first.shape) {
        return cannotTie(
            source, own.name,
            sentence("It is %1 in one place and %2 in another.").arg(shapeText(first.shape), shapeText(own.shape)),
            sentence("Give one of them another name, or make both the same size."));
    }
    if (own.role != first.role) {
        return cannotTie(source, own.name, sentence("It is frozen in one place and trained in another."),
                         sentence("Freeze it in both places or in none."));
    }
    if (own.role == TensorRole::Statistics) {
        return cannotTie(source, own.name, sentence("A normalization changes its statistics in every pass."),
                         sentence("Leave its name out, so that each normalization has its own."));
    }
    own.tiedTo = place;
    own.init = first.init;
    own.bound = first.bound;
    return {};
}

}  // namespace

bool Tie::isIn(int firstLayer, int lastLayer) const {
    return std::any_of(layers.begin(), layers.end(),
                       [=](int layer) { return layer >= firstLayer && layer < lastLayer; });
}

bool Tie::isCut(int firstLayer, int lastLayer) const {
    return isIn(firstLayer, lastLayer) && (layers.front() < firstLayer || layers.back() >= lastLayer);
}

std::vector<Tie> tiesOf(const Model &model) {
    std::map<TensorRef, Tie> ties;
    for (std::size_t l = 0; l < model.layers.size(); ++l) {
        const auto layer = static_cast<int>(l);
        for (const TensorSpec &tensor : model.layers[l].shape.tensors) {
            if (!tensor.tiedTo || tensor.tiedTo->layer == layer)
                continue;
            Tie &known = ties[*tensor.tiedTo];
            if (known.layers.empty())
                known = {*tensor.tiedTo, {tensor.tiedTo->layer}, tensor.elements(), tensor.isTrainable()};
            if (known.layers.back() != layer)
                known.layers.push_back(layer);
        }
    }
    std::vector<Tie> list;
    for (auto &[first, each] : ties)
        list.push_back(std::move(each));
    return list;
}

Result<void> tieTensors(std::vector<Layer> &layers, const QString &source) {
    QHash<QString, TensorRef> first;
    int ties = 0;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        std::vector<TensorSpec> &tensors = layers[l].shape.tensors;
        for (std::size_t t = 0; t < tensors.size(); ++t) {
            const TensorRef own{static_cast<int>(l), static_cast<int>(t)};
            const auto known = first.constFind(tensors[t].name);
            if (known == first.constEnd()) {
                first.insert(tensors[t].name, own);
                continue;
            }
            if (++ties > ModelLimits::ties) {
                return fail(QStringLiteral("model.too-large"), sentence("%1: the model is too large.").arg(source),
                            sentence("More than %1 tensors are shared between ops.").arg(ModelLimits::ties));
            }
            const TensorSpec &before =
                layers[static_cast<std::size_t>(known->layer)].shape.tensors[static_cast<std::size_t>(known->tensor)];
            if (auto tied = tie(tensors[t], before, *known, source); !tied)
                return tied;
        }
    }
    return {};
}

}  // namespace hearth
