// Ops that exporters take apart. Each pattern looks from its last op backwards; what it replaces must have no other
// use.
#include <QJsonArray>
#include <cmath>

#include "core/model/import/onnx_draft.h"

namespace hearth::onnx_import {
namespace {

bool isNear(double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max(1.0, std::abs(b));
}

class Joiner {
  public:
    // Uses are counted once: what joins takes no value that its parts did not take, so a count is never too small.
    explicit Joiner(Draft &draft) : m_draft(draft), m_uses(draft.uses()) {
        for (const DraftOp &each : draft.ops)
            m_names.insert(each.name);
    }

    void join() {
        for (int i = 0; i < static_cast<int>(m_draft.ops.size()); ++i) {
            if (!joinActivation(i) && !joinNorm(i))
                joinAffine(i);
        }
    }

  private:
    DraftOp &op(int i) { return m_draft.at(i); }
    bool isSingle(int i) const { return m_uses[static_cast<std::size_t>(i)] == 1; }
    int first(int i) { return op(i).from.front(); }

    /// Whether op `i` is x * factor + offset.
    bool isScale(int i, double factor, double offset) {
        return op(i).is("scale") && isNear(op(i).number("factor"), factor) && isNear(op(i).number("offset"), offset);
    }
    bool isPower(int i, double exponent) { return op(i).is("power") && op(i).number("exponent") == exponent; }
    /// For "mul" and "add": the other of two inputs, where one is `known`; -1 where it is not there.
    int other(int i, int known) {
        const std::vector<int> &from = op(i).from;
        return from.size() != 2 ? -1 : from[0] == known ? from[1] : from[1] == known ? from[0] : -1;
    }
    /// What a scale by `factor` takes, or -1.
    int unscaled(int i, double factor) { return isScale(i, factor, 0) ? first(i) : -1; }

    void become(int i, const char *kind, int from, QJsonObject parameters = {}) {
        op(i).kind = QLatin1String(kind);
        op(i).parameters = std::move(parameters);
        op(i).from = {from};
    }

    bool joinActivation(int i) {
        if (op(i).is("mul") && op(i).from.size() == 2) {
            for (const int side : op(i).from) {
                const int x = other(i, side);
                if (op(side).is("sigmoid") && first(side) == x && isSingle(side)) {
                    become(i, "silu", x);
                    return true;
                }
                if (op(side).is("hard-sigmoid") && first(side) == x && isSingle(side)) {
                    become(i, "hard-swish", x);
                    return true;
                }
            }
        }
        for (const char *kind : {"none", "tanh"}) {
            if (const int x = gelu(i, kind); x >= 0) {
                become(i, "gelu", x, {{QStringLiteral("approximate"), QLatin1String(kind)}});
                return true;
            }
        }
        return false;
    }

    /// x of 0.5 * x * (1 + f(x)), in the orders that are written, or -1.
    int gelu(int i, const char *kind) {
        const auto product = [&](int m, bool halved) {
            // m = a * (1 + f(x)) with a = x, or x / 2
            if (!op(m).is("mul") || op(m).from.size() != 2)
                return -1;
            for (const int bracket : op(m).from) {
                if (!isScale(bracket, 1, 1))
                    continue;
                const int x = geluArgument(first(bracket), kind);
                const int a = other(m, bracket);
                if (x >= 0 && (halved ? a == x : unscaled(a, 0.5) == x))
                    return x;
            }
            return -1;
        };
        if (const int x = product(i, false); x >= 0)
            return x;
        if (const int inner = unscaled(i, 0.5); inner >= 0)
            return product(inner, true);
        // x * ((1 + f(x)) / 2)
        if (op(i).is("mul") && op(i).from.size() == 2) {
            for (const int half : op(i).from) {
                const int bracket = unscaled(half, 0.5);
                if (bracket < 0 || !isScale(bracket, 1, 1))
                    continue;
                const int x = geluArgument(first(bracket), kind);
                if (x >= 0 && other(i, half) == x)
                    return x;
            }
        }
        return -1;
    }

    /// x of erf(x / sqrt 2), or of tanh(sqrt(2 / pi) * (x + 0.044715 x^3)).
    int geluArgument(int f, const char *kind) {
        if (qstrcmp(kind, "none") == 0)
            return op(f).is("erf") ? unscaled(first(f), std::sqrt(0.5)) : -1;
        if (!op(f).is("tanh"))
            return -1;
        const int sum = unscaled(first(f), std::sqrt(2 / M_PI));
        if (sum < 0 || !op(sum).is("add") || op(sum).from.size() != 2)
            return -1;
        for (const int cubic : op(sum).from) {
            const int power = unscaled(cubic, 0.044715);
            if (power >= 0 && isPower(power, 3) && other(sum, cubic) == first(power))
                return first(power);
        }
        return -1;
    }

