#include "ui/job/model_families.h"

#include <QCoreApplication>

#include "core/model/catalogue.h"

namespace hearth {

namespace {

struct ModelFamilies {
    Q_DECLARE_TR_FUNCTIONS(ModelFamilies)
};

}  // namespace

std::vector<ModelFamily> modelFamilies() {
    const auto names = [](std::initializer_list<const char *> list) {
        QStringList texts;
        for (const char *name : list)
            texts << QLatin1String(name);
        return texts;
    };
    std::vector<ModelFamily> families{
        {ModelFamilies::tr("To begin with"), ModelFamilies::tr("learns small pictures in minutes"),
         names({"fashion-cnn"})},
        {ModelFamilies::tr("MobileNet"), ModelFamilies::tr("pictures, made for phones"),
         names({"mobilenetv2", "mobilenetv2-cifar"})},
        {ModelFamilies::tr("ResNet"), ModelFamilies::tr("pictures, the usual choice"), names({"resnet18", "resnet50"})},
        {ModelFamilies::tr("EfficientNet"), ModelFamilies::tr("pictures, accurate for its size"),
         names({"efficientnet-b0", "efficientnet-b1"})},
        {ModelFamilies::tr("Vision transformer"), ModelFamilies::tr("pictures, by attention"), names({"vit-tiny"})},
        {ModelFamilies::tr("Perceptron"), ModelFamilies::tr("rows of a table"), names({"mlp"})},
        {ModelFamilies::tr("BERT"), ModelFamilies::tr("sorts texts and their words"), names({"bert-small"})},
        {ModelFamilies::tr("GPT-2"), ModelFamilies::tr("goes on writing a text"), names({"gpt2"})},
        {ModelFamilies::tr("T5"), ModelFamilies::tr("turns one text into another"), names({"t5-small", "t5-large"})},
    };
    QStringList others = builtinModels();
    for (ModelFamily &family : families) {
        for (const QString &name : std::as_const(family.models))
            others.removeAll(name);
    }
    if (!others.isEmpty())
        families.push_back({ModelFamilies::tr("Others"), {}, others});
    return families;
}

}  // namespace hearth
