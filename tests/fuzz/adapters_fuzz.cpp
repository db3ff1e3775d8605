// Adapters and patterns of what stays frozen, as jobs and peers describe them, put to a network.
#include <cstdlib>

#include "core/model/adapters.h"
#include "core/model/merge_adapters.h"
#include "fuzz_json.h"

namespace {

using namespace hearth;

const Model &network() {
    static const Model model = [] {
        const auto parsed = parseJsonObject(
            R"({"format":"hearth-model/1","name":"small",
                "inputs":[{"name":"x","dtype":"real","shape":[4]}],"outputs":["head"],"graph":[
                {"name":"a.query","kind":"linear","from":["x"],"features":4},
                {"name":"a.act","kind":"relu","from":["a.query"]},
                {"name":"a.output.dense","kind":"linear","from":["a.act"],"features":4},
                {"name":"norm","kind":"layer-norm","from":["a.output.dense"]},
                {"name":"head","kind":"linear","from":["norm"],"features":3}]})",
            QStringLiteral("network"));
        auto made = parsed ? Model::fromJson(*parsed, QStringLiteral("network")) : tl::unexpected(parsed.error());
        if (!made)
            qFatal("%s", qPrintable(made.error().toString()));
        return *made;
    }();
    return model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    const auto object = jsonOf(data, size);
    if (!object)
        return 0;
    JsonReader reader(*object, QStringLiteral("job.json"));
    const QStringList freeze = readPatterns(reader, "freeze");
    checkPatterns(reader, QStringLiteral("/freeze"), freeze);
    const QJsonObject adapters = reader.object("adapters", false);
    if (!reader.finish())
        return 0;
    if (const auto frozen = withFrozen(network(), freeze); frozen) {
        if (frozen->elements(TensorRole::Trainable) + frozen->elements(TensorRole::Frozen) !=
            network().elements(TensorRole::Trainable))
            std::abort();
    }
    const auto spec = AdapterSpec::fromJson(adapters, QStringLiteral("job.json"), QStringLiteral("/adapters"));
    if (!spec)
        return 0;
    JsonReader targets(QJsonObject(), QStringLiteral("job.json"));
    checkPatterns(targets, QStringLiteral("/adapters/targets"), spec->targets);
    if (!targets.finish())
        return 0;
    if (const auto again = AdapterSpec::fromJson(spec->toJson(), QStringLiteral("again"), {});
        !again || *again != *spec)
        std::abort();
    const auto adapted = withAdapters(network(), *spec, freeze);
    if (!adapted)
        return 0;
    // What peers are told is the same network, and without its adapters it is the one that it was.
    const auto again = Model::fromJson(adapted->toJson(), QStringLiteral("again"));
    if (!again || again->sha256() != adapted->sha256())
        std::abort();
    if (spec->kind != AdapterSpec::Kind::Lora)
        return 0;
    const auto without = withoutLora(*adapted);
    if (!without || without->parameterCount() != network().parameterCount())
        std::abort();
    return 0;
}
