#include "core/model/id_limits.h"

#include <algorithm>

namespace hearth {

std::vector<qint64> idLimits(const Model &model, std::size_t layer) {
    constexpr int none = -1;
    const std::vector<ValueSpec> &inputs = model.layers[layer].shape.inputs;
    std::vector<qint64> limits(inputs.size());
    std::vector<int> sources;  // by value of a layer: which of `inputs` it was made of, if it is whole numbers
    for (std::size_t i = 0; i < inputs.size(); ++i)
        sources.push_back(inputs[i].kind == ValueKind::Int64 ? static_cast<int>(i) : none);
    for (std::size_t l = layer; l < model.layers.size(); ++l) {
        const Layer &each = model.layers[l];
        for (const Op &op : each.ops) {
            int source = none;
            for (const int value : op.from)
                source = std::max(source, sources[static_cast<std::size_t>(value)]);
            if (source != none && op.kind == QLatin1String("embedding")) {
                qint64 &limit = limits[static_cast<std::size_t>(source)];
                limit = limit == 0 ? op.whole("rows") : std::min<qint64>(limit, op.whole("rows"));
            }
            sources.push_back(op.outputKind == ValueKind::Int64 ? source : none);
        }
        std::vector<int> next;
        for (const int value : each.outputs)
            next.push_back(sources[static_cast<std::size_t>(value)]);
        sources = std::move(next);
    }
    return limits;
}

}  // namespace hearth
