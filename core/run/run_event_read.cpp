// The tolerant reader of events: what is missing keeps its default, what is unknown passes through.
#include <QCborMap>
#include <QJsonArray>
#include <QJsonDocument>
#include <limits>

#include "core/run/run_event.h"

namespace hearth {
namespace {

/// One line's fields; wrong types read as defaults.
class Fields {
  public:
    explicit Fields(const QJsonObject &object) : m_object(object) {}
    QString text(const char *key) const { return m_object.value(QLatin1String(key)).toString(); }
    Sentence said(const char *key) const {
        QCborMap map;
        for (const char *part : {key, "sentences"})
            map.insert(QLatin1String(part), QCborValue::fromJsonValue(m_object.value(QLatin1String(part))));
        return sentenceAt(map, QLatin1String(key));
    }
    QJsonObject object(const char *key) const { return m_object.value(QLatin1String(key)).toObject(); }
    QJsonArray array(const char *key) const { return m_object.value(QLatin1String(key)).toArray(); }
    qint64 whole(const char *key, qint64 fallback = 0) const {
        return m_object.value(QLatin1String(key)).toInteger(fallback);
    }
    quint64 count(const char *key) const { return static_cast<quint64>(std::max<qint64>(0, whole(key))); }
    quint32 term() const {
        return static_cast<quint32>(std::clamp<qint64>(whole("term", 1), 0, std::numeric_limits<quint32>::max()));
    }
    int small(const char *key) const {
        return static_cast<int>(std::clamp<qint64>(whole(key), 0, std::numeric_limits<int>::max()));
    }
    /// null is what the writer makes of a number that is none.
    double real(const char *key) const {
        const QJsonValue value = m_object.value(QLatin1String(key));
        return value.isNull() ? std::numeric_limits<double>::quiet_NaN() : value.toDouble();
    }

    std::optional<double> realIfAny(const char *key) const {
        return m_object.contains(QLatin1String(key)) ? std::optional(real(key)) : std::nullopt;
    }

