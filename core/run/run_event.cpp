#include "core/run/run_event.h"

#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>

namespace hearth {
namespace {

QJsonValue real(double value) {
    return std::isfinite(value) ? QJsonValue(value) : QJsonValue(QJsonValue::Null);
}
QJsonValue whole(quint64 value) {
    return static_cast<qint64>(value);
}

/// In English, and its parts at "sentences" where it can be translated.
QJsonObject with(QJsonObject object, std::initializer_list<std::pair<const char *, const Sentence *>> texts) {
    QCborMap map;
    for (const auto &[key, text] : texts)
        insertSentence(map, QLatin1String(key), *text);
    const QJsonObject added = map.toJsonObject();
    for (auto each = added.begin(); each != added.end(); ++each)
        object.insert(each.key(), each.value());
    return object;
}

QJsonObject json(const event::Run &e) {
    QJsonObject object{{QStringLiteral("format"), QStringLiteral("hearth-events/1")},
                       {QStringLiteral("id"), e.id},
                       {QStringLiteral("started"), e.started},
                       {QStringLiteral("job"), e.job},
                       {QStringLiteral("model"), e.model}};
    if (!e.only.isEmpty())
        object[QStringLiteral("only")] = e.only;
    for (const auto &[key, samples] :
         {std::pair{"training_samples", e.trainingSamples}, {"evaluation_samples", e.evaluationSamples}}) {
        if (samples > 0)
            object[QLatin1String(key)] = samples;
    }
    if (!e.weights.isEmpty())
        object[QStringLiteral("weights")] = e.weights;
    if (!e.origin.isEmpty())
        object[QStringLiteral("origin")] = e.origin;
    return object;
}
QJsonObject json(const event::State &e) {
    const QJsonObject object{{QStringLiteral("state"), e.state}};
    return e.why.isEmpty() ? object : with(object, {{"why", &e.why}});
}
QJsonObject json(const event::Device &e) {
    QJsonObject object{{QStringLiteral("id"), e.id},
                       {QStringLiteral("name"), e.name},
                       {QStringLiteral("state"), e.state},
                       {QStringLiteral("address"), e.address}};
    if (e.agentPid > 0)
        object[QStringLiteral("agent_pid")] = e.agentPid;
    return object;
}
QJsonObject json(const event::Profile &e) {
    return {{QStringLiteral("id"), e.id}, {QStringLiteral("done"), e.done}, {QStringLiteral("total"), e.total}};
}
QJsonObject json(const event::Plan &e) {
    QJsonObject object{{QStringLiteral("term"), whole(e.term)},
                       {QStringLiteral("round"), e.round},
                       {QStringLiteral("plan"), e.plan},
                       {QStringLiteral("reason"), e.reason}};
    QJsonObject resting;
    for (auto device = e.resting.cbegin(); device != e.resting.cend(); ++device)
        resting[device.key()] = real(device.value());
    if (!resting.isEmpty())
        object[QStringLiteral("resting")] = resting;
    return e.why.isEmpty() ? object : with(object, {{"why", &e.why}});
}
QJsonObject json(const event::Worker &e) {
    QJsonObject object{{QStringLiteral("id"), e.id}};
    if (e.workerPid > 0)
        object[QStringLiteral("worker_pid")] = e.workerPid;
    return object;
}
QJsonObject json(const event::RoundDevice &e) {
    QJsonObject object{{QStringLiteral("compute_s"), real(e.computeS)},
                       {QStringLiteral("wait_forward_s"), real(e.waitForwardS)},
                       {QStringLiteral("wait_backward_s"), real(e.waitBackwardS)},
                       {QStringLiteral("wait_allreduce_s"), real(e.waitAllreduceS)},
                       {QStringLiteral("send_s"), real(e.sendS)},
                       {QStringLiteral("allreduce_s"), real(e.allreduceS)},
                       {QStringLiteral("optimizer_s"), real(e.optimizerS)},
                       {QStringLiteral("memory_bytes"), e.memoryBytes}};
    if (!e.card.isEmpty())
        object[QStringLiteral("card")] = e.card.toJson();
    return object;
}
QJsonObject json(const event::Round &e) {
    QJsonObject devices;
    for (auto it = e.devices.cbegin(); it != e.devices.cend(); ++it)
        devices[it.key()] = json(it.value());
    QJsonArray links;
    for (const event::RoundLink &link : e.links) {
        links.append(QJsonObject{{QStringLiteral("from"), link.from},
                                 {QStringLiteral("to"), link.to},
                                 {QStringLiteral("bytes"), link.bytes}});
    }
    QJsonObject object{{QStringLiteral("round"), e.round},
                       {QStringLiteral("term"), whole(e.term)},
                       {QStringLiteral("version"), whole(e.version)},
                       {QStringLiteral("loss"), real(e.loss)},
                       {QStringLiteral("round_s"), real(e.roundS)},
                       {QStringLiteral("predicted_round_s"), real(e.predictedRoundS)},
                       {QStringLiteral("samples_per_s"), real(e.samplesPerS)},
                       {QStringLiteral("devices"), devices},
                       {QStringLiteral("links"), links}};
    if (e.savedBytes > 0)
        object[QStringLiteral("saved_bytes")] = e.savedBytes;
    for (const auto &[key, value] : {std::pair{"learning_rate", e.learningRate}, {"gradient_norm", e.gradientNorm}}) {
        if (value)
            object[QLatin1String(key)] = real(*value);
    }
    return object;
}
QJsonObject json(const event::Suspect &e) {
    return {{QStringLiteral("id"), e.id}};
}
QJsonObject json(const event::Lost &e) {
    return with({{QStringLiteral("id"), e.id}, {QStringLiteral("round"), e.round}}, {{"cause", &e.cause}});
}
QJsonObject json(const event::Joined &e) {
    return {{QStringLiteral("id"), e.id}};
}
QJsonObject json(const event::Left &e) {
    return {{QStringLiteral("id"), e.id}};
}
QJsonObject json(const event::Recovered &e) {
    return {{QStringLiteral("term"), whole(e.term)},
            {QStringLiteral("from_version"), whole(e.fromVersion)},
            {QStringLiteral("detect_s"), real(e.detectS)},
            {QStringLiteral("plan_s"), real(e.planS)},
            {QStringLiteral("move_s"), real(e.moveS)},
            {QStringLiteral("rebuild_s"), real(e.rebuildS)},
            {QStringLiteral("replay_s"), real(e.replayS)},
            {QStringLiteral("seconds"), real(e.seconds)},
            {QStringLiteral("replayed_rounds"), e.replayedRounds},
            {QStringLiteral("moved_bytes"), e.movedBytes},
            {QStringLiteral("method"), e.method}};
}
QJsonObject json(const event::Replica &e) {
    return {{QStringLiteral("id"), e.id},
            {QStringLiteral("of_stage"), e.ofStage},
            {QStringLiteral("version"), whole(e.version)}};
}
QJsonObject json(const event::Checkpoint &e) {
    return {{QStringLiteral("version"), whole(e.version)}, {QStringLiteral("bytes"), e.bytes}};
}
QJsonObject json(const event::Best &e) {
    return {{QStringLiteral("round"), e.round},
            {QStringLiteral("loss"), real(e.loss)},
            {QStringLiteral("accuracy"), real(e.accuracy)},
            {QStringLiteral("bytes"), e.bytes}};
}
QJsonObject json(const event::Warning &e) {
    return with({}, {{"what", &e.what}, {"cause", &e.cause}, {"advice", &e.advice}});
}
QJsonObject json(const event::Evaluating &e) {
    return {{QStringLiteral("round"), e.round}, {QStringLiteral("done"), e.done}, {QStringLiteral("total"), e.total}};
}
QJsonObject json(const event::Evaluation &e) {
    QJsonObject object{{QStringLiteral("round"), e.round},
                       {QStringLiteral("accuracy"), real(e.accuracy)},
                       {QStringLiteral("loss"), real(e.loss)}};
    for (const auto &[key, value] : {std::pair{"top5", e.top5},
                                     {"f1", e.f1},
                                     {"perplexity", e.perplexity},
                                     {"mean_absolute_error", e.meanAbsoluteError}}) {
        if (value)
            object[QLatin1String(key)] = real(*value);
    }
    QJsonArray prompts;
    for (const auto &[prompt, text] : e.continued)
        prompts.append(QJsonObject{{QStringLiteral("prompt"), prompt}, {QStringLiteral("text"), text}});
    if (!prompts.isEmpty())
        object[QStringLiteral("prompts")] = prompts;
    return object;
}
QJsonObject json(const event::Codec &e) {
    return with({{QStringLiteral("cut"), e.cut},
                 {QStringLiteral("forward"), e.forward},
                 {QStringLiteral("backward"), e.backward},
                 {QStringLiteral("round"), e.round}},
                {{"reason", &e.reason}});
}
QJsonObject json(const event::CodecCheck &e) {
    QJsonArray cuts;
    for (const event::CodecCheck::Cut &cut : e.cuts) {
        cuts.append(QJsonObject{{QStringLiteral("cut"), cut.cut},
                                {QStringLiteral("forward"), cut.forward},
                                {QStringLiteral("backward"), cut.backward},
                                {QStringLiteral("forward_error"), real(cut.forwardError)},
                                {QStringLiteral("backward_error"), real(cut.backwardError)}});
    }
    return {{QStringLiteral("round"), e.round},
            {QStringLiteral("loss"), real(e.loss)},
            {QStringLiteral("raw_loss"), real(e.rawLoss)},
            {QStringLiteral("cuts"), cuts}};
}
QJsonObject json(const event::Finished &e) {
    QJsonObject object{{QStringLiteral("rounds"), e.rounds}, {QStringLiteral("samples_per_s"), real(e.samplesPerS)}};
    if (!e.weightsSha256.isEmpty())
        object[QStringLiteral("weights_sha256")] = e.weightsSha256;
    return object;
}
QJsonObject json(const event::Failure &e) {
    return e.error.toJson();
}
QJsonObject json(const event::Unknown &) {
    return {};
}

// Without the braces, so that the keys a reader looks for first stand first: QJsonObject sorts its keys.
QByteArray inner(const QJsonObject &object) {
    const QByteArray text = QJsonDocument(object).toJson(QJsonDocument::Compact);
    return text.mid(1, text.size() - 2);
}

constexpr const char *kinds[] = {"run",     "state",       "device",   "profile", "plan",       "worker",
                                 "round",   "suspect",     "lost",     "joined",  "left",       "recovered",
                                 "replica", "checkpoint",  "best",     "warning", "evaluating", "evaluation",
                                 "codec",   "codec-check", "finished", "error"};
static_assert(std::size(kinds) + 1 == std::variant_size_v<RunEventBody>);

}  // namespace

QString eventKind(const RunEventBody &body) {
    if (const auto *unknown = std::get_if<event::Unknown>(&body))
        return unknown->kind;
    return QLatin1String(kinds[body.index()]);
}

QJsonObject toJson(const RunEventBody &body) {
    QJsonObject object = std::visit([](const auto &e) { return json(e); }, body);
    object[QStringLiteral("event")] = eventKind(body);
    return object;
}

QByteArray eventLine(quint64 seq, double t, const RunEventBody &body) {
    QJsonObject rest = toJson(body);
    rest.remove(QStringLiteral("event"));
    QByteArray line = "{\"seq\":" + QByteArray::number(seq) + ",\"t\":" + QByteArray::number(t, 'f', 3) +
                      ",\"event\":\"" + eventKind(body).toUtf8() + '"';
    if (const QByteArray more = inner(rest); !more.isEmpty())
        line += ',' + more;
    return line + '}';
}

}  // namespace hearth
