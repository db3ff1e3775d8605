// Attention, which exporters write as two products with a softmax between: one op again, whose kernel keeps less.
#include <QJsonArray>
#include <array>
#include <cmath>

#include "core/model/import/onnx_scores.h"
#include "core/model/model.h"

namespace hearth::onnx_import {
namespace {

/// How elements lie among those of a value without gaps, {size, stride} for each dimension; dimensions of one element
/// left out, neighbours that lie like one dimension joined. So equal layouts are equal.
using Layout = std::vector<std::pair<qint64, qint64>>;

Layout simplest(const Layout &given) {
    Layout layout;
    for (const auto &[size, stride] : given) {
        if (size == 1)
            continue;
        if (!layout.empty() && layout.back().second == size * stride)
            layout.back() = {layout.back().first * size, stride};
        else
            layout.emplace_back(size, stride);
    }
    return layout;
}

/// With one entry for each dimension of `shape`; nothing where the elements would have to move.
std::optional<Layout> laidOut(const Layout &given, const Shape &shape) {
    Layout parts = simplest(given), layout;
    for (std::size_t i = shape.size(); i-- > 0;) {
        const qint64 size = shape[i];
        if (size == 1) {
            layout.insert(layout.begin(), {1, 0});
            continue;
        }
        if (parts.empty() || parts.back().first % size != 0)
            return std::nullopt;
        auto &[left, stride] = parts.back();
        layout.insert(layout.begin(), {size, stride});
        left /= size;
        stride *= size;
        if (left == 1)
            parts.pop_back();
    }
    return layout;
}

/// By op, who alone takes what it gives, or -1.
std::vector<int> soleTakers(const Draft &draft) {
    const std::vector<int> uses = draft.uses();
    std::vector<int> takers(draft.ops.size(), -1);
    for (std::size_t i = 0; i < draft.ops.size(); ++i) {
        if (draft.ops[i].is("parameter"))
            continue;
        for (const int value : draft.ops[i].from) {
            if (uses[static_cast<std::size_t>(value)] == 1)
                takers[static_cast<std::size_t>(value)] = static_cast<int>(i);
        }
    }
    return takers;
}

class AttentionJoiner {
  public:
    AttentionJoiner(Draft &draft, const std::map<QString, OnnxTensor> &tensors)
        : m_draft(draft),
          m_count(static_cast<int>(draft.ops.size())),
          m_takers(soleTakers(draft)),
          m_scores(draft, m_takers, tensors) {
        for (const DraftOp &each : draft.ops)
            m_names.insert(each.name);
    }

    void join() {
        for (int i = 0; i < m_count; ++i) {
            if (op(i).is("softmax") && op(i).number("axis") == -1)
                joinAround(i);
        }
        if (!m_added.empty())
            bringInOrder();
    }

  private:
    struct Sizes {
        qint64 heads = 1, queries = 1, keys = 1, features = 1;  // features of a head
        qint64 all() const { return heads * features; }
    };

    static constexpr int longestChain = 8;  // of views and factors

    DraftOp &op(int i) { return m_draft.at(i); }
    int first(int i) { return op(i).from.front(); }
    /// Who alone takes what op `i` gives, or -1.
    int taker(int i) const { return m_takers[static_cast<std::size_t>(i)]; }
    bool isView(int i) { return op(i).is("reshape") || op(i).is("flatten") || op(i).is("transpose"); }
    bool isFactor(int i) { return op(i).is("scale") && op(i).number("offset") == 0; }

    std::optional<Layout> viewed(int i, const Layout &layout) {
        if (!op(i).is("transpose"))
            return laidOut(layout, op(i).shape);
        auto before = laidOut(layout, op(first(i)).shape);
        if (!before)
            return std::nullopt;
        Layout after;
        for (const QJsonValue axis : op(i).parameters.value(QLatin1String("axes")).toArray())
            after.push_back(before->at(static_cast<std::size_t>(axis.toInt())));
        return after;
    }

    static bool isContiguous(const Layout &layout) {
        const Layout simple = simplest(layout);
        return simple.empty() || (simple.size() == 1 && simple.front().second == 1);
    }

