// tokenize TOKENIZER: for each line of standard input, a JSON text, a line of its ids.
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <cstdio>

#include "core/data/tokenizer.h"

using namespace hearth;

int main(int count, char **words) {
    const auto tokenizer = Tokenizer::load(QFile::decodeName(count > 1 ? words[1] : ""));
    if (!tokenizer) {
        std::fprintf(stderr, "%s\n", qPrintable(tokenizer.error().toString()));
        return 1;
    }
    QFile in;
    if (!in.open(stdin, QIODevice::ReadOnly))
        return 1;
    for (QByteArray line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        QJsonArray ids;
        for (const int id : (*tokenizer)->encode(QJsonDocument::fromJson(line)[0].toString()))
            ids << id;
        std::printf("%s\n", QJsonDocument(ids).toJson(QJsonDocument::Compact).constData());
    }
    return 0;
}
