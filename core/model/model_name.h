// What a job calls a model.
#pragma once

#include <QJsonObject>
#include <QString>

namespace hearth {

/// A built-in name or a path and, after a colon, what is chosen of it: "bert-small:sequence=64,classes=3".
struct ModelName {
    QString base;
    QJsonObject options;  // numbers where they are some, else texts

    /// A file that is called so as a whole has no options: it is looked for.
    static ModelName split(const QString &nameOrPath);
    /// By the letters alone, for whoever must not wait for a disk.
    static ModelName written(const QString &nameOrPath);
    /// Options in order of their names.
    QString text() const;
};

}  // namespace hearth
