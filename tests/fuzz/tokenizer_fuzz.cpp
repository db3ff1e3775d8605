// tokenizer.json, and after a zero byte a text that it tokenizes: ids are those of its vocabulary.
#include <QFile>
#include <cstdlib>

#include "core/data/tokenizer.h"
#include "fuzz_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    static const QTemporaryDir folder(fuzzFolderTemplate());
    const QByteArray all(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const qsizetype end = all.indexOf('\0');
    const QString path = folder.filePath(QStringLiteral("tokenizer.json"));
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly))
        return 0;
    file.write(end < 0 ? all : all.left(end));
    file.close();
    const auto tokenizer = Tokenizer::load(path);
    if (!tokenizer)
        return 0;
    const QString text = QString::fromUtf8(end < 0 ? QByteArray("A text, naïve 漢字 12") : all.mid(end + 1));
    std::vector<int> segments;
    const auto ids = (*tokenizer)->framed({text, text}, 64, &segments);
    if (ids.size() > 64 || segments.size() != ids.size())
        std::abort();
    for (const int id : ids) {
        if (id < 0 || id >= (*tokenizer)->words())
            std::abort();
    }
    return 0;
}
