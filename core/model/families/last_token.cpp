#include "core/model/families/last_token.h"

namespace hearth::detail {

using namespace Qt::StringLiterals;

QString lastToken(GraphBuilder &graph, const QString &x, const QString &mask, qint64 tokens) {
    // The mask less the mask moved by one is 1 at the last token and 0 elsewhere; a product picks it.
    const QString here = graph.add(u"last.mask"_s, "cast", {mask}, {{u"to"_s, u"real"_s}});
    const QString moved = graph.add(u"last.moved"_s, "pad", {graph.slice(u"last.next"_s, here, 0, 1, tokens)},
                                    {{u"padding"_s, QJsonArray{QJsonArray{0, 1}}}});
    const QString one = graph.add(u"last.one"_s, "sub", {here, moved});
    const QString picked = graph.add(u"last.token"_s, "matmul", {graph.reshape(u"last.row"_s, one, {1, tokens}), x});
    return graph.select(u"last.features"_s, picked, 0, 0);
}

}  // namespace hearth::detail
