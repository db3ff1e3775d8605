#include "core/model/adapters.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

QStringList usualTargets(AdapterSpec::Kind kind) {
    if (kind == AdapterSpec::Kind::Lora) {
        return {u"*.query"_s,  u"*.value"_s,       u"*Attention.q"_s, u"*Attention.v"_s, u"*.q_proj"_s,
                u"*.v_proj"_s, u"*.attn.c_attn"_s, u"*.q_lin"_s,      u"*.v_lin"_s};
    }
    return {u"*.output.dense"_s, u"*.SelfAttention.o"_s, u"*.DenseReluDense.wo"_s, u"*.c_proj"_s,
            u"*.o_proj"_s,       u"*.down_proj"_s,       u"*.out_lin"_s,           u"*.ffn.lin2"_s};
}

class Patterns {
  public:
    explicit Patterns(const QStringList &globs) {
        for (const QString &glob : globs) {
            const bool takesBack = glob.startsWith('!'_L1);
            // A name may have slashes, which Qt's own wildcards stop at.
            const QString form = QRegularExpression::escape(takesBack ? glob.mid(1) : glob).replace("\\*"_L1, ".*"_L1);
            m_patterns.push_back({QRegularExpression(QRegularExpression::anchoredPattern(form)), !takesBack});
        }
    }
    /// The last pattern that fits decides.
    bool fit(const QString &name) const {
        bool fits = false;
        for (const Pattern &each : m_patterns) {
            if (each.form.match(name).hasMatch())
                fits = each.adds;
        }
        return fits;
    }

  private:
    struct Pattern {
        QRegularExpression form;
        bool adds;
    };
    std::vector<Pattern> m_patterns;
};

QJsonObject op(const QString &name, const char *kind, const QStringList &from, QJsonObject parameters = {}) {
    parameters[u"name"_s] = name;
    parameters[u"kind"_s] = QLatin1String(kind);
    parameters[u"from"_s] = QJsonArray::fromStringList(from);
    return parameters;
}

QJsonObject linear(const QString &name, const QString &from, const QJsonValue &features, bool bias, bool zero) {
    QJsonObject parameters{{u"features"_s, features}, {u"bias"_s, bias}};
    if (zero)
        parameters[u"init"_s] = u"zero"_s;
    return op(name, "linear", {from}, parameters);
}

/// Adds what belongs beside or behind a linear op; the value that stands for the op's from there on.
QString addAdapter(QJsonArray &graph, const QJsonObject &target, const AdapterSpec &spec) {
    const QString name = target["name"_L1].toString();
    const QJsonValue features = target["features"_L1];
    if (spec.kind == AdapterSpec::Kind::Bottleneck) {
        const QString down = name + ".adapter_down"_L1, act = name + ".adapter_act"_L1, up = name + ".adapter_up"_L1;
        graph.append(linear(down, name, spec.features, true, false));
        graph.append(op(act, "relu", {down}));
        graph.append(linear(up, act, features, true, true));
        graph.append(op(name + ".adapter"_L1, "add", {up, name}));
        return name + ".adapter"_L1;
    }
    QString in = target["from"_L1].toArray().at(0).toString();
    if (spec.dropout > 0) {
        const QString dropped = name + ".lora_dropout"_L1;
        graph.append(op(dropped, "dropout", {in}, {{u"probability"_s, spec.dropout}}));
        in = dropped;
    }
    const QString a = name + ".lora_A"_L1, b = name + ".lora_B"_L1, scaled = name + ".lora_scaled"_L1;
    graph.append(linear(a, in, spec.rank, false, false));
    graph.append(linear(b, a, features, false, true));
    graph.append(op(scaled, "scale", {b}, {{u"factor"_s, spec.alpha / spec.rank}}));
    graph.append(op(name + ".lora"_L1, "add", {name, scaled}));
    return name + ".lora"_L1;
}

bool holdsTensors(const QString &kind) {
    static const QStringList kinds{u"linear"_s,     u"convolution"_s, u"depthwise"_s,  u"transposed-convolution"_s,
                                   u"embedding"_s,  u"parameter"_s,   u"layer-norm"_s, u"rms-norm"_s,
                                   u"batch-norm"_s, u"group-norm"_s,  u"attention"_s};
    return kinds.contains(kind);
}

}  // namespace

Result<Model> withAdapters(const Model &model, const AdapterSpec &spec) {
    if (!model.isGraph) {
        return fail(u"adapters.layers"_s, sentence("The model \"%1\" takes no adapters.").arg(model.name),
                    sentence("It is described by layers and not by one graph of named ops."),
                    sentence("Choose a network that is one, such as bert-small."));
    }
    const Patterns targets(spec.targets.isEmpty() ? usualTargets(spec.kind) : spec.targets);
    const Patterns frozen(spec.freeze.isEmpty() ? QStringList{u"*"_s, u"!classifier*"_s, u"!score"_s} : spec.freeze);
    QJsonObject description = model.toJson();
    QHash<QString, QString> renamed;  // values that an adapter stands behind
    const auto current = [&](QJsonArray names) {
        for (qsizetype i = 0; i < names.size(); ++i)
            names[i] = renamed.value(names[i].toString(), names[i].toString());
        return names;
    };
    QJsonArray graph;
    for (const QJsonValue each : description["graph"_L1].toArray()) {
        QJsonObject node = each.toObject();
        const QString name = node["name"_L1].toString(), kind = node["kind"_L1].toString();
        node[u"from"_s] = current(node["from"_L1].toArray());
        if (holdsTensors(kind) && frozen.fit(name))
            node[u"frozen"_s] = true;
        graph.append(node);
        if (kind == "linear"_L1 && targets.fit(name))
            renamed[name] = addAdapter(graph, node, spec);
    }
    if (renamed.isEmpty()) {
        return fail(u"adapters.no-target"_s, sentence("No op of \"%1\" gets an adapter.").arg(model.name),
                    sentence("No linear op has a name like %1.")
                        .arg((spec.targets.isEmpty() ? usualTargets(spec.kind) : spec.targets).join(", "_L1)),
                    sentence("Choose targets among the names that \"hearth model\" lists."));
    }
    description[u"graph"_s] = graph;
    description[u"outputs"_s] = current(description["outputs"_L1].toArray());
    return Model::fromJson(description, model.name);
}

}  // namespace hearth