    /// How many last dimensions a mean goes over, all kept; 0 where it is no such mean.
    int meanDims(int i) {
        if (!op(i).is("mean") || !op(i).parameters.value(QLatin1String("keep")).toBool())
            return 0;
        const QJsonArray axes = op(i).parameters.value(QLatin1String("axes")).toArray();
        const auto rank = static_cast<int>(op(first(i)).shape.size());
        for (int k = 0; k < axes.size(); ++k) {
            if (axes[k].toInt() != rank - static_cast<int>(axes.size()) + k)
                return 0;
        }
        return static_cast<int>(axes.size());
    }

    /// epsilon and the squared value of sqrt(mean(v^2) + epsilon) over `dims`.
    int rootMeanSquare(int i, int &dims, double &epsilon) {
        if (!op(i).is("sqrt"))
            return -1;
        const int sum = first(i);
        if (!op(sum).is("scale") || op(sum).number("factor") != 1)
            return -1;
        epsilon = op(sum).number("offset");
        dims = meanDims(first(sum));
        if (dims == 0 || epsilon <= 0)
            return -1;
        const int square = first(first(sum));
        if (isPower(square, 2))
            return first(square);
        return op(square).is("mul") && op(square).from.size() == 2 && op(square).from[0] == op(square).from[1]
                   ? op(square).from[0]
                   : -1;
    }

    /// x of x - mean(x) over `dims`.
    int centred(int i, int dims) {
        if (!op(i).is("sub") || op(i).from.size() != 2)
            return -1;
        const int mean = op(i).from[1];
        return meanDims(mean) == dims && first(mean) == op(i).from[0] ? op(i).from[0] : -1;
    }

    /// (x - mean) / sqrt(variance + epsilon), and v / sqrt(mean(v^2) + epsilon).
    bool joinNorm(int i) {
        int dims = 0, value = -1, squared = -1;
        double epsilon = 0;
        if (op(i).is("div") && op(i).from.size() == 2) {
            value = op(i).from[0];
            squared = rootMeanSquare(op(i).from[1], dims, epsilon);
        } else if (op(i).is("mul") && op(i).from.size() == 2) {
            for (const int side : op(i).from) {
                if (op(side).is("reciprocal") && squared < 0) {
                    value = other(i, side);
                    squared = rootMeanSquare(first(side), dims, epsilon);
                }
            }
        }
        if (squared < 0)
            return false;
        if (const int x = centred(value, dims); x >= 0 && (squared == value || centred(squared, dims) == x)) {
            become(i, "layer-norm", x,
                   {{QStringLiteral("dims"), dims},
                    {QStringLiteral("epsilon"), epsilon},
                    {QStringLiteral("affine"), false}});
            return true;
        }
        if (value == squared && dims == 1)
            m_plainRms.insert(i, {value, epsilon});
        return false;
    }

    /// The name of the weight of a parameter that nothing else uses, seen through reshapes; empty: it is none.
    QString weightOf(int i, const Shape &shape) {
        i = unshaped(i);
        if (!op(i).is("parameter") || !isSingle(i) || op(i).isFrozen)
            return {};
        Shape own;
        for (const QJsonValue dim : op(i).parameters.value(QLatin1String("shape")).toArray())
            own.push_back(dim.toInteger());
        return own == shape ? op(i).tensors.at(QStringLiteral("weight")) : QString();
    }

    int unshaped(int i) {
        while (op(i).is("reshape") && isSingle(i))
            i = first(i);
        return i;
    }

    /// Whether op `i` broadcasts what it gives for channels over the rest.
    bool isPerChannel(int i, qint64 channels) {
        const Shape &shape = op(i).shape;
        return !shape.empty() && shape.front() == channels &&
               std::all_of(shape.begin() + 1, shape.end(), [](qint64 dim) { return dim == 1; });
    }

    void takeOver(int i, int norm) {
        // What was a product or sum is the norm itself; its name becomes the weight's.
        const DraftOp before = op(norm);
        op(i).kind = before.kind;
        op(i).parameters = before.parameters;
        op(i).from = before.from;
        op(i).tensors = before.tensors;
    }

