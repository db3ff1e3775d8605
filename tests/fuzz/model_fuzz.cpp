// Descriptions of models: they come from files and from peers.
#include <cstdlib>

#include "core/base/json_reader.h"
#include "core/model/model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto object = parseJsonObject(text, QStringLiteral("fuzz"));
    if (!object)
        return 0;
    const auto model = Model::fromJson(*object, QStringLiteral("fuzz"));
    if (!model)
        return 0;
    // What was accepted must survive a trip over the wire unchanged.
    const auto again = Model::fromJson(model->toJson(), QStringLiteral("again"));
    if (!again || again->sha256() != model->sha256() || again->tensors() != model->tensors())
        std::abort();
    return 0;
}
