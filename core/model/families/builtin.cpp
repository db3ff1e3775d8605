#include "core/model/families/builtin.h"

#include <algorithm>
#include <array>

#include "core/base/json_reader.h"
#include "core/model/families/bert.h"
#include "core/model/families/efficientnet.h"
#include "core/model/families/gpt2.h"
#include "core/model/families/mlp.h"
#include "core/model/families/resnet.h"
#include "core/model/families/t5.h"
#include "core/model/families/vit.h"
#include "core/model/model.h"

namespace hearth::detail {
namespace {

constexpr int smallSide = 32, publishedSide = 224;
constexpr int mostSmall = 64;  // pictures up to that side are not made smaller at once
constexpr int largestSide = 2048;
constexpr int deepestMlp = 64;
constexpr int longestText = 1 << 16;  // of a network without a table of positions

/// Side and classes of pictures, as published from the size of a photograph on.
template <class Dimensions>
void readPictures(JsonReader &options, Dimensions &dimensions) {
    dimensions.side = options.integer("image", 8, largestSide, smallSide);
    const bool small = dimensions.side <= mostSmall;
    dimensions.classes = options.integer("classes", 1, ModelLimits::dimension, small ? 10 : 1000);
}

double readDropout(JsonReader &options, double usual) {
    return options.number("dropout", 0, 0.99, usual);
}

QJsonObject efficientNet(const QString &name, JsonReader &options, double depthFactor) {
    EfficientNetDimensions dimensions;
    readPictures(options, dimensions);
    dimensions.small = dimensions.side <= mostSmall;
    dimensions.depthFactor = depthFactor;
    dimensions.dropout = dimensions.stochasticDepth = readDropout(options, dimensions.dropout);
    return efficientNetDescription(name, dimensions);
}

QJsonObject resnet(const QString &name, JsonReader &options, bool bottleneck, const std::array<int, 4> &blocks) {
    ResnetDimensions dimensions;
    readPictures(options, dimensions);
    dimensions.small = dimensions.side <= mostSmall;
    dimensions.bottleneck = bottleneck;
    dimensions.blocks = blocks;
    return resnetDescription(name, dimensions);
}

QJsonObject vitTiny(const QString &name, JsonReader &options) {
    VitDimensions dimensions;
    readPictures(options, dimensions);
    dimensions.patch = dimensions.side <= mostSmall ? 4 : 16;
    if (dimensions.side % dimensions.patch != 0) {
        options.reject(QStringLiteral("image"), sentence("Patches of %1×%1 do not cover it.").arg(dimensions.patch),
                       sentence("Give a multiple of %1.").arg(dimensions.patch));
    }
    dimensions.dropout = dimensions.attentionDropout = readDropout(options, 0);
    return vitDescription(name, dimensions);
}

TextHead readHead(JsonReader &options, std::initializer_list<TextHead> heads) {
    QStringList names;
    for (const TextHead head : heads)
        names << textHeadName(head);
    const QString name = options.choice("head", names, names.first());
    return textHeadFrom(name).value_or(*heads.begin());
}

QJsonObject bertSmall(const QString &name, JsonReader &options) {
    BertDimensions dimensions;
    dimensions.sequence = options.integer("sequence", 1, dimensions.positions, dimensions.sequence);
    dimensions.classes = options.integer("classes", 1, ModelLimits::dimension, dimensions.classes);
    dimensions.head =
        readHead(options, {TextHead::SequenceClassification, TextHead::TokenClassification, TextHead::MaskedLanguage});
    dimensions.dropout = dimensions.attentionDropout = dimensions.headDropout = readDropout(options, 0.1);
    return bertDescription(name, dimensions);
}

QJsonObject gpt2(const QString &name, JsonReader &options) {
    Gpt2Dimensions dimensions;
    dimensions.sequence = options.integer("sequence", 1, dimensions.positions, dimensions.sequence);
    dimensions.classes = options.integer("classes", 1, ModelLimits::dimension, dimensions.classes);
    dimensions.head =
        readHead(options, {TextHead::CausalLanguage, TextHead::SequenceClassification, TextHead::TokenClassification});
    dimensions.dropout = dimensions.attentionDropout = dimensions.embeddingDropout = dimensions.headDropout =
        readDropout(options, 0.1);
    return gpt2Description(name, dimensions);
}

QJsonObject t5(const QString &name, JsonReader &options, T5Dimensions dimensions) {
    dimensions.sequence = options.integer("sequence", 1, longestText, dimensions.sequence);
    dimensions.answer = options.integer("answer", 1, longestText, dimensions.sequence);
    dimensions.dropout = readDropout(options, dimensions.dropout);
    return t5Description(name, dimensions);
}

QJsonObject mlp(const QString &name, JsonReader &options) {
    MlpDimensions dimensions;
    dimensions.features = options.integer("features", 1, ModelLimits::dimension, dimensions.features);
    dimensions.hidden = options.integer("hidden", 1, ModelLimits::dimension, dimensions.hidden);
    dimensions.layers = static_cast<int>(options.integer("layers", 1, deepestMlp, dimensions.layers));
    dimensions.classes = options.integer("classes", 1, ModelLimits::dimension, dimensions.classes);
    dimensions.dropout = readDropout(options, dimensions.dropout);
    return mlpDescription(name, dimensions);
}

struct Family {
    const char *name;
    QJsonObject (*describe)(const QString &name, JsonReader &options);
};
using Text = const QString;
constexpr std::array families{
    Family{"bert-small", bertSmall},
    Family{"efficientnet-b0", [](Text &name, JsonReader &options) { return efficientNet(name, options, 1); }},
    Family{"efficientnet-b1", [](Text &name, JsonReader &options) { return efficientNet(name, options, 1.1); }},
    Family{"gpt2", gpt2},
    Family{"mlp", mlp},
    Family{"resnet18",
           [](Text &name, JsonReader &options) {
               return resnet(name, options, false, {2, 2, 2, 2});
           }},
    Family{"resnet50",
           [](Text &name, JsonReader &options) {
               return resnet(name, options, true, {3, 4, 6, 3});
           }},
    Family{"t5-large", [](Text &name, JsonReader &options) { return t5(name, options, t5Large()); }},
    Family{"t5-small", [](Text &name, JsonReader &options) { return t5(name, options, {}); }},
    Family{"vit-tiny", vitTiny}};

}  // namespace

QStringList generatedModels() {
    QStringList names;
    for (const Family &family : families)
        names << QLatin1String(family.name);
    return names;
}

Result<QJsonObject> generate(const ModelName &name) {
    const auto *family =
        std::ranges::find_if(families, [&](const Family &each) { return name.base == QLatin1String(each.name); });
    Q_ASSERT(family != families.end());
    JsonReader options(name.options, name.text());
    const QJsonObject description = family->describe(name.text(), options);
    if (auto finished = options.finish(); !finished)
        return tl::unexpected(finished.error());
    return description;
}

}  // namespace hearth::detail
