#include "answer_program.h"

#include "core/base/cbor.h"
#include "core/base/json_reader.h"
#include "core/protocol/run_data.h"
#include "core/train/threads.h"

namespace hearth {

AnswerProgram::AnswerProgram(int threads, QObject *parent) : QObject(parent), m_rpc(&m_parent) {
    prepareComputeThread(threads);
    connect(&m_parent, &Channel::closed, this, &AnswerProgram::parentGone);
    m_rpc.handle(QStringLiteral("open"), [this](const QCborMap &args, const Reply &reply) {
        const auto opened = open(args[QLatin1String("run")].toString(), args[QLatin1String("weights")].toString());
        opened ? reply.ok() : reply.fail(opened.error());
    });
    m_rpc.handle(QStringLiteral("answer"), [this](const QCborMap &args, const Reply &reply) {
        const auto answered = answer(args);
        answered ? reply.ok(*answered) : reply.fail(answered.error());
    });
}

Result<void> AnswerProgram::open(const QString &runFolder, const QString &weights) {
    const auto data = RunData::load(runFolder);
    if (!data)
        return tl::unexpected(data.error());
    const QString path = runFolder + QStringLiteral("/model.json");
    auto model = readJsonFile(path).and_then([&](const QJsonObject &object) { return Model::fromJson(object, path); });
    if (!model)
        return tl::unexpected(model.error());
    auto network =
        TrainedNetwork::load({std::move(*model), data->input, data->sampleTypes(), data->precision, weights});
    if (!network)
        return tl::unexpected(network.error());
    m_network = std::move(*network);
    return {};
}

Result<QCborMap> AnswerProgram::answer(const QCborMap &question) {
    if (!m_network)
        return fail(QStringLiteral("answer.not-open"), sentence("No network was opened."));
    const QByteArray samples = question[QLatin1String("samples")].toByteArray();
    const QCborValue row = question[QLatin1String("row")];
    return m_network
        ->answer(std::as_bytes(std::span(samples.constData(), static_cast<std::size_t>(samples.size()))),
                 row.isInteger() ? std::optional(row.toInteger()) : std::nullopt)
        .map([](const std::vector<double> &values) {
            return QCborMap{{QLatin1String("values"), bytesOfNumbers(values)}};
        });
}

}  // namespace hearth
