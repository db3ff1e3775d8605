// Configurations of Hugging Face folders, which come from the network.
#include <cstdlib>

#include "core/base/json_reader.h"
#include "core/model/import/hugging_face.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto config = parseJsonObject(text, QStringLiteral("fuzz"));
    if (!config)
        return 0;
    const auto model = modelFromConfig(*config, QStringLiteral("fuzz"), {}, QStringLiteral("config.json"));
    if (!model)
        return 0;
    // What was understood is a network that others understand.
    const auto again = Model::fromJson(model->toJson(), QStringLiteral("again"));
    if (!again || again->sha256() != model->sha256())
        std::abort();
    return 0;
}
