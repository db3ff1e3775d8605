#include "core/model/families/mlp.h"

#include "core/model/graph_builder.h"

namespace hearth {

using namespace Qt::StringLiterals;

QJsonObject mlpDescription(const QString &name, const MlpDimensions &dimensions) {
    GraphBuilder graph(name);
    QString x = graph.input(u"features"_s, {dimensions.features});
    int module = 0;
    const auto next = [&] { return QString::number(module++); };
    for (int i = 1; i < dimensions.layers; ++i) {
        x = graph.linear(next(), x, dimensions.hidden);
        x = graph.plain(next(), "relu", x);
        if (dimensions.dropout > 0)
            x = graph.dropout(next(), x, dimensions.dropout);
    }
    graph.output(graph.linear(next(), x, dimensions.classes));
    return graph.description();
}

}  // namespace hearth
