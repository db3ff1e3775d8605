#include "tests/core/train/reference.h"

#include <torch/torch.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "core/base/generator.h"
#include "core/model/init.h"

namespace hearth {
namespace {

struct PlainModel {
    const Model &model;
    std::vector<std::vector<torch::Tensor>> tensors;  // per layer

    static torch::Tensor op(const Op &op, const std::vector<torch::Tensor> &inputs, const torch::Tensor *own) {
        const torch::Tensor &x = inputs.front();
        const QString &kind = op.kind;
        const auto bias = [&] { return op.flag("bias") ? own[1] : torch::Tensor(); };
        if (kind == QLatin1String("convolution"))
            return torch::conv2d(x, own[0], bias(), op.whole("stride"), op.whole("padding"), 1, op.whole("groups"));
        if (kind == QLatin1String("depthwise"))
            return torch::conv2d(x, own[0], bias(), op.whole("stride"), op.whole("padding"), 1, x.size(1));
        if (kind == QLatin1String("linear"))
            return torch::linear(x, own[0], bias());
        if (kind == QLatin1String("relu"))
            return torch::relu(x);
        if (kind == QLatin1String("relu6"))
            return torch::clamp(x, 0, 6);
        if (kind == QLatin1String("max-pool"))
            return torch::max_pool2d(x, op.whole("kernel"), op.whole("stride"), op.whole("padding"));
        if (kind == QLatin1String("average-pool"))
            return torch::avg_pool2d(x, op.whole("kernel"), op.whole("stride"), 0, false, false);
        if (kind == QLatin1String("global-average-pool"))
            return x.mean({2, 3}, true);
        if (kind == QLatin1String("flatten"))
            return torch::flatten(x, 1);
        if (kind == QLatin1String("add"))
            return torch::stack(inputs).sum(0);
        throw std::logic_error("the oracle has no statistics and no dropout");
    }

    /// By the seed; `trainable`: in the model's order.
    static PlainModel initialised(const Model &model, const TrainingSpec &training,
                                  std::vector<torch::Tensor> *trainable) {
        const DType dtype = dtypeOf(training.precision);
        const torch::ScalarType type = dtype == DType::Float64 ? torch::kDouble : torch::kFloat;
        PlainModel plain{model, {}};
        for (std::size_t l = 0; l < model.layers.size(); ++l) {
            plain.tensors.emplace_back();
            for (const NamedTensor &tensor : initialise(model, static_cast<int>(l), training.seed, dtype)) {
                const std::vector<std::int64_t> sizes(tensor.spec.shape.begin(), tensor.spec.shape.end());
                const bool trained = tensor.spec.isTrainable();
                if (const auto &tied = tensor.spec.tiedTo) {
                    plain.tensors.back().push_back(
                        plain.tensors[static_cast<std::size_t>(tied->layer)][static_cast<std::size_t>(tied->tensor)]);
                    continue;
                }
                plain.tensors.back().push_back(
                    torch::from_blob(tensor.data->data(), sizes, type).clone().requires_grad_(trained));
                if (trained)
                    trainable->push_back(plain.tensors.back().back());
            }
        }
        return plain;
    }

