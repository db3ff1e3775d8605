#include "core/model/families/text_head.h"

#include <array>
#include <utility>

namespace hearth {
namespace {

constexpr std::array<std::pair<TextHead, const char *>, 5> headNames{
    {{TextHead::SequenceClassification, "sequence-classification"},
     {TextHead::TokenClassification, "token-classification"},
     {TextHead::MaskedLanguage, "masked-language"},
     {TextHead::CausalLanguage, "causal-language"},
     {TextHead::SequenceToSequence, "sequence-to-sequence"}}};

}  // namespace

QString textHeadName(TextHead head) {
    for (const auto &[each, name] : headNames) {
        if (each == head)
            return QLatin1String(name);
    }
    return {};
}

std::optional<TextHead> textHeadFrom(const QString &name) {
    for (const auto &[head, each] : headNames) {
        if (name == QLatin1String(each))
            return head;
    }
    return std::nullopt;
}

QStringList textHeadNames() {
    QStringList list;
    for (const auto &[head, name] : headNames)
        list << QLatin1String(name);
    return list;
}

}  // namespace hearth
