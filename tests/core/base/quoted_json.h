// JSON within the source of a test.
#pragma once

#include <QJsonObject>

#include "core/base/json_reader.h"

namespace hearth::test {

/// In a notation where ' stands for ". Ends the program where it is none.
inline QJsonObject quotedJson(QByteArray text) {
    const auto object = parseJsonObject(text.replace('\'', '"'), QStringLiteral("test"));
    if (!object)
        qFatal("the test's own JSON is wrong: %s", qPrintable(object.error().toString()));
    return *object;
}

}  // namespace hearth::test
