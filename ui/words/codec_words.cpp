#include "ui/words/codec_words.h"

#include <QCoreApplication>
#include <QLocale>

namespace hearth {
namespace {

struct CodecWords {
    Q_DECLARE_TR_FUNCTIONS(CodecWords)
};

}  // namespace

QString codecText(const Codec &codec) {
    return &codec == &noCodec() ? CodecWords::tr("as it is") : QString::fromLatin1(codec.name);
}

QString codecCostText(const Codec &codec) {
    const QString name = QString::fromLatin1(codec.name);
    if (&codec == &noCodec())
        return CodecWords::tr("exact");
    if (name == QLatin1String("bf16"))
        return CodecWords::tr("rounds numbers by 0.2 %");
    if (name == QLatin1String("bfp8"))
        return CodecWords::tr("rounds numbers by up to 1 %");
    if (name == QLatin1String("bfp4"))
        return CodecWords::tr("rounds numbers by about a tenth");
    return {};
}

QString codecOfferText(double factor) {
    return CodecWords::tr("Compressing cuts would make a round %1 times faster.")
        .arg(QLocale().toString(factor, 'f', 1));
}

}  // namespace hearth
