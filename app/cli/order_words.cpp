#include "app/cli/order_words.h"

#include "app/cli/safety_words.h"
#include "app/cli/trusted_fabric.h"

namespace hearth {

void declareOrderFiles(CommandArguments &line, const QString &save) {
    line.value(QStringLiteral("plan"), QStringLiteral("PLAN"), QStringLiteral("train by this hearth-plan/1 file"));
    line.value(QStringLiteral("weights"), QStringLiteral("FILE"),
               QStringLiteral("start from these weights (safetensors)"));
    line.flag(QStringLiteral("partial"),
              QStringLiteral("the weights may be a part of the model's, by name; the rest is "
                             "initialised"));
    line.value(QStringLiteral("save"), QStringLiteral("FILE"), save);
    line.value(QStringLiteral("trace"), QStringLiteral("FILE"),
               QStringLiteral("write what every device did when there, for ui.perfetto.dev"));
}

Result<OrderFiles> orderFilesOf(const CommandArguments &line) {
    const auto fabric = trustedFabricOf(line);
    if (!fabric)
        return tl::unexpected(fabric.error());
    const auto safety = safetyOf(line);
    if (!safety)
        return tl::unexpected(safety.error());
    if (line.isSet(QStringLiteral("partial")) && !line.isSet(QStringLiteral("weights"))) {
        return fail(QStringLiteral("usage.wrong"), sentence("--partial needs --weights."), {},
                    sentence("Name a file with --weights."));
    }
    return OrderFiles{line.get(QStringLiteral("plan")),
                      line.get(QStringLiteral("weights")),
                      line.get(QStringLiteral("save")),
                      line.get(QStringLiteral("trace")),
                      *fabric,
                      *safety,
                      line.isSet(QStringLiteral("partial"))};
}

}  // namespace hearth
