// What a run's folder says of how rows and texts became samples: what is read makes samples of anything.
#include <QFile>

#include "core/data/preparation.h"
#include "fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    static const QTemporaryDir folder(fuzzFolderTemplate());
    QFile file(folder.filePath(QStringLiteral("data.json")));
    if (!file.open(QIODevice::WriteOnly))
        return 0;
    file.write(reinterpret_cast<const char *>(data), static_cast<qint64>(size));
    file.close();
    const auto kept = Preparation::load(folder.path());
    const auto coder = kept ? (*kept)->coder(8) : nullptr;
    if (!coder)
        return 0;
    for (const char *field : {"", "1.5", "red", "NaN", "1e999", "\xf0\x9f\x99\x82"}) {
        const QStringList fields((*kept)->columns().size(), QString::fromUtf8(field));
        for (std::size_t part = 0; part < coder->parts().size(); ++part) {
            std::vector<std::byte> out(static_cast<std::size_t>(coder->parts()[part].slot.bytes()));
            coder->encode(fields, part, out);
        }
    }
    return 0;
}
