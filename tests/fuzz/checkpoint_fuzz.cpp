// Manifests of checkpoints.
#include "core/run/checkpoint_manifest.h"
#include "fuzz_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const auto manifest = readAs<CheckpointManifest>(data, size);
    if (!manifest) {
        if (manifest.error().what.isEmpty())
            qFatal("An error says nothing.");
        return 0;
    }
    const auto again = CheckpointManifest::fromJson(manifest->toJson(), QStringLiteral("again"));
    if (!again || *again != *manifest)
        qFatal("A manifest did not survive its own form.");
    for (const CheckpointManifest::File &file : manifest->files) {
        if (file.bytes < 0 || file.name.contains(QLatin1Char('/')))
            qFatal("A manifest names what no checkpoint has.");
    }
    return 0;
}
