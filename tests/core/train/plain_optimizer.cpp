#include "tests/core/train/plain_optimizer.h"

#include <torch/torch.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace hearth {
namespace {

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

}  // namespace

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

double clipGradients(const std::vector<torch::Tensor> &trainable, double limit) {
    return torch::nn::utils::clip_grad_norm_(trainable, limit > 0 ? limit : INFINITY);
}

void setRate(torch::optim::Optimizer &optimizer, double rate) {
    for (torch::optim::OptimizerParamGroup &group : optimizer.param_groups())
        group.options().set_lr(rate);
}

}  // namespace hearth
