// Manifests of checkpoints.
#include <cstdint>

#include "core/base/json_reader.h"
#include "core/run/checkpoint_manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto object = parseJsonObject(text, QStringLiteral("input"));
    if (!object)
        return 0;
    const auto manifest = CheckpointManifest::fromJson(*object, QStringLiteral("input"));
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