  private:
    const QJsonObject &m_object;
};

event::RoundDevice roundDevice(const QJsonObject &json) {
    const Fields f(json);
    return {f.real("compute_s"),        f.real("wait_forward_s"), f.real("wait_backward_s"),
            f.real("wait_allreduce_s"), f.real("send_s"),         f.real("allreduce_s"),
            f.real("optimizer_s"),      f.whole("memory_bytes"),  CardLoad::fromJson(f.object("card"))};
}

event::Plan plan(const Fields &f) {
    event::Plan e{f.term(), f.whole("round"), f.object("plan"), f.text("reason"), f.said("why")};
    const QJsonObject resting = f.object("resting");
    for (auto device = resting.begin(); device != resting.end(); ++device) {
        if (device.value().isDouble())
            e.resting.insert(device.key(), device.value().toDouble());
    }
    return e;
}

event::Round round(const Fields &f) {
    event::Round e{f.whole("round"),
                   f.term(),
                   f.count("version"),
                   f.real("loss"),
                   f.real("round_s"),
                   f.real("predicted_round_s"),
                   f.real("samples_per_s"),
                   {},
                   {},
                   0};
    const QJsonObject devices = f.object("devices");
    for (auto it = devices.constBegin(); it != devices.constEnd(); ++it)
        e.devices[it.key()] = roundDevice(it.value().toObject());
    for (const QJsonValue &value : f.array("links")) {
        const QJsonObject object = value.toObject();
        const Fields link(object);
        e.links.push_back({link.text("from"), link.text("to"), link.whole("bytes")});
    }
    e.savedBytes = f.whole("saved_bytes");
    e.learningRate = f.realIfAny("learning_rate");
    e.gradientNorm = f.realIfAny("gradient_norm");
    return e;
}

event::Evaluation evaluation(const Fields &f) {
    event::Evaluation e{f.whole("round"),
                        f.real("accuracy"),
                        f.real("loss"),
                        f.realIfAny("top5"),
                        f.realIfAny("f1"),
                        f.realIfAny("perplexity"),
                        f.realIfAny("mean_absolute_error")};
    for (const QJsonValue &value : f.array("prompts")) {
        const QJsonObject object = value.toObject();
        const Fields one(object);
        e.continued.push_back({one.text("prompt"), one.text("text")});
    }
    return e;
}

event::CodecCheck codecCheck(const Fields &f) {
    event::CodecCheck e{f.whole("round"), f.real("loss"), f.real("raw_loss"), {}};
    for (const QJsonValue &value : f.array("cuts")) {
        const QJsonObject object = value.toObject();
        const Fields cut(object);
        e.cuts.push_back({cut.small("cut"), cut.text("forward"), cut.text("backward"), cut.real("forward_error"),
                          cut.real("backward_error")});
    }
    return e;
}

}  // namespace

RunEventBody eventFromJson(const QString &kind, const QJsonObject &json) {
    const Fields f(json);
    const auto is = [&kind](const char *word) { return kind == QLatin1String(word); };
    if (is("run")) {
        return event::Run{f.text("id"),
                          f.text("started"),
                          f.object("job"),
                          f.object("model"),
                          f.text("only"),
                          std::max<qint64>(0, f.whole("training_samples")),
                          std::max<qint64>(0, f.whole("evaluation_samples")),
                          f.text("weights"),
                          f.text("origin")};
    }
    if (is("state"))
        return event::State{f.text("state"), f.said("why")};
    if (is("device"))
        return event::Device{f.text("id"), f.text("name"), f.text("state"), f.text("address"), f.whole("agent_pid")};
    if (is("profile"))
        return event::Profile{f.text("id"), f.small("done"), f.small("total")};
    if (is("plan"))
        return plan(f);
    if (is("worker"))
        return event::Worker{f.text("id"), f.whole("worker_pid")};
    if (is("round"))
        return round(f);
    if (is("suspect"))
        return event::Suspect{f.text("id")};
    if (is("lost"))
        return event::Lost{f.text("id"), f.whole("round"), f.said("cause")};
    if (is("joined"))
        return event::Joined{f.text("id")};
    if (is("left"))
        return event::Left{f.text("id")};
    if (is("recovered")) {
        return event::Recovered{f.term(),
                                f.count("from_version"),
                                f.real("detect_s"),
                                f.real("plan_s"),
                                f.real("move_s"),
                                f.real("rebuild_s"),
                                f.real("replay_s"),
                                f.real("seconds"),
                                f.whole("replayed_rounds"),
                                f.whole("moved_bytes"),
                                f.text("method")};
    }
    if (is("replica"))
        return event::Replica{f.text("id"), f.small("of_stage"), f.count("version")};
    if (is("checkpoint"))
        return event::Checkpoint{f.count("version"), f.whole("bytes")};
    if (is("best"))
        return event::Best{f.whole("round"), f.real("loss"), f.real("accuracy"), f.whole("bytes")};
    if (is("warning"))
        return event::Warning{f.said("what"), f.said("cause"), f.said("advice")};
    if (is("evaluating"))
        return event::Evaluating{f.whole("round"), f.whole("done"), f.whole("total")};
    if (is("evaluation"))
        return evaluation(f);
    if (is("codec"))
        return event::Codec{f.small("cut"), f.text("forward"), f.text("backward"), f.whole("round"), f.said("reason")};
    if (is("codec-check"))
        return codecCheck(f);
    if (is("finished"))
        return event::Finished{f.whole("rounds"), f.real("samples_per_s"), f.text("weights_sha256")};
    if (is("error"))
        return event::Failure{Error::fromCbor(QCborMap::fromJsonObject(json))};
    return event::Unknown{kind};
}

Result<RunEvent> RunEvent::fromLine(const QByteArray &line) {
    QJsonParseError parse;
    const QJsonObject json = QJsonDocument::fromJson(line, &parse).object();
    const qint64 seq = json.value(QLatin1String("seq")).toInteger();
    const QString kind = json.value(QLatin1String("event")).toString();
    if (parse.error != QJsonParseError::NoError || seq < 1 || kind.isEmpty()) {
        return fail(QStringLiteral("event.malformed"), sentence("A line of the event stream is not an event."),
                    parse.error != QJsonParseError::NoError ? Sentence(parse.errorString() + QLatin1Char('.'))
                                                            : sentence("It has no \"seq\" from 1, or no \"event\"."));
    }
    return RunEvent{static_cast<quint64>(seq), json.value(QLatin1String("t")).toDouble(), eventFromJson(kind, json),
                    json};
}

}  // namespace hearth
