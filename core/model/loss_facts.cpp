#include "core/model/loss_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace hearth {
namespace {

/// {…, classes} scores have {…} labels: one for a sample or for each of its tokens.
Slot classNumbers(const Shape &output) {
    return {DType::Int64, Shape(output.begin(), output.end() - 1), false};
}

/// As many as outputs; of a single one a label is a single number.
Slot realNumbers(const Shape &output) {
    return {DType::Float32, output == Shape{1} ? Shape{} : output, false};
}

template <class T, class Counts>
qint64 countIf(std::span<const std::byte> labels, Counts counts) {
    qint64 count = 0;
    for (std::size_t at = 0; at < labels.size(); at += sizeof(T)) {
        T label{};
        std::memcpy(&label, labels.data() + at, sizeof label);
        count += counts(label) ? 1 : 0;
    }
    return count;
}

qint64 notIgnored(std::span<const std::byte> labels) {
    return countIf<qint64>(labels, [](qint64 label) { return label != ignoredLabel; });
}

qint64 numbers(std::span<const std::byte> labels) {
    return countIf<float>(labels, [](float label) { return !std::isnan(label); });
}

const auto &all() {
    using Answers = LossFacts::Answers;
    static const std::array losses{
        LossFacts{crossEntropyName(), classNumbers, notIgnored, Answers::Classes},
        LossFacts{QStringLiteral("binary-cross-entropy"), realNumbers, numbers, Answers::YesOrNo},
        LossFacts{meanSquaredErrorName(), realNumbers, numbers, Answers::Numbers}};
    return losses;
}

}  // namespace

QString crossEntropyName() {
    return QStringLiteral("cross-entropy");
}

QString meanSquaredErrorName() {
    return QStringLiteral("mean-squared-error");
}

qint64 LossFacts::classesOf(const Shape &output) const {
    switch (answers) {
        case Answers::Classes:
            return output.back();
        case Answers::YesOrNo:
            return 2;
        case Answers::Numbers:
            break;
    }
    return 0;
}

const LossFacts *LossFacts::byName(const QString &name) {
    const auto found = std::ranges::find(all(), name, &LossFacts::name);
    return found == all().end() ? nullptr : &*found;
}

QStringList LossFacts::names() {
    QStringList names;
    for (const LossFacts &loss : all())
        names << loss.name;
    return names;
}

}  // namespace hearth