    bool joinAffine(int i) {
        const bool product = op(i).is("mul"), sum = op(i).is("add");
        if ((!product && !sum) || op(i).from.size() != 2)
            return false;
        for (const int side : op(i).from) {
            const int rest = other(i, side);
            if (rest != side && isSingle(side) && !op(side).isFrozen &&
                (product ? joinWeight(i, side, rest) : joinBias(i, side, rest)))
                return true;
        }
        return false;
    }

    bool joinWeight(int i, int norm, int rest) {
        if (op(norm).is("layer-norm") && !op(norm).parameters.value(QLatin1String("affine")).toBool(true)) {
            const Shape &shape = op(norm).shape;
            const auto dims = static_cast<std::ptrdiff_t>(op(norm).number("dims"));
            const QString weight = weightOf(rest, Shape(shape.end() - dims, shape.end()));
            if (weight.isEmpty())
                return false;
            takeOver(i, norm);
            op(i).parameters[QLatin1String("affine")] = true;
            op(i).parameters[QLatin1String("bias")] = false;
            op(i).tensors[QStringLiteral("weight")] = weight;
            rename(i, weight, rest);
            return true;
        }
        if (!m_plainRms.contains(norm))
            return false;
        const QString weight = weightOf(rest, {op(norm).shape.back()});
        if (weight.isEmpty())
            return false;
        const auto [x, epsilon] = m_plainRms.value(norm);
        become(i, "rms-norm", x, {{QStringLiteral("epsilon"), epsilon}});
        op(i).tensors = {{QStringLiteral("weight"), weight}};
        rename(i, weight, rest);
        return true;
    }

    bool joinBias(int i, int side, int rest) {
        const DraftOp &before = op(side);
        if (before.is("mul"))
            return joinGroupNorm(i, side, rest);
        if ((!before.is("linear") && !before.is("layer-norm")) || before.tensors.size() != 1 ||
            before.parameters.value(QLatin1String("bias")).toBool(true))
            return false;
        const auto dims = before.is("linear") ? std::ptrdiff_t{1} : static_cast<std::ptrdiff_t>(before.number("dims"));
        const QString bias = weightOf(rest, Shape(before.shape.end() - dims, before.shape.end()));
        if (bias.isEmpty())
            return false;
        const QString name = before.name, spare = op(i).name;
        takeOver(i, side);
        op(i).name = name;
        op(side).name = spare;
        op(i).parameters[QLatin1String("bias")] = true;
        op(i).tensors[QStringLiteral("bias")] = bias;
        return true;
    }

    /// Group norm comes as a norm of each group between two reshapes, times weight, plus bias.
    bool joinGroupNorm(int i, int product, int bias) {
        if (op(product).from.size() != 2)
            return false;
        for (const int back : op(product).from) {
            const int weight = other(product, back);
            if (!op(back).is("reshape") || !isSingle(back) || !isSingle(first(back)))
                continue;
            const DraftOp norm = op(first(back));
            if (!norm.is("group-norm") || norm.parameters.value(QLatin1String("affine")).toBool(true) ||
                !op(norm.from.front()).is("reshape"))
                continue;
            const int x = first(norm.from.front());
            const Shape &shape = op(back).shape;
            if (op(x).shape != shape || shape.empty() || !isPerChannel(weight, shape.front()) ||
                !isPerChannel(bias, shape.front()))
                continue;
            const QString weightName = weightOf(weight, {shape.front()}), biasName = weightOf(bias, {shape.front()});
            if (weightName.isEmpty() || biasName.isEmpty())
                continue;
            QJsonObject parameters = norm.parameters;
            parameters[QLatin1String("affine")] = true;
            become(i, "group-norm", x, parameters);
            op(i).tensors = {{QStringLiteral("weight"), weightName}, {QStringLiteral("bias"), biasName}};
            rename(i, weightName, weight);
            return true;
        }
        return false;
    }

    /// After the weight, whose table `from` holds and is no longer used: it mostly has the name.
    void rename(int i, const QString &weight, int from) {
        const QString name = nameOfWeight(weight);
        if (DraftOp &table = op(unshaped(from)); table.name == name)
            std::swap(op(i).name, table.name);
        if (name.isEmpty() || m_names.contains(name))
            return;
        m_names.insert(name);
        op(i).name = name;
    }

    Draft &m_draft;
    std::vector<int> m_uses;
    QSet<QString> m_names;
    QHash<int, std::pair<int, double>> m_plainRms;  // an RMS norm but for its weight: what it takes, epsilon
};

}  // namespace

void joinPatterns(Draft &draft) {
    draft.dropUnused();
    Joiner(draft).join();
    draft.dropUnused();
}

}  // namespace hearth::onnx_import