    void joinAround(int softmax) {
        const auto scores = m_scores.read(softmax);
        if (!scores)
            return;
        const int queries = op(scores->product).from[0], keys = op(scores->product).from[1];
        double dropout = 0;
        int weighted = softmax, product = taker(softmax);
        if (product >= 0 && op(product).is("dropout")) {
            dropout = op(product).number("probability");
            weighted = product;
            product = taker(product);
        }
        constexpr double mostDropout = 0.99;
        if (product < 0 || !op(product).is("matmul") || op(product).from[0] != weighted || dropout > mostDropout)
            return;
        const int values = op(product).from[1];
        const Shape q = op(queries).shape, k = op(keys).shape, v = op(values).shape;
        if (q.size() < 2 || k.size() != q.size() || v.size() != q.size())
            return;
        const Shape heads(q.begin(), q.end() - 2);
        if (Shape(k.begin(), k.end() - 2) != heads || Shape(v.begin(), v.end() - 2) != heads || v.back() != q.back())
            return;
        const Sizes sizes{elementCount(heads), q[q.size() - 2], k.back(), q.back()};
        if (scores->mask >= 0 && !fits(scores->mask, sizes))
            return;
        const int last = end(product, sizes);
        if (last < 0)
            return;
        double factor = scores->factor;
        const qint64 h = sizes.heads, d = sizes.features, all = sizes.all();
        const std::array from{
            operand(queries, {sizes.queries, all}, {{h, d}, {sizes.queries, all}, {d, 1}}, {1, 0, 2}, last, &factor),
            operand(keys, {sizes.keys, all}, {{h, d}, {d, 1}, {sizes.keys, all}}, {2, 0, 1}, last, &factor),
            operand(values, {sizes.keys, all}, {{h, d}, {sizes.keys, all}, {d, 1}}, {1, 0, 2}, last, nullptr)};
        constexpr double largest = 1e30;  // that an op may scale by
        if (!(std::abs(factor) <= largest))
            return;
        DraftOp attention;
        attention.kind = QStringLiteral("attention");
        attention.parameters = {{QStringLiteral("heads"), h}};
        if (scores->isCausal)
            attention.parameters[QLatin1String("causal")] = true;
        if (const double usual = 1 / std::sqrt(static_cast<double>(d)); std::abs(factor - usual) > 1e-14 * usual)
            attention.parameters[QLatin1String("scale")] = factor;
        if (dropout > 0)
            attention.parameters[QLatin1String("dropout")] = dropout;
        attention.from.assign(from.begin(), from.end());
        if (scores->mask >= 0)
            attention.from.push_back(scores->mask);
        attention.shape = {sizes.queries, all};
        const QString &old = op(last).name;
        attention.name = freshName(old.left(old.lastIndexOf(QLatin1Char('/')) + 1) + QStringLiteral("attention"));
        if (op(last).shape == attention.shape) {
            op(last) = std::move(attention);
            return;
        }
        const int made = add(last, std::move(attention));
        op(last).from = {made};
        op(last).kind = QStringLiteral("reshape");
        op(last).parameters = {{QStringLiteral("shape"), toArray(op(last).shape)}};
    }

    bool fits(int mask, const Sizes &sizes) {
        return op(mask).shape == Shape{sizes.keys} || op(mask).shape == Shape{sizes.queries, sizes.keys};
    }

    /// The op after which the heads lie side by side, tokens × features if there is such a one; -1: there is none.
    int end(int product, const Sizes &sizes) {
        const qint64 all = sizes.all();
        std::optional<Layout> layout = Layout{{sizes.heads, sizes.features}, {sizes.queries, all}, {sizes.features, 1}};
        int found = -1;
        for (int i = product, steps = 0; steps < longestChain; ++steps) {
            if (isContiguous(*layout)) {
                if (op(i).shape == Shape{sizes.queries, all})
                    return i;
                found = found < 0 ? i : found;
            }
            i = taker(i);
            if (i < 0 || !isView(i) || !(layout = viewed(i, *layout)))
                break;
        }
        return found;
    }

