#include "tests/core/train/reference.h"

#include <torch/nn/functional/loss.h>

#include <cmath>
#include <numeric>

#include "core/base/generator.h"
#include "tests/core/train/plain_model.h"
#include "tests/core/train/plain_optimizer.h"

namespace hearth {
namespace {

/// Of all trainable tensors, in the model's order.
std::vector<NamedTensor> gradientsOf(const PlainModel &plain, DType dtype) {
    std::vector<NamedTensor> gradients;
    for (std::size_t l = 0; l < plain.model.layers.size(); ++l) {
        for (std::size_t i = 0; i < plain.tensors[l].size(); ++i) {
            const TensorSpec &spec = plain.model.layers[l].shape.tensors[i];
            if (spec.isTrainable() && !spec.tiedTo)
                gradients.push_back(namedCopy(spec, dtype, plain.tensors[l][i].grad()));
        }
    }
    return gradients;
}

/// Writes into the run how the weights do on samples that were not trained on.
void score(ReferenceRun &run, const PlainModel &plain, const SampleBatch &test, const InputTransform &input,
           torch::ScalarType type) {
    const torch::NoGradGuard guard;
    const torch::Tensor labels = plainLabels(test);
    const torch::Tensor logits = plain.forward(plainImages(test, input, type));
    const torch::Tensor right = logits.argmax(1).eq(labels);
    run.correct = static_cast<int>(right.sum().item<std::int64_t>());
    for (std::int64_t i = 0; i < right.size(0); ++i) {
        if (!right[i].item<bool>())
            run.wrong.insert(i);
    }
    run.testLossSum = crossEntropySum(logits, labels).item<double>();
}

/// What the others read of these, and what rounding took from them.
std::pair<torch::Tensor, torch::Tensor> rounded(const torch::Tensor &exact) {
    torch::Tensor read = torch::empty_like(exact);
    const double *from = exact.data_ptr<double>();
    double *to = read.data_ptr<double>();
    for (std::int64_t first = 0; first < exact.numel(); first += 64) {
        const std::int64_t end = std::min(first + 64, exact.numel());
        float largest = 0;
        for (std::int64_t i = first; i < end; ++i)
            largest = std::max(largest, std::abs(static_cast<float>(from[i])));
        // The next bfloat16 at or above, which 127 steps reach.
        float scale = largest / 127;
        int exponent = 0;
        const float fraction = std::frexp(scale, &exponent);
        scale = std::ldexp(std::ceil(std::ldexp(fraction, 8)), exponent - 8);
        for (std::int64_t i = first; i < end; ++i)
            to[i] = largest < 1e-30F ? 0 : std::nearbyint(static_cast<float>(from[i]) * (1 / scale)) * scale;
    }
    return {read, exact - read};
}

/// A member's samples of all micro-batches; `first`: its first one of each.
torch::Tensor samplesOf(std::int64_t first, std::int64_t share, std::int64_t microBatch, std::int64_t batch) {
    std::vector<torch::Tensor> its;
    for (std::int64_t at = first; at < batch; at += microBatch)
        its.push_back(torch::arange(at, at + share));
    return torch::cat(its);
}

/// The gradients as one vector with every tensor in a multiple of 16 numbers.
torch::Tensor flattened(const std::vector<torch::Tensor> &trainable) {
    std::vector<torch::Tensor> parts;
    for (const torch::Tensor &tensor : trainable) {
        parts.push_back(tensor.grad().flatten());
        parts.push_back(torch::zeros({(16 - tensor.numel() % 16) % 16}, torch::kDouble));
    }
    return torch::cat(parts);
}

/// And back.
void setGradients(const std::vector<torch::Tensor> &trainable, const torch::Tensor &flat) {
    std::int64_t at = 0;
    for (const torch::Tensor &tensor : trainable) {
        tensor.mutable_grad() = flat.narrow(0, at, tensor.numel()).view(tensor.sizes()).clone();
        at += (tensor.numel() + 15) / 16 * 16;
    }
}

}  // namespace

SampleBatch syntheticBatch(int size, int classes, quint64 seed) {
    SampleBatch batch;
    batch.sample = {1, 28, 28};
    const Generator generator(seed);
    for (int i = 0; i < size; ++i) {
        const Generator one = generator.child(static_cast<quint64>(i));
        const auto label = static_cast<qint64>(one.below(static_cast<quint64>(classes), 1));
        batch.labels.push_back(label);
        for (int y = 0; y < 28; ++y) {
            for (int x = 0; x < 28; ++x) {
                const auto noise = static_cast<quint8>(one.below(100, 2 + static_cast<quint64>(y * 28 + x)));
                const bool inside = x / 5 == label % 5 && y / 14 == label / 5;
                batch.images.push_back(static_cast<quint8>(noise + (inside ? 150 : 0)));
            }
        }
    }
    return batch;
}

ReferenceRun trainPlainly(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const SampleBatch &test) {
    const DType dtype = dtypeOf(training.precision);
    const torch::ScalarType type = plainType(dtype);
    const PlainModel plain = PlainModel::initialised(model, training);
    const std::vector<torch::Tensor> trainable = plain.trainable();
    const auto optimizer = plainOptimizer(training.optimizer, trainable);
    std::vector<torch::Tensor> averages;
    ReferenceRun run;
    for (const SampleBatch &batch : batches) {
        optimizer->zero_grad();
        const torch::Tensor loss =
            torch::nn::functional::cross_entropy(plain.forward(plainImages(batch, input, type)), plainLabels(batch),
                                                 torch::nn::functional::CrossEntropyFuncOptions()
                                                     .reduction(torch::kMean)
                                                     .label_smoothing(training.labelSmoothing));
        loss.backward();
        if (run.losses.empty())
            run.firstGradients = gradientsOf(plain, dtype);
        run.losses.push_back(loss.item<double>());
        const double limit = training.optimizer.clipNorm;
        run.norms.push_back(clipGradients(trainable, limit));
        run.clipped += limit > 0 && run.norms.back() > limit ? 1 : 0;
        const double factor =
            training.schedule.factor(static_cast<qint64>(run.losses.size()), static_cast<qint64>(batches.size()));
        setRate(*optimizer, training.optimizer.learningRate * factor);
        optimizer->step();
        const torch::NoGradGuard guard;
        for (std::size_t i = 0; training.optimizer.ema > 0 && i < trainable.size(); ++i) {
            if (run.losses.size() == 1)
                averages.push_back(trainable[i].detach().clone());
            else
                averages[i] = averages[i] * training.optimizer.ema + trainable[i] * (1 - training.optimizer.ema);
        }
    }
    for (std::size_t i = 0; i < averages.size(); ++i)
        trainable[i].set_data(averages[i]);
    run.weights = plain.weights(dtype);
    if (test.size() > 0)
        score(run, plain, test, input, type);
    return run;
}

ReferenceRun trainRounded(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<int> &shares) {
    const PlainModel plain = PlainModel::initialised(model, training);
    const std::vector<torch::Tensor> trainable = plain.trainable();
    const auto optimizer = plainOptimizer(training.optimizer, trainable);
    const std::int64_t microBatch = std::accumulate(shares.begin(), shares.end(), 0);
    std::vector<torch::Tensor> owed(shares.size());
    ReferenceRun run;
    for (const SampleBatch &batch : batches) {
        const torch::Tensor x = plainImages(batch, input, torch::kDouble), labels = plainLabels(batch);
        const auto round = run.losses.size() + 1;
        torch::Tensor sum;
        double loss = 0;
        std::int64_t first = 0;
        for (std::size_t member = 0; member < shares.size(); first += shares[member++]) {
            const torch::Tensor samples = samplesOf(first, shares[member], microBatch, batch.size());
            optimizer->zero_grad();
            const torch::Tensor own =
                crossEntropySum(plain.forward(x.index({samples})), labels.index({samples})) / batch.size();
            own.backward();
            loss += own.item<double>();
            torch::Tensor flat = flattened(trainable);
            if (owed[member].defined())
                flat = flat + owed[member];
            owed[member] = torch::zeros_like(flat);
            if (round % 16 != 0 && round != batches.size())
                std::tie(flat, owed[member]) = rounded(flat);
            sum = sum.defined() ? sum + flat : flat;
        }
        run.losses.push_back(loss);
        setGradients(trainable, sum);
        optimizer->step();
    }
    run.weights = plain.weights(DType::Float64);
    return run;
}

double relativeDifference(const NamedTensor &actual, const NamedTensor &expected) {
    if (actual.spec.shape != expected.spec.shape || actual.dtype != expected.dtype)
        return INFINITY;
    double difference = 0, norm = 0;
    const auto add = [&](double a, double e) {
        difference += (a - e) * (a - e);
        norm += e * e;
    };
    for (qint64 i = 0; i < expected.spec.elements(); ++i) {
        if (expected.dtype == DType::Float64)
            add(reinterpret_cast<const double *>(actual.data->data())[i],
                reinterpret_cast<const double *>(expected.data->data())[i]);
        else
            add(static_cast<double>(reinterpret_cast<const float *>(actual.data->data())[i]),
                static_cast<double>(reinterpret_cast<const float *>(expected.data->data())[i]));
    }
    return std::sqrt(difference) / (norm > 0 ? std::sqrt(norm) : 1);
}

QString differenceOf(const std::vector<NamedTensor> &actual, const std::vector<NamedTensor> &expected) {
    if (actual.size() != expected.size())
        return QStringLiteral("%1 tensors, not %2").arg(actual.size()).arg(expected.size());
    for (std::size_t i = 0; i < actual.size(); ++i) {
        const double difference = relativeDifference(actual[i], expected[i]);
        if (!(difference <= 1e-10))
            return QStringLiteral("%1 differs by %2").arg(actual[i].spec.name).arg(difference);
    }
    return {};
}

}  // namespace hearth
