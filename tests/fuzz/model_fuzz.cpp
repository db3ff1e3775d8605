// Descriptions of models: they come from files and from peers.
#include <cstdlib>

#include "core/model/model.h"
#include "fuzz_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto model = readAs<Model>(data, size);
    if (!model)
        return 0;
    // What was accepted must survive a trip over the wire unchanged.
    const auto again = Model::fromJson(model->toJson(), QStringLiteral("again"));
    if (!again || again->sha256() != model->sha256() || again->tensors() != model->tensors())
        std::abort();
    return 0;
}
