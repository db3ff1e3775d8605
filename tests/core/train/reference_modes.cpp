// Training whose steps are not one for each batch: with stashed weights, and with means of weights now and then.
#include <algorithm>
#include <numeric>

#include "tests/core/train/plain_model.h"
#include "tests/core/train/plain_optimizer.h"
#include "tests/core/train/reference.h"

namespace hearth {
namespace {

using Tensors = std::vector<torch::Tensor>;

/// Stages that stash weights. Every layer has an optimizer of its own and remembers all its versions of the term.
class StashingStages {
  public:
    StashingStages(const Model &model, const TrainingSpec &training)
        : m_training(training),
          m_how(*training.asynchronous),
          m_newest(PlainModel::initialised(model, training)),
          m_versions(m_newest.tensors.size()) {
        for (const Tensors &own : m_newest.tensors)
            m_optimizers.push_back(own.empty() ? nullptr : plainOptimizer(training.optimizer, own));
    }

    /// The versions of before are forgotten. `term` outlives its rounds.
    void begin(const StashedTerm &term) {
        m_term = &term;
        for (std::size_t l = 0; l < m_versions.size(); ++l)
            m_versions[l] = {copyOf(l)};
    }

    /// A round (from 0); its loss.
    double train(qint64 round, const SampleBatch &batch, const InputTransform &input) {
        const bool byRound = m_how.update == Asynchrony::Update::Round;
        const int updates = byRound ? 1 : m_term->microBatches;
        const std::int64_t samples = batch.size() / updates;
        const torch::Tensor x = plainImages(batch, input, torch::kDouble), labels = plainLabels(batch);
        const double rate =
            m_training.optimizer.learningRate * m_training.schedule.factor(round + 1, m_training.rounds);
        double loss = 0;
        for (int u = 0; u < updates; ++u) {
            const PlainModel seen = stashed();
            loss += gradients(seen, x.narrow(0, u * samples, samples), labels.narrow(0, u * samples, samples),
                              m_term->microBatches / updates);
            for (std::size_t l = 0; l < m_versions.size(); ++l) {
                if (m_optimizers[l])
                    update(l, seen.tensors[l], rate, round * updates + u + 1);
            }
        }
        return loss / batch.size();
    }

    std::vector<NamedTensor> weights() const { return m_newest.weights(DType::Float64); }

  private:
    std::size_t delayOf(std::size_t layer) const {
        std::size_t stage = m_term->firstLayers.size() - 1;
        while (m_term->firstLayers[stage] > static_cast<int>(layer))
            --stage;
        return static_cast<std::size_t>(m_term->delays[stage]);
    }

    Tensors copyOf(std::size_t layer) const {
        Tensors copy;
        for (const torch::Tensor &tensor : m_newest.tensors[layer])
            copy.push_back(tensor.detach().clone().requires_grad_(true));
        return copy;
    }

    /// What the next update's passes see: of each layer the version of as many updates ago as its stage has of delay,
    /// led on by the step that made it.
    PlainModel stashed() const {
        PlainModel seen{m_newest.model, {}};
        for (std::size_t l = 0; l < m_versions.size(); ++l) {
            const std::vector<Tensors> &own = m_versions[l];
            const std::size_t version = own.size() - 1 - std::min(delayOf(l), own.size() - 1);
            seen.tensors.push_back(own[version]);
            const double steps = m_how.predict * static_cast<double>(delayOf(l));
            for (std::size_t t = 0; steps > 0 && version > 0 && t < own[version].size(); ++t) {
                const torch::Tensor at = own[version][t].detach();
                seen.tensors.back()[t] = (at + steps * (at - own[version - 1][t].detach())).requires_grad_(true);
            }
        }
        return seen;
    }

    /// Adds up an update's gradients over its micro-batches; the sum of its samples' losses.
    static double gradients(const PlainModel &seen, const torch::Tensor &x, const torch::Tensor &labels,
                            int microBatches) {
        const std::int64_t samples = x.size(0) / microBatches;
        double loss = 0;
        for (std::int64_t first = 0; first < x.size(0); first += samples) {
            const torch::Tensor sum =
                crossEntropySum(seen.forward(x.narrow(0, first, samples)), labels.narrow(0, first, samples));
            (sum / x.size(0)).backward();
            loss += sum.item<double>();
        }
        return loss;
    }

    /// A layer's step by the gradients of what was `seen` of it, as its update number `made`.
    void update(std::size_t layer, const Tensors &seen, double rate, qint64 made) {
        Tensors &newest = m_newest.tensors[layer];
        for (std::size_t t = 0; t < seen.size(); ++t) {
            newest[t].mutable_grad() = seen[t].grad().clone();
            seen[t].mutable_grad().reset();
        }
        setRate(*m_optimizers[layer], m_how.correctRate ? rate / static_cast<double>(1 + delayOf(layer)) : rate);
        m_optimizers[layer]->step();
        if (m_how.averageEvery > 0 && made % m_how.averageEvery == 0)
            average(layer);
        m_versions[layer].push_back(copyOf(layer));
    }

