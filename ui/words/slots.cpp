#include "ui/words/slots.h"

#include <QCoreApplication>
#include <QStringList>
#include <utility>

#include "core/model/cut_slots.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

struct Slots {
    Q_DECLARE_TR_FUNCTIONS(Slots)
};

/// As PyTorch calls it.
QString typeName(DType type) {
    switch (type) {
        case DType::Float32:
            return QStringLiteral("float32");
        case DType::Float64:
            return QStringLiteral("float64");
        case DType::Int64:
            return QStringLiteral("int64");
        case DType::UInt8:
            return QStringLiteral("uint8");
        case DType::Int32:
            return QStringLiteral("int32");
        case DType::Float16:
            return QStringLiteral("float16");
        case DType::BFloat16:
            return QStringLiteral("bfloat16");
    }
    return {};
}

QString shapeOf(const Slot &slot) {
    return slot.shape.empty() ? QStringLiteral("1") : shapeText(slot.shape);
}

}  // namespace

std::vector<std::vector<NamedSlot>> namedSlots(const Model &model, DType type) {
    QStringList names;
    for (const ModelInput &input : model.inputs)
        names << input.name;
    std::vector<std::vector<NamedSlot>> cuts;
    const auto add = [&](std::size_t cut) {
        std::vector<NamedSlot> &named = cuts.emplace_back();
        for (const Slot &slot : cutSlots(model, cut, type))
            named.push_back({names.value(static_cast<int>(named.size())), slot});
    };
    add(0);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const Layer &layer = model.layers[i];
        QStringList given;
        for (const int value : layer.outputs) {
            const auto op = static_cast<std::size_t>(value - names.size());
            given << (value < names.size() ? names[value] : model.isGraph ? layer.ops[op].name : layer.name);
        }
        names = std::move(given);
        add(i + 1);
    }
    return cuts;
}

QString formatSlot(const Slot &slot) {
    return slot.dtype == DType::Int64 ? shapeOf(slot) + QChar(QChar::Nbsp) + typeName(slot.dtype) : shapeOf(slot);
}

QString formatSlots(const std::vector<NamedSlot> &slots) {
    QStringList texts;
    for (const NamedSlot &each : slots)
        texts << formatSlot(each.slot);
    return texts.join(QStringLiteral(" + "));
}

qint64 bytesOf(const std::vector<NamedSlot> &slots) {
    qint64 bytes = 0;
    for (const NamedSlot &each : slots)
        bytes += each.slot.bytes();
    return bytes;
}

QString describeSlots(const std::vector<NamedSlot> &slots) {
    QStringList lines;
    for (const NamedSlot &each : slots) {
        const QString line =
            each.slot.needsGradient ? Slots::tr("%1: %2 %3, %4, and its gradient back") : Slots::tr("%1: %2 %3, %4");
        lines << line.arg(each.name, shapeOf(each.slot), typeName(each.slot.dtype), formatBytes(each.slot.bytes()));
    }
    return lines.join(QLatin1Char('\n'));
}

}  // namespace hearth
