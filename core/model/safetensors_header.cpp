#include "core/model/safetensors_header.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/base/json_reader.h"
#include "core/model/safetensors.h"

namespace hearth::detail {
namespace {

constexpr qsizetype longestName = 1000;
constexpr auto metadataKey = QLatin1String("__metadata__");

/// Whole numbers from 0 to 2^53, the largest that JSON carries exactly here.
std::optional<qint64> wholeNumber(const QJsonValue &value) {
    const double real = value.toDouble(-1);
    if (!value.isDouble() || !(real >= 0) || real > 9007199254740992.0 || real != std::floor(real))
        return std::nullopt;
    return static_cast<qint64>(real);
}

/// The keys of the outermost object as written. QJsonDocument keeps the last of two equal keys without a word, but a
/// tensor that is there twice must not pass. Only called on text that has parsed as JSON.
qsizetype countOuterKeys(const QByteArray &text) {
    qsizetype keys = 0;
    int depth = 0;
    bool inString = false;
    for (qsizetype i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\')
                ++i;
            else if (c == '"')
                inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (c == '}' || c == ']') {
            --depth;
        } else if (c == ':' && depth == 1) {
            ++keys;
        }
    }
    return keys;
}

Result<TensorEntry> readEntry(const QString &name, const QJsonObject &object, qint64 dataBytes, const QString &source) {
    const auto bad = [&](const Sentence &cause) {
        return malformedSafetensors(source, sentence("Tensor \"%1\": %2").arg(name.left(100), cause));
    };
    for (const QString &key : object.keys()) {
        if (key != QLatin1String("dtype") && key != QLatin1String("shape") && key != QLatin1String("data_offsets"))
            return bad(sentence("the key \"%1\" is unknown.").arg(key.left(60)));
    }
    TensorEntry entry;
    entry.name = name;
    const QString dtypeName = object.value(QLatin1String("dtype")).toString();
    const auto dtype = dtypeFromSafetensors(dtypeName);
    if (!dtype)
        return bad(sentence("the element type \"%1\" is not supported.").arg(dtypeName.left(20)));
    entry.dtype = *dtype;

    const QJsonValue shape = object.value(QLatin1String("shape"));
    const QJsonArray dims = shape.toArray();
    if (!shape.isArray() || dims.size() > SafetensorsLimits::rank)
        return bad(sentence("\"shape\" is not a list of at most %1 dimensions.").arg(SafetensorsLimits::rank));
    qint64 bytes = byteSize(*dtype);
    for (const QJsonValue dim : dims) {
        const auto size = wholeNumber(dim);
        if (!size || __builtin_mul_overflow(bytes, *size, &bytes))
            return bad(sentence("its shape is not made of whole numbers, or is too large."));
        entry.shape.push_back(*size);
    }

    const QJsonArray offsets = object.value(QLatin1String("data_offsets")).toArray();
    const auto begin = wholeNumber(offsets.at(0)), end = wholeNumber(offsets.at(1));
    if (offsets.size() != 2 || !begin || !end || *begin > *end || *end > dataBytes)
        return bad(
            sentence("its offsets do not lie within the %1 bytes of data (is the file cut short?).").arg(dataBytes));
    entry.begin = *begin;
    entry.end = *end;
    if (entry.end - entry.begin != bytes) {
        return bad(sentence("it has %1 bytes, but its type and shape %2 need %3.")
                       .arg(entry.end - entry.begin)
                       .arg(shapeText(entry.shape))
                       .arg(bytes));
    }
    return entry;
}

}  // namespace

tl::unexpected<Error> malformedSafetensors(const QString &source, const Sentence &cause) {
    return fail(QStringLiteral("weights.malformed"), sentence("%1 is not a valid safetensors file.").arg(source), cause,
                sentence("Save the weights again, or choose another file."));
}

Result<std::vector<TensorEntry>> parseSafetensorsHeader(const QByteArray &header, qint64 dataBytes,
                                                        const QString &source) {
    if (!header.startsWith('{'))
        return malformedSafetensors(source, sentence("Its header does not begin with a brace."));
    const auto object = parseJsonObject(header, source);
    if (!object)
        return malformedSafetensors(source, sentence("Its header is not a JSON object. %1").arg(object.error().cause));
    if (countOuterKeys(header) != object->size())
        return malformedSafetensors(source, sentence("A tensor name is there twice."));
    if (object->size() > SafetensorsLimits::tensors)
        return malformedSafetensors(source, sentence("It has %1 tensors, too many.").arg(object->size()));
    std::vector<TensorEntry> entries;
    for (auto it = object->constBegin(); it != object->constEnd(); ++it) {
        if (!it->isObject())
            return malformedSafetensors(source, sentence("\"%1\" is not an object.").arg(it.key().left(100)));
        if (it.key() == metadataKey)
            continue;
        if (it.key().size() > longestName)
            return malformedSafetensors(source,
                                        sentence("A tensor name has more than %1 characters.").arg(longestName));
        auto entry = readEntry(it.key(), it->toObject(), dataBytes, source);
        if (!entry)
            return tl::unexpected(entry.error());
        entries.push_back(std::move(*entry));
    }
    std::sort(entries.begin(), entries.end(), [](const TensorEntry &a, const TensorEntry &b) {
        return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
    });
    qint64 expected = 0;
    for (const TensorEntry &entry : entries) {
        if (entry.begin != expected) {
            return malformedSafetensors(
                source,
                sentence("Tensor \"%1\" begins at byte %2 of the data instead of %3: there is a hole or an overlap.")
                    .arg(entry.name.left(100))
                    .arg(entry.begin)
                    .arg(expected));
        }
        expected = entry.end;
    }
    if (expected != dataBytes) {
        return malformedSafetensors(
            source, sentence("Its tensors cover %1 bytes of data, but there are %2.").arg(expected).arg(dataBytes));
    }
    return entries;
}

std::map<QString, QString> metadataIn(const QByteArray &header) {
    const QJsonObject strings = QJsonDocument::fromJson(header)[metadataKey].toObject();
    std::map<QString, QString> metadata;
    for (auto each = strings.begin(); each != strings.end(); ++each) {
        if (each->isString())
            metadata[each.key()] = each->toString();
    }
    return metadata;
}

QByteArray makeSafetensorsHeader(const std::vector<NamedTensor> &tensors, const std::map<QString, QString> &metadata) {
    QJsonObject header;
    if (!metadata.empty()) {
        QJsonObject strings;
        for (const auto &[key, value] : metadata)
            strings[key] = value;
        header[metadataKey] = strings;
    }
    qint64 offset = 0;
    for (const NamedTensor &tensor : tensors) {
        Q_ASSERT(!header.contains(tensor.spec.name));
        const qint64 end = offset + tensor.spec.bytes(tensor.dtype);
        header[tensor.spec.name] = QJsonObject{{QStringLiteral("dtype"), safetensorsName(tensor.dtype)},
                                               {QStringLiteral("shape"), shapeJson(tensor.spec.shape)},
                                               {QStringLiteral("data_offsets"), QJsonArray{offset, end}}};
        offset = end;
    }
    QByteArray text = QJsonDocument(header).toJson(QJsonDocument::Compact);
    text.append((8 - text.size() % 8) % 8, ' ');
    return text;
}

bool codePointLess(const QString &a, const QString &b) {
    return a.toUtf8() < b.toUtf8();
}

}  // namespace hearth::detail