    /// The newest weights become their mean with as many versions before them as the stage has of delay.
    void average(std::size_t layer) {
        const std::vector<Tensors> &before = m_versions[layer];
        const std::size_t kept = std::min(delayOf(layer), before.size());
        const torch::NoGradGuard guard;
        for (std::size_t t = 0; t < m_newest.tensors[layer].size(); ++t) {
            Tensors all{m_newest.tensors[layer][t].detach()};
            for (std::size_t back = 0; back < kept; ++back)
                all.push_back(before[before.size() - 1 - back][t].detach());
            m_newest.tensors[layer][t].copy_(torch::stack(all).mean(0));
        }
    }

    const TrainingSpec &m_training;
    const Asynchrony &m_how;
    PlainModel m_newest;
    std::vector<std::vector<Tensors>> m_versions;                        // by layer, newest last; copies
    std::vector<std::unique_ptr<torch::optim::Optimizer>> m_optimizers;  // by layer; none where nothing is trained
    const StashedTerm *m_term = nullptr;
};

/// One that trains by itself between two means.
struct Member {
    std::int64_t share;  // samples of every micro-batch
    PlainModel plain;
    Tensors trainable;
    std::unique_ptr<torch::optim::Optimizer> optimizer;

    Member(const Model &model, const TrainingSpec &training, int samples)
        : share(samples),
          plain(PlainModel::initialised(model, training)),
          trainable(plain.trainable()),
          optimizer(plainOptimizer(training.optimizer, trainable)) {}

    struct Step {
        double loss = 0;  // the sum of its samples'
        bool clipped = false;
    };
    Step step(const torch::Tensor &x, const torch::Tensor &labels, double rate, double clipNorm) {
        optimizer->zero_grad();
        const torch::Tensor sum = crossEntropySum(plain.forward(x), labels);
        (sum / share).backward();
        const bool clipped = clipNorm > 0 && clipGradients(trainable, clipNorm) > clipNorm;
        setRate(*optimizer, rate);
        optimizer->step();
        return {sum.item<double>(), clipped};
    }
};

/// Nesterov's momentum on what the mean of all members moved by.
class OuterOptimizer {
  public:
    OuterOptimizer(const LocalSteps &steps, const Tensors &weights) : m_steps(steps) {
        for (const torch::Tensor &tensor : weights) {
            m_anchors.push_back(tensor.detach().clone());
            m_momenta.push_back(torch::zeros_like(tensor));
        }
    }

    /// All members go on from here.
    void step(std::vector<Member> &members, std::int64_t microBatch) {
        const torch::NoGradGuard guard;
        for (std::size_t i = 0; i < m_anchors.size(); ++i) {
            torch::Tensor mean = torch::zeros_like(m_anchors[i]);
            for (const Member &member : members)
                mean += member.trainable[i] * member.share / microBatch;
            const torch::Tensor moved = m_anchors[i] - mean;
            m_momenta[i] = m_momenta[i] * m_steps.outerMomentum + moved;
            m_anchors[i] = m_anchors[i] - m_steps.outerRate * (moved + m_steps.outerMomentum * m_momenta[i]);
            for (Member &member : members)
                member.trainable[i].copy_(m_anchors[i]);
        }
    }

  private:
    const LocalSteps &m_steps;
    Tensors m_anchors, m_momenta;
};

}  // namespace

ReferenceRun trainStashed(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<StashedTerm> &terms) {
    StashingStages stages(model, training);
    ReferenceRun run;
    auto next = terms.begin();
    for (const SampleBatch &batch : batches) {
        const auto round = static_cast<qint64>(run.losses.size());
        for (; next != terms.end() && next->firstRound == round; ++next)
            stages.begin(*next);
        run.losses.push_back(stages.train(round, batch, input));
    }
    run.weights = stages.weights();
    return run;
}

ReferenceRun trainLocally(const Model &model, const TrainingSpec &training, const InputTransform &input,
                          const std::vector<SampleBatch> &batches, const std::vector<int> &shares) {
    const LocalSteps &steps = *training.localSteps;
    const RateSchedule schedule = training.schedule.inSteps(steps.every);
    const std::int64_t microBatch = std::accumulate(shares.begin(), shares.end(), 0);
    std::vector<Member> members;
    for (const int share : shares)
        members.emplace_back(model, training, share);
    OuterOptimizer outer(steps, members.front().trainable);
    const auto all = static_cast<qint64>(batches.size()) * steps.every;
    qint64 done = 0;
    ReferenceRun run;
    for (const SampleBatch &batch : batches) {
        const torch::Tensor x = plainImages(batch, input, torch::kDouble), labels = plainLabels(batch);
        double loss = 0;
        for (std::int64_t first = 0; first < batch.size();) {
            const double rate = training.optimizer.learningRate * schedule.factor(++done, all);
            for (Member &member : members) {
                const Member::Step step =
                    member.step(x.narrow(0, first, member.share), labels.narrow(0, first, member.share), rate,
                                training.optimizer.clipNorm);
                loss += step.loss;
                run.clipped += step.clipped ? 1 : 0;
                first += member.share;
            }
        }
        run.losses.push_back(loss / batch.size());
        outer.step(members, microBatch);
    }
    run.weights = members.front().plain.weights(dtypeOf(training.precision));
    return run;
}

}  // namespace hearth