    torch::Tensor forward(torch::Tensor x) {
        for (std::size_t l = 0; l < model.layers.size(); ++l) {
            const torch::Tensor *own = tensors[l].data();
            std::vector<torch::Tensor> values{x};
            for (const Op &each : model.layers[l].ops) {
                std::vector<torch::Tensor> inputs;
                for (const int value : each.from)
                    inputs.push_back(values[static_cast<std::size_t>(value)]);
                values.push_back(op(each, inputs, own));
                own += each.tensors;
            }
            x = values.back();
        }
        return x;
    }
};

torch::Tensor images(const SampleBatch &batch, const InputTransform &input, torch::ScalarType type) {
    const std::vector<std::int64_t> sizes{batch.size(), batch.sample[0], batch.sample[1], batch.sample[2]};
    torch::Tensor x = torch::from_blob(const_cast<quint8 *>(batch.images.data()), sizes, torch::kByte).to(type);
    x = x * input.scale;
    x = torch::constant_pad_nd(x, {input.pad[1], input.pad[1], input.pad[0], input.pad[0]});
    return x.repeat({1, input.repeatChannels, 1, 1});
}

NamedTensor named(const TensorSpec &spec, DType dtype, const torch::Tensor &tensor) {
    const torch::Tensor plain = tensor.detach().contiguous();
    NamedTensor result{spec, dtype, Buffer::allocate(spec.bytes(dtype))};
    std::memcpy(result.data->data(), plain.data_ptr(), static_cast<std::size_t>(result.data->size()));
    return result;
}

std::vector<NamedTensor> weightsOf(const PlainModel &plain, DType dtype) {
    std::vector<NamedTensor> weights;
    for (std::size_t l = 0; l < plain.model.layers.size(); ++l) {
        for (std::size_t i = 0; i < plain.tensors[l].size(); ++i) {
            const TensorSpec &spec = plain.model.layers[l].shape.tensors[i];
            if (!spec.tiedTo)
                weights.push_back(named(spec, dtype, plain.tensors[l][i]));
        }
    }
    return weights;
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

/// Written from the paper with whole tensors, as transformers' Adafactor has it; the second moment of a matrix is put
/// together in full.
class PlainAdafactor final : public torch::optim::Optimizer {
  public:
    PlainAdafactor(const OptimizerSpec &spec, std::vector<torch::optim::OptimizerParamGroup> groups)
        : Optimizer(std::move(groups), std::make_unique<torch::optim::SGDOptions>(spec.learningRate)), m_spec(spec) {}

    torch::Tensor step(LossClosure) override {
        const torch::NoGradGuard guard;
        ++m_step;
        for (torch::optim::OptimizerParamGroup &group : param_groups()) {
            const auto &options = static_cast<const torch::optim::SGDOptions &>(group.options());
            for (torch::Tensor &x : group.params())
                update(x, options.lr(), options.weight_decay());
        }
        return {};
    }

  private:
    struct State {
        torch::Tensor rows, columns, whole, mean;
    };
    static double sizeOf(const torch::Tensor &x) { return std::sqrt(x.square().mean().item<double>()); }
    static void blend(torch::Tensor &old, const torch::Tensor &now, double beta) {
        old = old.defined() ? beta * old + (1 - beta) * now : (1 - beta) * now;
    }
    void update(torch::Tensor &x, double rate, double decay) {
        State &state = m_states[x.unsafeGetTensorImpl()];
        const double beta2 = 1 - std::pow(m_step, -0.8);
        const torch::Tensor squares = x.grad().square() + 1e-30;
        torch::Tensor second;
        if (x.dim() > 1) {
            blend(state.rows, squares.mean(-1, true), beta2);
            blend(state.columns, squares.mean(-2, true), beta2);
            second = state.rows * state.columns / state.rows.mean(-2, true);
        } else {
            blend(state.whole, squares, beta2);
            second = state.whole;
        }
        torch::Tensor u = x.grad() / second.sqrt();
        u = u / std::max(1.0, sizeOf(u));
        if (m_spec.relativeStep)
            rate *= std::min(m_spec.learningRate, 1 / std::sqrt(m_step)) / m_spec.learningRate;
        if (m_spec.scaleParameter)
            rate *= std::max(1e-3, sizeOf(x));
        u = u * rate;
        if (m_spec.beta1 > 0) {
            blend(state.mean, u, m_spec.beta1);
            u = state.mean;
        }
        x.copy_(x - rate * decay * x - u);
    }

    OptimizerSpec m_spec;
    double m_step = 0;
    std::map<const void *, State> m_states;
};

/// Two groups where decay leaves out biases and norms.
std::unique_ptr<torch::optim::Optimizer> plainOptimizer(const OptimizerSpec &spec,
                                                        const std::vector<torch::Tensor> &trainable) {
    std::vector<torch::Tensor> decayed, others;
    for (const torch::Tensor &tensor : trainable)
        (spec.decay == OptimizerSpec::Decay::All || tensor.dim() > 1 ? decayed : others).push_back(tensor);
    const auto make = [&](auto options, auto optimizer) -> std::unique_ptr<torch::optim::Optimizer> {
        using Options = decltype(options);
        options.weight_decay(spec.weightDecay);
        std::vector<torch::optim::OptimizerParamGroup> groups;
        groups.emplace_back(decayed, std::make_unique<Options>(options));
        groups.emplace_back(others, std::make_unique<Options>(Options(options).weight_decay(0)));
        return std::make_unique<typename decltype(optimizer)::element_type>(groups, options);
    };
    if (spec.kind == OptimizerSpec::Kind::Adafactor) {
        std::vector<torch::optim::OptimizerParamGroup> groups;
        const torch::optim::SGDOptions options(spec.learningRate);
        groups.emplace_back(decayed, std::make_unique<torch::optim::SGDOptions>(
                                         torch::optim::SGDOptions(options).weight_decay(spec.weightDecay)));
        groups.emplace_back(others, std::make_unique<torch::optim::SGDOptions>(options));
        return std::make_unique<PlainAdafactor>(spec, std::move(groups));
    }
    if (spec.kind == OptimizerSpec::Kind::Sgd) {
        return make(torch::optim::SGDOptions(spec.learningRate).momentum(spec.momentum).nesterov(spec.nesterov),
                    std::unique_ptr<torch::optim::SGD>());
    }
    if (spec.kind == OptimizerSpec::Kind::Adam) {
        return make(torch::optim::AdamOptions(spec.learningRate).betas({spec.beta1, spec.beta2}).eps(spec.epsilon),
                    std::unique_ptr<torch::optim::Adam>());
    }
    return make(torch::optim::AdamWOptions(spec.learningRate).betas({spec.beta1, spec.beta2}).eps(spec.epsilon),
                std::unique_ptr<torch::optim::AdamW>());
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
    const torch::ScalarType type = dtype == DType::Float64 ? torch::kDouble : torch::kFloat;
    std::vector<torch::Tensor> trainable;
    PlainModel plain = PlainModel::initialised(model, training, &trainable);
    const auto optimizer = plainOptimizer(training.optimizer, trainable);
    std::vector<torch::Tensor> averages;
    ReferenceRun run;
    for (const SampleBatch &batch : batches) {
        optimizer->zero_grad();
        const torch::Tensor labels =
            torch::from_blob(const_cast<qint64 *>(batch.labels.data()), {batch.size()}, torch::kLong);
        const torch::Tensor loss =
            torch::nn::functional::cross_entropy(plain.forward(images(batch, input, type)), labels,
                                                 torch::nn::functional::CrossEntropyFuncOptions()
                                                     .reduction(torch::kMean)
                                                     .label_smoothing(training.labelSmoothing));
        loss.backward();
        if (run.losses.empty()) {
            for (std::size_t l = 0, i = 0; l < model.layers.size(); ++l) {
                for (const TensorSpec &tensor : model.layers[l].shape.tensors) {
                    if (!tensor.isTrainable() || tensor.tiedTo)
                        continue;
                    run.firstGradients.push_back(named(tensor, dtype, trainable[i++].grad()));
                }
            }
        }
        run.losses.push_back(loss.item<double>());
        const double limit = training.optimizer.clipNorm;
        run.norms.push_back(torch::nn::utils::clip_grad_norm_(trainable, limit > 0 ? limit : INFINITY));
        run.clipped += limit > 0 && run.norms.back() > limit ? 1 : 0;
        const double factor =
            training.schedule.factor(static_cast<qint64>(run.losses.size()), static_cast<qint64>(batches.size()));
        for (torch::optim::OptimizerParamGroup &group : optimizer->param_groups())
            group.options().set_lr(training.optimizer.learningRate * factor);
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
    run.weights = weightsOf(plain, dtype);
    if (test.size() > 0) {
        const torch::NoGradGuard guard;
        const torch::Tensor labels =
            torch::from_blob(const_cast<qint64 *>(test.labels.data()), {test.size()}, torch::kLong);
        const torch::Tensor logits = plain.forward(images(test, input, type));
        const torch::Tensor right = logits.argmax(1).eq(labels);
        run.correct = static_cast<int>(right.sum().item<std::int64_t>());
        for (std::int64_t i = 0; i < right.size(0); ++i) {
            if (!right[i].item<bool>())
                run.wrong.insert(i);
        }
        run.testLossSum = torch::nll_loss(torch::log_softmax(logits, 1), labels, {}, at::Reduction::Sum).item<double>();
    }
    return run;
}

ReferenceRun trainRounded(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<int> &shares) {
    std::vector<torch::Tensor> trainable;
    PlainModel plain = PlainModel::initialised(model, training, &trainable);
    const auto optimizer = plainOptimizer(training.optimizer, trainable);
    const std::int64_t microBatch = std::accumulate(shares.begin(), shares.end(), 0);
    std::vector<torch::Tensor> owed(shares.size());
    ReferenceRun run;
    for (const SampleBatch &batch : batches) {
        const torch::Tensor x = images(batch, input, torch::kDouble);
        const torch::Tensor labels =
            torch::from_blob(const_cast<qint64 *>(batch.labels.data()), {batch.size()}, torch::kLong);
        const auto round = run.losses.size() + 1;
        torch::Tensor sum;
        double loss = 0;
        for (std::size_t member = 0, first = 0; member < shares.size();
             first += static_cast<std::size_t>(shares[member++])) {
            std::vector<torch::Tensor> its;
            for (std::int64_t at = static_cast<std::int64_t>(first); at < batch.size(); at += microBatch)
                its.push_back(torch::arange(at, at + shares[member]));
            const torch::Tensor samples = torch::cat(its);
            optimizer->zero_grad();
            const torch::Tensor own = torch::nn::functional::cross_entropy(
                                          plain.forward(x.index({samples})), labels.index({samples}),
                                          torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum)) /
                                      batch.size();
            own.backward();
            loss += own.item<double>();
            std::vector<torch::Tensor> parts;
            for (const torch::Tensor &tensor : trainable) {
                parts.push_back(tensor.grad().flatten());
                parts.push_back(torch::zeros({(16 - tensor.numel() % 16) % 16}, torch::kDouble));
            }
            torch::Tensor flat = torch::cat(parts);
            if (owed[member].defined())
                flat = flat + owed[member];
            owed[member] = torch::zeros_like(flat);
            if (round % 16 != 0 && round != batches.size())
                std::tie(flat, owed[member]) = rounded(flat);
            sum = sum.defined() ? sum + flat : flat;
        }
        run.losses.push_back(loss);
        std::int64_t at = 0;
        for (torch::Tensor &tensor : trainable) {
            tensor.mutable_grad() = sum.narrow(0, at, tensor.numel()).view(tensor.sizes()).clone();
            at += (tensor.numel() + 15) / 16 * 16;
        }
        optimizer->step();
    }
    run.weights = weightsOf(plain, DType::Float64);
    return run;
}

ReferenceRun trainStashed(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<StashedTerm> &terms) {
    std::vector<torch::Tensor> trainable;
    PlainModel plain = PlainModel::initialised(model, training, &trainable);
    std::vector<std::unique_ptr<torch::optim::Optimizer>> optimizers;  // by layer
    for (const auto &own : plain.tensors)
        optimizers.push_back(own.empty() ? nullptr : plainOptimizer(training.optimizer, own));
    const auto copied = [&](std::size_t layer) {
        std::vector<torch::Tensor> copy;
        for (const torch::Tensor &tensor : plain.tensors[layer])
            copy.push_back(tensor.detach().clone().requires_grad_(true));
        return copy;
    };
    std::vector<std::vector<std::vector<torch::Tensor>>> history(plain.tensors.size());  // by layer, newest last
    ReferenceRun run;
    auto term = terms.begin();
    for (std::size_t r = 0; r < batches.size(); ++r) {
        while (std::next(term) != terms.end() && std::next(term)->firstRound == static_cast<int>(r))
            ++term;
        if (term->firstRound == static_cast<int>(r)) {
            for (std::size_t l = 0; l < history.size(); ++l)
                history[l] = {copied(l)};
        }
        const bool byRound = training.asynchronous->update == Asynchrony::Update::Round;
        const int updates = byRound ? 1 : term->microBatches, pieces = byRound ? term->microBatches : 1;
        const int samples = batches[r].size() / term->microBatches;
        const torch::Tensor x = images(batches[r], input, torch::kDouble);
        const torch::Tensor labels =
            torch::from_blob(const_cast<qint64 *>(batches[r].labels.data()), {batches[r].size()}, torch::kLong);
        const auto delayOf = [&](std::size_t layer) {
            std::size_t stage = term->firstLayers.size() - 1;
            while (term->firstLayers[stage] > static_cast<int>(layer))
                --stage;
            return static_cast<std::size_t>(term->delays[stage]);
        };
        double loss = 0;
        for (int u = 0; u < updates; ++u) {
            PlainModel seen{model, {}};
            for (std::size_t l = 0; l < history.size(); ++l)
                seen.tensors.push_back(history[l][history[l].size() - 1 - std::min(delayOf(l), history[l].size() - 1)]);
            for (int m = u * pieces; m < (u + 1) * pieces; ++m) {
                const torch::Tensor sum = torch::nn::functional::cross_entropy(
                    seen.forward(x.narrow(0, m * samples, samples)), labels.narrow(0, m * samples, samples),
                    torch::nn::functional::CrossEntropyFuncOptions().reduction(torch::kSum));
                (sum / (pieces * samples)).backward();
                loss += sum.item<double>() / batches[r].size();
            }
            const double factor = training.schedule.factor(static_cast<qint64>(r) + 1, training.rounds);
            for (std::size_t l = 0; l < history.size(); ++l) {
                if (!optimizers[l])
                    continue;
                for (std::size_t t = 0; t < seen.tensors[l].size(); ++t) {
                    plain.tensors[l][t].mutable_grad() = seen.tensors[l][t].grad().clone();
                    seen.tensors[l][t].mutable_grad().reset();
                }
                const double slower =
                    training.asynchronous->correctRate ? 1.0 / static_cast<double>(1 + delayOf(l)) : 1;
                for (torch::optim::OptimizerParamGroup &group : optimizers[l]->param_groups())
                    group.options().set_lr(training.optimizer.learningRate * factor * slower);
                optimizers[l]->step();
                const qint64 made = static_cast<qint64>(r) * updates + u + 1;
                const qint64 every = training.asynchronous->averageEvery;
                for (std::size_t t = 0; every > 0 && made % every == 0 && t < plain.tensors[l].size(); ++t) {
                    std::vector<torch::Tensor> kept{plain.tensors[l][t].detach()};
                    for (std::size_t back = 0; back < std::min(delayOf(l), history[l].size()); ++back)
                        kept.push_back(history[l][history[l].size() - 1 - back][t].detach());
                    const torch::NoGradGuard guard;
                    plain.tensors[l][t].copy_(torch::stack(kept).mean(0));
                }
                history[l].push_back(copied(l));
            }
        }
        run.losses.push_back(loss);
    }
    run.weights = weightsOf(plain, DType::Float64);
    return run;
}

ReferenceRun trainLocally(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<int> &shares) {
    struct Member {
        std::vector<torch::Tensor> trainable;
        PlainModel plain;
        std::unique_ptr<torch::optim::Optimizer> optimizer;
    };
    const LocalSteps &steps = *training.localSteps;
    const std::int64_t microBatch = std::accumulate(shares.begin(), shares.end(), 0);
    std::vector<Member> members;
    for (std::size_t m = 0; m < shares.size(); ++m) {
        std::vector<torch::Tensor> trainable;
        PlainModel plain = PlainModel::initialised(model, training, &trainable);
        auto optimizer = plainOptimizer(training.optimizer, trainable);
        members.push_back({std::move(trainable), std::move(plain), std::move(optimizer)});
    }
    std::vector<torch::Tensor> anchors, momenta;
    for (const torch::Tensor &tensor : members.front().trainable) {
        anchors.push_back(tensor.detach().clone());
        momenta.push_back(torch::zeros_like(anchors.back()));
    }
    const auto all = static_cast<qint64>(batches.size()) * steps.every;
    ReferenceRun run;
    qint64 step = 0;
    for (const SampleBatch &batch : batches) {
        const torch::Tensor x = images(batch, input, torch::kDouble);
        const torch::Tensor labels =
            torch::from_blob(const_cast<qint64 *>(batch.labels.data()), {batch.size()}, torch::kLong);
        double loss = 0;
        for (std::int64_t first = 0; first < batch.size(); first += microBatch) {
            const double factor = training.schedule.inSteps(steps.every).factor(++step, all);
            std::int64_t from = first;
            for (std::size_t m = 0; m < members.size(); from += shares[m++]) {
                Member &member = members[m];
                member.optimizer->zero_grad();
                const torch::Tensor own = torch::nn::functional::cross_entropy(
                    member.plain.forward(x.narrow(0, from, shares[m])), labels.narrow(0, from, shares[m]));
                own.backward();
                loss += own.item<double>() * shares[m] / batch.size();
                if (training.optimizer.clipNorm > 0)
                    run.clipped += torch::nn::utils::clip_grad_norm_(member.trainable, training.optimizer.clipNorm) >
                                           training.optimizer.clipNorm
                                       ? 1
                                       : 0;
                for (torch::optim::OptimizerParamGroup &group : member.optimizer->param_groups())
                    group.options().set_lr(training.optimizer.learningRate * factor);
                member.optimizer->step();
            }
        }
        run.losses.push_back(loss);
        const torch::NoGradGuard guard;
        for (std::size_t i = 0; i < anchors.size(); ++i) {
            torch::Tensor mean = torch::zeros_like(anchors[i]);
            for (std::size_t m = 0; m < members.size(); ++m)
                mean += members[m].trainable[i] * shares[m] / microBatch;
            const torch::Tensor moved = anchors[i] - mean;
            momenta[i] = momenta[i] * steps.outerMomentum + moved;
            anchors[i] = anchors[i] - steps.outerRate * (moved + steps.outerMomentum * momenta[i]);
            for (Member &member : members)
                member.trainable[i].copy_(anchors[i]);
        }
    }
    run.weights = weightsOf(members.front().plain, dtypeOf(training.precision));
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
