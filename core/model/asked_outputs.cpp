#include "core/model/asked_outputs.h"

namespace hearth {

Result<AskedOutputs> AskedOutputs::of(const Shape &output, std::optional<qint64> row) {
    if (!row)
        return AskedOutputs{elementCount(output), row};
    if (output.size() < 2 || *row < 0 || *row >= output.front()) {
        return fail(QStringLiteral("answer.bad-row"), sentence("The network does not answer so."),
                    sentence("Its output %1 has no row %2.").arg(shapeText(output)).arg(*row));
    }
    return AskedOutputs{elementCount(output) / output.front(), row};
}

Result<qint64> countSamples(qint64 bytes, qint64 each) {
    if (bytes > 0 && bytes % each == 0)
        return bytes / each;
    return fail(QStringLiteral("answer.bad-samples"), sentence("The samples do not fit the network."),
                sentence("%1 bytes are no whole number of samples of %2.").arg(bytes).arg(each));
}

}  // namespace hearth