    /// What op `i` gives as tokens × features (`shape`): where it came from, or what `axes` make of it. `wanted` is how
    /// it lies among those; factors on the way go into `factor`.
    int operand(int i, const Shape &shape, const Layout &wanted, const std::array<int, 3> &axes, int before,
                double *factor) {
        std::vector<int> chain;
        int base = i, best = -1;
        double own = 1, bestOwn = 1;
        for (;;) {
            std::optional<Layout> layout = Layout{{elementCount(op(base).shape), 1}};
            for (auto step = chain.rbegin(); step != chain.rend() && layout; ++step) {
                if (isView(*step))
                    layout = viewed(*step, *layout);
            }
            const bool matches = layout && simplest(*layout) == simplest(wanted);
            if (matches && (best < 0 || op(best).shape != shape || op(base).shape == shape)) {
                best = base;
                bestOwn = own;
            }
            if (static_cast<int>(chain.size()) == longestChain || !(isView(base) || (factor && isFactor(base))))
                break;
            if (isFactor(base))
                own *= op(base).number("factor");
            chain.push_back(base);
            base = first(base);
        }
        if (best >= 0 && factor)
            *factor *= bestOwn;
        if (best < 0) {
            // It is computed head by head.
            const Shape given = op(i).shape;
            const Shape three{elementCount(Shape(given.begin(), given.end() - 2)), given[given.size() - 2],
                              given.back()};
            const int split = reshaped(i, three, before);
            Shape turned;
            QJsonArray order;
            for (const int axis : axes) {
                turned.push_back(three[static_cast<std::size_t>(axis)]);
                order.append(axis);
            }
            DraftOp transpose = beside(i, "transpose", split, turned);
            transpose.parameters = {{QStringLiteral("axes"), order}};
            best = add(before, std::move(transpose));
        }
        return reshaped(best, shape, before);
    }

    int reshaped(int i, const Shape &shape, int before) {
        if (op(i).shape == shape)
            return i;
        DraftOp reshape = beside(i, "reshape", i, shape);
        reshape.parameters = {{QStringLiteral("shape"), toArray(shape)}};
        return add(before, std::move(reshape));
    }

    DraftOp beside(int named, const char *kind, int from, Shape shape) {
        DraftOp made;
        made.name = freshName(op(named).name);
        made.kind = QLatin1String(kind);
        made.from = {from};
        made.shape = std::move(shape);
        return made;
    }

    int add(int before, DraftOp made) {
        m_draft.ops.push_back(std::move(made));
        m_added.emplace_back(before, static_cast<int>(m_draft.ops.size()) - 1);
        return m_added.back().second;
    }

    /// What was added, in front of what takes it.
    void bringInOrder() {
        std::stable_sort(m_added.begin(), m_added.end(),
                         [](const auto &a, const auto &b) { return a.first < b.first; });
        std::vector<int> places(m_draft.ops.size());
        std::vector<DraftOp> ordered;
        auto next = m_added.begin();
        for (int i = 0; i < m_count; ++i) {
            for (; next != m_added.end() && next->first == i; ++next) {
                places[static_cast<std::size_t>(next->second)] = static_cast<int>(ordered.size());
                ordered.push_back(std::move(op(next->second)));
            }
            places[static_cast<std::size_t>(i)] = static_cast<int>(ordered.size());
            ordered.push_back(std::move(op(i)));
        }
        for (DraftOp &each : ordered) {
            for (int &value : each.from)
                value = places[static_cast<std::size_t>(value)];
        }
        m_draft.ops = std::move(ordered);
        m_draft.output = places[static_cast<std::size_t>(m_draft.output)];
    }

    QString freshName(const QString &wanted) {
        QString name = wanted;
        while (m_names.contains(name))
            name = QStringLiteral("%1.%2").arg(wanted).arg(++m_counts[wanted]);
        m_names.insert(name);
        return name;
    }

    Draft &m_draft;
    const int m_count;  // of ops, without those that are added
    const std::vector<int> m_takers;
    ScoresReader m_scores;
    QSet<QString> m_names;
    QHash<QString, int> m_counts;              // of names that were there already
    std::vector<std::pair<int, int>> m_added;  // in front of which op, which one
};

}  // namespace

void joinAttention(Draft &draft, const std::map<QString, OnnxTensor> &tensors) {
    AttentionJoiner(draft, tensors).join();
    draft.dropUnused();
}

}  // namespace hearth::onnx_import
