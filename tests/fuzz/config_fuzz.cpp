// Configurations of Hugging Face folders, which come from the network.
#include <QJsonObject>
#include <cstdlib>

#include "core/model/import/hugging_face.h"
#include "fuzz_json.h"

namespace {

/// Blocks are alike, and hundreds of them take as long as thousands of other inputs. What is no count is left to the
/// reader.
void makeShallow(QJsonObject &config) {
    constexpr int most = 3;
    for (const char *key : {"num_hidden_layers", "n_layers", "n_layer", "num_layers", "num_decoder_layers"}) {
        const QString name = QString::fromLatin1(key);
        const QJsonValue count = config.value(name);
        if (count.isUndefined() || count.toInt() > most)
            config[name] = count.toInt() % most + 1;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    auto config = jsonOf(data, size);
    if (!config)
        return 0;
    makeShallow(*config);
    const auto model = modelFromConfig(*config, QStringLiteral("fuzz"), {}, QStringLiteral("config.json"));
    if (!model)
        return 0;
    // What was understood is a network that others understand.
    const auto again = Model::fromJson(model->toJson(), QStringLiteral("again"));
    if (!again || again->sha256() != model->sha256())
        std::abort();
    return 0;
}
