#include "real_tensors.h"

#include <algorithm>
#include <set>

#include "core/data/dataset.h"
#include "core/model/catalogue.h"
#include "core/train/stage_module.h"

namespace hearth {
namespace {

class CutTraining {
  public:
    CutTraining(Model model, std::shared_ptr<const Dataset> data, int batch)
        : m_model(std::move(model)), m_data(std::move(data)), m_batch(batch) {
        const int layers = static_cast<int>(m_model.layers.size());
        std::set<int> borders{0, layers};
        for (int quarter = 1; quarter < 4; ++quarter)
            borders.insert(std::clamp((layers * quarter + 2) / 4, 1, layers - 1));
        for (auto border = borders.begin(); std::next(border) != borders.end(); ++border) {
            auto stage =
                std::make_unique<StageModule>(m_model, *border, *std::next(border), Precision::Float32, *processor());
            stage->initialise(m_model, 1);
            m_momentum.push_back(at::zeros_like(stage->parameters()));
            m_stages.push_back(std::move(stage));
        }
    }

    Result<void> step(int number, std::vector<RealTensor> *kept) {
        at::Tensor images, labels;
        if (const auto read = load(number, images, labels); !read)
            return read;
        std::vector<Tensors> inputs, outputs;
        Tensors x{images};
        StageModule::Pass pass;
        for (const auto &stage : m_stages) {
            stage->zeroGradients();
            inputs.push_back(x);
            outputs.push_back(stage->forward(x, pass));
            x = {outputs.back().front().detach().set_requires_grad(true)};
        }
        const at::Tensor scores = x.front();
        at::nll_loss(at::log_softmax(scores, 1), labels).backward();
        at::Tensor gradient = scores.grad();
        for (std::size_t s = m_stages.size(); s-- > 0;) {
            m_stages[s]->backward(outputs[s], {gradient}, StageModule::WeightGradients::Now);
            m_stages[s]->finishBackward();
            if (s > 0) {
                gradient = inputs[s].front().grad();
                if (kept) {
                    keep(*kept, static_cast<int>(s), number, inputs[s].front().detach(), false);
                    keep(*kept, static_cast<int>(s), number, gradient, true);
                }
            }
        }
        at::NoGradGuard guard;
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            m_momentum[s].mul_(0.9).add_(m_stages[s]->gradients());
            m_stages[s]->parameters().sub_(m_momentum[s], 0.02);
        }
        return {};
    }

    RealState state() const {
        RealState all;
        const auto append = [](std::vector<float> &to, const at::Tensor &from) {
            to.insert(to.end(), from.data_ptr<float>(), from.data_ptr<float>() + from.numel());
        };
        for (std::size_t s = 0; s < m_stages.size(); ++s) {
            append(all.weights, m_stages[s]->parameters());
            append(all.momentum, m_momentum[s]);
        }
        return all;
    }

  private:
    Result<void> load(int number, at::Tensor &images, at::Tensor &labels) const {
        const qint64 count = m_data->count(Split::Train);
        std::vector<qint64> indices;
        for (qint64 i = 0; i < m_batch; ++i)  // some order of all samples; 7919 is prime
            indices.push_back((qint64{number} * m_batch + i) * 7919 % count);
        at::Tensor bytes = at::empty({m_batch, 1, 28, 28}, at::kByte);
        labels = at::empty({m_batch}, at::kLong);
        const auto room = [](at::Tensor &tensor) {
            return std::span(static_cast<std::byte *>(tensor.data_ptr()), tensor.nbytes());
        };
        if (const auto read = m_data->readSamples(Split::Train, 0, indices, room(bytes)); !read)
            return read;
        if (const auto read = m_data->readLabels(Split::Train, indices, room(labels)); !read)
            return read;
        const std::vector<qint64> shape = m_model.inputShape();
        const qint64 border = (shape[1] - 28) / 2;
        images = at::constant_pad_nd(bytes.to(at::kFloat).div(255), {border, border, border, border})
                     .sub(0.5)
                     .div(0.5)
                     .expand({m_batch, shape[0], shape[1], shape[2]})
                     .contiguous(at::MemoryFormat::ChannelsLast);
        return {};
    }

    void keep(std::vector<RealTensor> &kept, int stage, int number, const at::Tensor &tensor, bool gradient) const {
        const at::Tensor flat = (tensor.dim() == 4 ? tensor.permute({0, 2, 3, 1}) : tensor).contiguous();
        RealTensor real;
        real.name = QStringLiteral("%1, layer %2, step %3")
                        .arg(m_model.name)
                        .arg(m_stages[static_cast<std::size_t>(stage)]->firstLayer())
                        .arg(number);
        real.gradient = gradient;
        real.samples = flat.size(0);
        for (std::int64_t d = 1; d < flat.dim(); ++d)
            real.sample.push_back(flat.size(d));
        const auto *values = flat.data_ptr<float>();
        real.values.assign(values, values + flat.numel());
        kept.push_back(std::move(real));
    }

    Model m_model;
    std::shared_ptr<const Dataset> m_data;
    int m_batch;
    std::vector<std::unique_ptr<StageModule>> m_stages;
    std::vector<at::Tensor> m_momentum;
};

}  // namespace

Result<std::vector<RealTensor>> realTensors(const RealSettings &settings, RealState *state) {
    auto model = loadModel(settings.model);
    if (!model)
        return tl::unexpected(model.error());
    auto data = loadDataset(QStringLiteral("fashion-mnist"));
    if (!data)
        return tl::unexpected(data.error());
    CutTraining training(std::move(*model), *data, settings.batch);
    std::vector<RealTensor> kept;
    for (int step = 1; step <= settings.steps.back(); ++step) {
        const bool wanted = std::ranges::find(settings.steps, step) != settings.steps.end();
        if (const auto done = training.step(step, wanted ? &kept : nullptr); !done)
            return tl::unexpected(done.error());
    }
    if (state)
        *state = training.state();
    return kept;
}

}  // namespace hearth
