#include "core/model/op.h"

#include <array>

namespace hearth::detail {
namespace {

struct Word {
    OpKind kind;
    const char *name;
};

constexpr std::array words{
    Word{OpKind::Convolution, "convolution"},
    Word{OpKind::Convolution, "depthwise"},
    Word{OpKind::BatchNorm, "batch-norm"},
    Word{OpKind::ReLU, "relu"},
    Word{OpKind::ReLU6, "relu6"},
    Word{OpKind::MaxPool, "max-pool"},
    Word{OpKind::AveragePool, "average-pool"},
    Word{OpKind::GlobalAveragePool, "global-average-pool"},
    Word{OpKind::Flatten, "flatten"},
    Word{OpKind::Linear, "linear"},
    Word{OpKind::Dropout, "dropout"},
};

constexpr int largestKernel = 1 << 10;

// Keeps sums over every op of the largest model inside 64 bits.
constexpr qint64 largestMacs = qint64{1} << 44;

bool isDepthwise(const Op &op) {
    return op.groups > 1 && op.groups == op.in && op.out == op.in;
}

tl::unexpected<Error> misfit(const QString &place, const Shape &got, const QString &expected, const QString &advice) {
    return fail(QStringLiteral("model.shape"), QStringLiteral("%1 does not fit.").arg(place),
                QStringLiteral("It gets %1 but expects %2.").arg(shapeText(got), expected), advice);
}

Result<void> checkSizes(const Op &op, const QString &place) {
    qint64 weights = 1;
    if (op.kind == OpKind::Convolution) {
        weights = qint64{op.out} * (op.in / op.groups) * op.kernel * op.kernel;
    } else if (op.kind == OpKind::Linear) {
        weights = qint64{op.out} * op.in;
    }
    for (const qint64 dimension : op.outputShape) {
        if (dimension > ModelLimits::dimension) {
            return fail(QStringLiteral("model.too-large"), QStringLiteral("%1 is too large.").arg(place),
                        QStringLiteral("It gives %1, and no dimension may exceed %2.")
                            .arg(shapeText(op.outputShape))
                            .arg(ModelLimits::dimension));
        }
    }
    if (weights > ModelLimits::elements || elementCount(op.outputShape) > ModelLimits::elements ||
        static_cast<double>(elementCount(op.outputShape)) * static_cast<double>(weights) / std::max(op.out, 1) >
            static_cast<double>(largestMacs)) {
        return fail(QStringLiteral("model.too-large"), QStringLiteral("%1 is too large.").arg(place),
                    QStringLiteral("Its weights or its output have more than %1 elements, or it takes more than %2 "
                                   "multiply-adds per sample.")
                        .arg(ModelLimits::elements)
                        .arg(largestMacs));
    }
    return {};
}

Result<void> fitWindow(Op &op, const QString &place) {
    for (std::size_t i = 1; i < 3; ++i) {
        const qint64 padded = op.inputShape[i] + 2 * op.padding;
        if (padded < op.kernel) {
            return misfit(place, op.inputShape,
                          QStringLiteral("at least %1 in height and width").arg(op.kernel - 2 * op.padding),
                          QStringLiteral("Use a smaller kernel, more padding, or fewer strides before it."));
        }
        op.outputShape[i] = (padded - op.kernel) / op.stride + 1;
    }
    return {};
}

}  // namespace

QStringList opKindNames() {
    QStringList names;
    for (const Word &word : words)
        names << QLatin1String(word.name);
    return names;
}

QString opKindName(const Op &op) {
    if (op.kind == OpKind::Convolution && isDepthwise(op))
        return QStringLiteral("depthwise");
    for (const Word &word : words) {
        if (word.kind == op.kind)
            return QLatin1String(word.name);
    }
    return {};
}

Op readOp(JsonReader &reader, const QString &kind) {
    Op op;
    for (const Word &word : words) {
        if (kind == QLatin1String(word.name))
            op.kind = word.kind;
    }
    const auto size = [&reader](const char *key, int minimum, int maximum,
                                std::optional<qint64> fallback = std::nullopt) {
        return static_cast<int>(reader.integer(key, minimum, maximum, fallback));
    };
    switch (op.kind) {
        case OpKind::Convolution:
            if (kind == QLatin1String("depthwise")) {
                op.groups = groupsOfDepthwise;
            } else {
                op.out = size("channels", 1, ModelLimits::dimension);
                op.groups = size("groups", 1, ModelLimits::dimension, 1);
            }
            op.kernel = size("kernel", 1, largestKernel);
            op.stride = size("stride", 1, largestKernel, 1);
            op.padding = size("padding", 0, largestKernel, 0);
            op.bias = reader.boolean("bias", true);
            break;
        case OpKind::BatchNorm:
            op.epsilon = reader.number("epsilon", 1e-12, 1.0, 1e-5);
            op.momentum = reader.number("momentum", 0.0, 1.0, 0.1);
            break;
        case OpKind::MaxPool:
        case OpKind::AveragePool:
            op.kernel = size("kernel", 1, largestKernel);
            op.stride = size("stride", 1, largestKernel, op.kernel);
            // Half a kernel at most: no window may lie wholly in the border.
            if (op.kind == OpKind::MaxPool)
                op.padding = size("padding", 0, op.kernel / 2, 0);
            break;
        case OpKind::Linear:
            op.out = size("features", 1, ModelLimits::dimension);
            op.bias = reader.boolean("bias", true);
            break;
        case OpKind::Dropout:
            op.probability = reader.number("probability", 0.0, 0.99, 0.5);
            break;
        case OpKind::ReLU:
        case OpKind::ReLU6:
        case OpKind::GlobalAveragePool:
        case OpKind::Flatten:
            break;
    }
    return op;
}

QJsonObject describeOp(const Op &op) {
    QJsonObject object{{QStringLiteral("kind"), opKindName(op)}};
    switch (op.kind) {
        case OpKind::Convolution:
            if (!isDepthwise(op)) {
                object[QStringLiteral("channels")] = op.out;
                object[QStringLiteral("groups")] = op.groups;
            }
            object[QStringLiteral("kernel")] = op.kernel;
            object[QStringLiteral("stride")] = op.stride;
            object[QStringLiteral("padding")] = op.padding;
            object[QStringLiteral("bias")] = op.bias;
            break;
        case OpKind::BatchNorm:
            object[QStringLiteral("epsilon")] = op.epsilon;
            object[QStringLiteral("momentum")] = op.momentum;
            break;
        case OpKind::MaxPool:
            object[QStringLiteral("padding")] = op.padding;
            [[fallthrough]];
        case OpKind::AveragePool:
            object[QStringLiteral("kernel")] = op.kernel;
            object[QStringLiteral("stride")] = op.stride;
            break;
        case OpKind::Linear:
            object[QStringLiteral("features")] = op.out;
            object[QStringLiteral("bias")] = op.bias;
            break;
        case OpKind::Dropout:
            object[QStringLiteral("probability")] = op.probability;
            break;
        case OpKind::ReLU:
        case OpKind::ReLU6:
        case OpKind::GlobalAveragePool:
        case OpKind::Flatten:
            break;
    }
    return object;
}

Result<void> fitOp(Op &op, const Shape &input, const QString &place) {
    const bool image = input.size() == 3;
    op.inputShape = input;
    op.outputShape = input;
    const bool needsImage = op.kind == OpKind::Convolution || op.kind == OpKind::BatchNorm ||
                            op.kind == OpKind::MaxPool || op.kind == OpKind::AveragePool ||
                            op.kind == OpKind::GlobalAveragePool;
    if (needsImage && !image) {
        return misfit(place, input, QStringLiteral("channels×height×width"),
                      QStringLiteral("Move it before the flatten."));
    }
    switch (op.kind) {
        case OpKind::Convolution:
            op.in = static_cast<int>(input[0]);
            if (op.groups == groupsOfDepthwise) {
                op.groups = op.in;
                op.out = op.in;
            }
            if (op.in % op.groups != 0 || op.out % op.groups != 0) {
                return misfit(place, input,
                              QStringLiteral("channels (in and out) that %1 groups divide").arg(op.groups),
                              QStringLiteral("Change \"groups\" or \"channels\"."));
            }
            op.outputShape[0] = op.out;
            if (auto fits = fitWindow(op, place); !fits)
                return fits;
            break;
        case OpKind::BatchNorm:
            op.in = op.out = static_cast<int>(input[0]);
            break;
        case OpKind::MaxPool:
        case OpKind::AveragePool:
            if (auto fits = fitWindow(op, place); !fits)
                return fits;
            break;
        case OpKind::GlobalAveragePool:
            op.outputShape = {input[0], 1, 1};
            break;
        case OpKind::Flatten:
            op.outputShape = {elementCount(input)};
            break;
        case OpKind::Linear:
            if (image)
                return misfit(place, input, QStringLiteral("a flat list of features"),
                              QStringLiteral("Put a flatten before it."));
            op.in = static_cast<int>(input[0]);
            op.outputShape = {op.out};
            break;
        case OpKind::ReLU:
        case OpKind::ReLU6:
        case OpKind::Dropout:
            break;
    }
    return checkSizes(op, place);
}

Op convolution(int channels, int kernel, int stride, bool bias) {
    Op op;
    op.kind = OpKind::Convolution;
    op.out = channels;
    op.kernel = kernel;
    op.stride = stride;
    op.padding = (kernel - 1) / 2;
    op.bias = bias;
    return op;
}

Op depthwise(int kernel, int stride) {
    Op op = convolution(0, kernel, stride, false);
    op.groups = groupsOfDepthwise;
    return op;
}

Op plain(OpKind kind) {
    Op op;
    op.kind = kind;
    return op;
}

qint64 macsOf(const Op &op) {
    if (op.kind == OpKind::Convolution)
        return elementCount(op.outputShape) * (op.in / op.groups) * op.kernel * op.kernel;
    return op.kind == OpKind::Linear ? qint64{op.in} * op.out : 0;
}

}  // namespace hearth::detail
