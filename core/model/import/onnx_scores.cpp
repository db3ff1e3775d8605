#include "core/model/import/onnx_scores.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/model/model.h"

namespace hearth::onnx_import {
namespace {

/// exp() of less than this below the largest score is zero, in float64 too.
constexpr double hidingScore = -1e3;
constexpr int longestScores = 8;  // ops from the softmax to the product, or of a mask

/// Whether something of shape `own` says the same of all heads' scores.
bool isOverScores(const Shape &own, const Shape &scores) {
    if (own.size() > scores.size() || scores.size() < 2)
        return false;
    for (std::size_t k = 0; k < own.size(); ++k) {
        const bool isOfHeads = k + 2 < own.size();
        if (own[k] != 1 && (isOfHeads || own[k] != scores[scores.size() - own.size() + k]))
            return false;
    }
    return true;
}

/// `marks` of a constant of shape `own`, broadcast to the scores of one head.
std::vector<bool> overScores(const std::vector<bool> &marks, const Shape &own, const Shape &scores) {
    const auto queries = static_cast<std::size_t>(scores[scores.size() - 2]);
    const auto keys = static_cast<std::size_t>(scores.back());
    const bool byQuery = own.size() > 1 && own[own.size() - 2] != 1, byKey = !own.empty() && own.back() != 1;
    std::vector<bool> all(queries * keys);
    for (std::size_t t = 0; t < queries; ++t) {
        for (std::size_t s = 0; s < keys; ++s)
            all[t * keys + s] = marks[(byQuery ? t : 0) * (byKey ? keys : 1) + (byKey ? s : 0)];
    }
    return all;
}

/// Query i sees keys 0 to i.
bool hidesTheFuture(const std::vector<bool> &hidden, const Shape &scores) {
    const auto queries = static_cast<std::size_t>(scores[scores.size() - 2]);
    const auto keys = static_cast<std::size_t>(scores.back());
    for (std::size_t t = 0; t < queries; ++t) {
        for (std::size_t s = 0; s < keys; ++s) {
            if (hidden[t * keys + s] != (s > t))
                return false;
        }
    }
    return true;
}

}  // namespace

std::optional<Scores> ScoresReader::read(int softmax) {
    Scores scores;
    Hidden hidden;
    int i = op(softmax).from.front();
    const Shape shape = op(i).shape;
    for (int steps = 0; steps < longestScores && m_takers[static_cast<std::size_t>(i)] >= 0; ++steps) {
        const std::vector<int> &from = op(i).from;
        if (op(i).is("matmul")) {
            scores.product = i;
            const bool hides = std::find(hidden.begin(), hidden.end(), true) != hidden.end();
            scores.isCausal = hides && hidesTheFuture(hidden, shape);
            return hides == scores.isCausal ? std::optional(scores) : std::nullopt;
        }
        if (op(i).is("scale") && op(i).number("offset") == 0) {
            scores.factor *= op(i).number("factor");
            i = from.front();
            continue;
        }
        if (from.size() != 2 || (!op(i).is("add") && !op(i).is("mul")))
            return std::nullopt;
        int rest = -1;
        for (const int side : from) {
            const int other = side == from[0] ? from[1] : from[0];
            if (rest < 0 && op(side).shape == shape &&
                (op(i).is("add") ? addMask(other, shape, scores, hidden) : isMasked(other, shape, hidden)))
                rest = side;
        }
        if (rest < 0)
            return std::nullopt;
        i = rest;
    }
    return std::nullopt;
}

bool ScoresReader::addMask(int i, const Shape &shape, Scores &scores, Hidden &hidden) {
    if (const auto known = constant(i, shape)) {
        std::vector<bool> marks(known->elements.size());
        for (std::size_t e = 0; e < marks.size(); ++e) {
            marks[e] = known->elements[e] * scores.factor <= hidingScore;
            if (!marks[e] && known->elements[e] != 0)
                return false;
        }
        const Hidden more = overScores(marks, op(i).shape, shape);
        hidden.resize(more.size());
        std::transform(more.begin(), more.end(), hidden.begin(), hidden.begin(), std::logical_or<>());
        return true;
    }
    // (1 - mask) times a large negative number, for keys or for each query
    if (!isOverScores(op(i).shape, shape) || op(i).shape.empty() || op(i).shape.back() != shape.back())
        return false;
    double factor = 1, offset = 0;
    int steps = 0;
    for (; steps < longestScores && (op(i).is("scale") || op(i).is("reshape")); ++steps) {
        if (op(i).is("scale")) {
            offset += factor * op(i).number("offset");
            factor *= op(i).number("factor");
        }
        i = op(i).from.front();
    }
    if (!op(i).is("cast") || op(i).isWhole || scores.mask >= 0 || factor + offset != 0 ||
        !(offset * scores.factor <= hidingScore))
        return false;
    i = op(i).from.front();
    for (; steps < longestScores && op(i).is("reshape"); ++steps)
        i = op(i).from.front();
    scores.mask = i;
    return true;
}

/// A product with ones, and with zeros where the scores are hidden anyway.
bool ScoresReader::isMasked(int i, const Shape &shape, const Hidden &hidden) {
    const auto known = constant(i, shape);
    if (!known)
        return false;
    std::vector<bool> marks(known->elements.size());
    for (std::size_t e = 0; e < marks.size(); ++e) {
        marks[e] = known->elements[e] == 0;
        if (!marks[e] && known->elements[e] != 1)
            return false;
    }
    const Hidden zero = overScores(marks, op(i).shape, shape);
    for (std::size_t e = 0; e < zero.size(); ++e) {
        if (zero[e] && (hidden.empty() || !hidden[e]))
            return false;
    }
    return true;
}

/// What value `i`, which all heads' scores get alike, is for any sample.
std::optional<Known> ScoresReader::constant(int i, const Shape &shape) {
    const Shape own = op(i).shape;
    if (!isOverScores(own, shape))
        return std::nullopt;
    for (int steps = 0; steps < longestScores && op(i).is("reshape"); ++steps)
        i = op(i).from.front();
    const qint64 count = shape[shape.size() - 2] * shape.back();
    const auto tensor = op(i).tensors.find(QStringLiteral("weight"));
    if (!op(i).is("parameter") || tensor == op(i).tensors.end() || count > m_room)
        return std::nullopt;
    m_room -= count;
    std::optional<Known> known;
    if (const auto found = m_draft.constants.find(tensor->second); found != m_draft.constants.end()) {
        known = found->second;
    } else if (const auto weight = m_tensors.find(tensor->second); weight != m_tensors.end()) {
        // A buffer of the module: as a mask of this kind nobody trains it. What says the same everywhere hides nothing:
        // it is a bias or a factor that begins so.
        if (const auto bytes = readTensorBytes(weight->second))
            known = knownFrom(weight->second, *bytes);
        if (known && std::ranges::adjacent_find(known->elements, std::not_equal_to<>()) == known->elements.end())
            return std::nullopt;
    }
    return known && static_cast<qint64>(known->elements.size()) == elementCount(own) ? known : std::nullopt;
}

}  // namespace hearth::onnx_import
