// Internal to core/model/import: Hugging Face's config.json.
#pragma once

#include "core/model/import/hugging_face.h"

namespace hearth::detail {

/// What a configuration says, as a network of Hearth.
struct ConfiguredModel {
    QJsonObject description;
    QString base;          // first part of names that a file of the bare network leaves out: "bert."
    QString architecture;  // the class that has this head: "BertForTokenClassification"
    qint64 classes = 0;    // of a head that has some, else 0
};

Result<ConfiguredModel> readConfig(const QJsonObject &config, const QString &name, const HeadOptions &options,
                                   const QString &source);
/// The values of "model_type" that readConfig() knows.
QStringList configuredTypes();

}  // namespace hearth::detail
