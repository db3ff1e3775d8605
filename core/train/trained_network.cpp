#include "core/train/trained_network.h"

#include <cstring>

#include "core/model/asked_outputs.h"
#include "core/model/cut_slots.h"
#include "core/model/safetensors.h"
#include "core/train/answers.h"
#include "core/train/input_tensors.h"
#include "core/train/stage_errors.h"
#include "core/train/stage_module.h"
#include "core/train/tensors.h"

namespace hearth {

struct TrainedNetwork::Parts {
    InputDecoders decoders;
    std::shared_ptr<ComputeDevice> device = processor();
    StageModule module;

    Parts(const Source &source, InputDecoders decoding)
        : decoders(std::move(decoding)),
          module(source.model, 0, static_cast<int>(source.model.layers.size()), source.precision, *device) {}
};

TrainedNetwork::TrainedNetwork() = default;
TrainedNetwork::~TrainedNetwork() = default;

Result<std::unique_ptr<TrainedNetwork>> TrainedNetwork::load(const Source &source) {
    const DType dtype = dtypeOf(source.precision);
    auto decoders = makeInputDecoders(source.input, source.sampleTypes, cutSlots(source.model, 0, dtype));
    if (!decoders)
        return tl::unexpected(decoders.error());
    auto weights = readSafetensors(source.weights).and_then([&](std::vector<NamedTensor> tensors) {
        return weightsForModel(source.model, std::move(tensors), dtype, source.weights);
    });
    if (!weights)
        return tl::unexpected(weights.error());
    return guarded([&]() -> Result<std::unique_ptr<TrainedNetwork>> {
        auto network = std::unique_ptr<TrainedNetwork>(new TrainedNetwork);
        network->m_parts = std::make_unique<Parts>(source, std::move(*decoders));
        StageModule &module = network->m_parts->module;
        for (std::size_t layer = 0; layer < weights->size(); ++layer) {
            const std::vector<NamedTensor> &tensors = (*weights)[layer];
            for (std::size_t i = 0; i < tensors.size(); ++i) {
                const std::span values(tensors[i].data->data(), tensors[i].data->size());
                if (auto loaded = module.load(static_cast<int>(layer), static_cast<int>(i), values); !loaded)
                    return tl::unexpected(loaded.error());
            }
        }
        return network;
    });
}

qint64 TrainedNetwork::sampleBytes() const {
    qint64 bytes = 0;
    for (const auto &decoder : m_parts->decoders)
        bytes += decoder->encoded().bytes();
    return bytes;
}

Result<std::vector<double>> TrainedNetwork::answer(std::span<const std::byte> samples, std::optional<qint64> row) {
    const auto count = countSamples(static_cast<qint64>(samples.size()), sampleBytes());
    if (!count)
        return tl::unexpected(count.error());
    if (auto fits = AskedOutputs::of(m_parts->module.outputs().front().shape, row); !fits)
        return tl::unexpected(fits.error());
    return guarded([&]() -> Result<std::vector<double>> {
        const at::NoGradGuard guard;
        EncodedSamples encoded{{}, *count};
        for (const auto &decoder : m_parts->decoders) {
            const auto bytes = static_cast<std::size_t>(encoded.samples * decoder->encoded().bytes());
            encoded.parts.push_back(Buffer::allocate(bytes));
            std::memcpy(encoded.parts.back()->data(), samples.data(), bytes);
            samples = samples.subspan(bytes);
        }
        Parts &parts = *m_parts;
        const Tensors inputs = decodedTensors(*parts.device, parts.decoders, std::move(encoded));
        return answersOf(*parts.device, parts.module.forward(inputs, {false, false, 0}).front(), row);
    });
}

}  // namespace hearth
