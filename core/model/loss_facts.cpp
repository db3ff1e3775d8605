#include "core/model/loss_facts.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace hearth {
namespace {

/// {…, classes} scores have {…} labels: one for a sample or for each of its tokens.
Slot classNumbers(const Shape &output) {
    return {DType::Int64, Shape(output.begin(), output.end() - 1), false};
}

qint64 notIgnored(std::span<const std::byte> labels) {
    qint64 count = 0;
    for (std::size_t at = 0; at < labels.size(); at += sizeof(qint64)) {
        qint64 label = 0;
        std::memcpy(&label, labels.data() + at, sizeof label);
        count += label != ignoredLabel;
    }
    return count;
}

const auto &all() {
    static const std::array losses{LossFacts{QStringLiteral("cross-entropy"), classNumbers, notIgnored}};
    return losses;
}

}  // namespace

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
