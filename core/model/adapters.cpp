#include "core/model/adapters.h"

#include <QHash>
#include <QJsonArray>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "core/base/json_reader.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

constexpr int mostPatterns = 1000;

QStringList usualPatterns(AdapterSpec::Kind kind) {
    if (kind == AdapterSpec::Kind::Lora) {
        return {u"*.query"_s,  u"*.value"_s,       u"*Attention.q"_s, u"*Attention.v"_s, u"*.q_proj"_s,
                u"*.v_proj"_s, u"*.attn.c_attn"_s, u"*.q_lin"_s,      u"*.v_lin"_s};
    }
    return {u"*.output.dense"_s, u"*.SelfAttention.o"_s, u"*.DenseReluDense.wo"_s, u"*.c_proj"_s,
            u"*.o_proj"_s,       u"*.down_proj"_s,       u"*.out_lin"_s,           u"*.ffn.lin2"_s};
}

/// Globs over names, which remember whether anything fitted them.
class Patterns {
  public:
    explicit Patterns(const QStringList &globs) {
        for (const QString &glob : globs) {
            const bool takesBack = glob.startsWith('!'_L1);
            // A name may have slashes, which Qt's own wildcards stop at.
            const QString form = QRegularExpression::escape(takesBack ? glob.mid(1) : glob).replace("\\*"_L1, ".*"_L1);
            m_patterns.push_back({glob, QRegularExpression(QRegularExpression::anchoredPattern(form)), !takesBack});
        }
    }
    /// The last pattern that fits decides.
    bool fit(const QString &name) {
        bool fits = false;
        for (Pattern &each : m_patterns) {
            if (!each.form.match(name).hasMatch())
                continue;
            fits = each.adds;
            each.used = true;
        }
        return fits;
    }
    /// The first that has fitted nothing.
    std::optional<QString> idle() const {
        const auto found = std::ranges::find(m_patterns, false, &Pattern::used);
        return found == m_patterns.end() ? std::nullopt : std::optional(found->glob);
    }

  private:
    struct Pattern {
        QString glob;
        QRegularExpression form;
        bool adds;
        bool used = false;
    };
    std::vector<Pattern> m_patterns;
};

tl::unexpected<Error> fitsNothing(const Model &model, const QString &pattern, const Sentence &cause) {
    return fail(u"adapters.no-match"_s, sentence("\"%1\" fits nothing in \"%2\".").arg(pattern.left(100), model.name),
                cause, sentence("Choose among the names that \"hearth model\" lists; * stands for any letters."));
}

/// Ops, or layers of a network that is described by them, whose tensors can be frozen.
QSet<QString> holdersOfTensors(const Model &model) {
    QSet<QString> names;
    for (const Layer &layer : model.layers) {
        if (!model.isGraph && layer.shape.parameterCount() > 0)
            names.insert(layer.name);
        for (const Op &op : layer.ops) {
            if (model.isGraph && op.tensors > 0)
                names.insert(op.name);
        }
    }
    return names;
}

/// Marks what is frozen in a list of ops or layers; what was so already stays so.
Result<void> freezeIn(QJsonArray &list, const Model &model, const QStringList &globs, bool mustFit) {
    Patterns patterns(globs);
    const QSet<QString> holders = holdersOfTensors(model);
    for (qsizetype i = 0; i < list.size(); ++i) {
        QJsonObject node = list[i].toObject();
        const QString name = node["name"_L1].toString();
        if (!holders.contains(name) || !patterns.fit(name))
            continue;
        node[u"frozen"_s] = true;
        list[i] = node;
    }
    if (const auto idle = mustFit ? patterns.idle() : std::nullopt) {
        return fitsNothing(model, *idle,
                           model.isGraph ? sentence("No op with tensors has a name like this.")
                                         : sentence("No layer with tensors has a name like this."));
    }
    return {};
}

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

/// Names of values, or of what stands behind them.
QJsonArray behind(QJsonArray names, const QHash<QString, QString> &renamed) {
    for (qsizetype i = 0; i < names.size(); ++i)
        names[i] = renamed.value(names[i].toString(), names[i].toString());
    return names;
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

/// Of globs that a person wrote, each must fit something.
Result<QJsonArray> adapted(const Model &model, const QJsonArray &graph, const AdapterSpec &spec,
                           QHash<QString, QString> &renamed) {
    const bool chosen = !spec.targets.isEmpty();
    Patterns targets(chosen ? spec.targets : usualPatterns(spec.kind));
    QJsonArray whole;
    for (const QJsonValue each : graph) {
        QJsonObject node = each.toObject();
        const QString name = node["name"_L1].toString();
        node[u"from"_s] = behind(node["from"_L1].toArray(), renamed);
        whole.append(node);
        if (node["kind"_L1] == "linear"_L1 && targets.fit(name))
            renamed[name] = addAdapter(whole, node, spec);
    }
    if (const auto idle = chosen ? targets.idle() : std::nullopt)
        return fitsNothing(model, *idle, sentence("No linear op has a name like this."));
    if (renamed.isEmpty()) {
        return fail(u"adapters.no-target"_s, sentence("No op of \"%1\" gets an adapter.").arg(model.name),
                    sentence("No linear op has a name like %1.").arg(usualPatterns(spec.kind).join(", "_L1)),
                    sentence("Choose \"targets\" among the names that \"hearth model\" lists."));
    }
    return whole;
}

void rejectPatterns(JsonReader &reader, const QString &pointer) {
    reader.rejectAt(pointer, sentence("It is not a list of patterns."),
                    sentence("Give up to %1 texts such as \"*.query\".").arg(mostPatterns));
}

}  // namespace

Result<AdapterSpec> AdapterSpec::fromJson(const QJsonObject &object, const QString &source, const QString &path) {
    JsonReader reader(object, source, path);
    AdapterSpec spec;
    spec.kind = reader.choice("kind", {u"lora"_s, u"bottleneck"_s}) == "lora"_L1 ? Kind::Lora : Kind::Bottleneck;
    if (spec.kind == Kind::Lora) {
        spec.rank = static_cast<int>(reader.integer("rank", 1, ModelLimits::dimension, spec.rank));
        spec.alpha = reader.number("alpha", 0, mostAlpha, spec.alpha);
        spec.dropout = reader.number("dropout", 0, mostDropout, spec.dropout);
    } else {
        spec.features = static_cast<int>(reader.integer("features", 1, ModelLimits::dimension, spec.features));
    }
    spec.targets = readPatterns(reader, "targets");
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return spec;
}

QJsonObject AdapterSpec::toJson() const {
    QJsonObject object{{u"kind"_s, kind == Kind::Lora ? u"lora"_s : u"bottleneck"_s},
                       {u"targets"_s, QJsonArray::fromStringList(targets)}};
    if (kind == Kind::Lora) {
        object[u"rank"_s] = rank;
        object[u"alpha"_s] = alpha;
        object[u"dropout"_s] = dropout;
    } else {
        object[u"features"_s] = features;
    }
    return object;
}

QStringList usualTargets(const Model &model, AdapterSpec::Kind kind) {
    if (!model.isGraph)
        return {};
    QStringList linear;
    for (const Layer &layer : model.layers) {
        for (const Op &op : layer.ops) {
            if (op.kind == "linear"_L1)
                linear << op.name;
        }
    }
    QStringList fitting = usualPatterns(kind);
    fitting.removeIf([&linear](const QString &glob) {
        Patterns pattern({glob});
        return std::ranges::none_of(linear, [&pattern](const QString &name) { return pattern.fit(name); });
    });
    return fitting;
}

QStringList readPatterns(JsonReader &reader, const char *key) {
    QStringList patterns;
    for (const QJsonValue each : reader.has(key) ? reader.array(key) : QJsonArray()) {
        if (!each.isString())
            rejectPatterns(reader, reader.pathOf(QString::fromLatin1(key)));
        patterns << each.toString();
    }
    reader.ignore(key);
    return patterns;
}

void checkPatterns(JsonReader &reader, const QString &pointer, const QStringList &patterns) {
    if (patterns.size() > mostPatterns || patterns.contains(QString()) || patterns.contains(u"!"_s))
        rejectPatterns(reader, pointer);
}

Result<Model> withAdapters(const Model &model, const AdapterSpec &spec, const QStringList &freeze) {
    if (!model.isGraph) {
        return fail(u"adapters.layers"_s, sentence("The model \"%1\" takes no adapters.").arg(model.name),
                    sentence("It is described by layers and not by one graph of named ops."),
                    sentence("Choose a network that is one, such as bert-small."));
    }
    QJsonObject description = model.toJson();
    QJsonArray graph = description["graph"_L1].toArray();
    const QStringList usual{u"*"_s, u"!classifier*"_s, u"!pre_classifier"_s, u"!score"_s};
    if (auto frozen = freezeIn(graph, model, freeze.isEmpty() ? usual : freeze, !freeze.isEmpty()); !frozen)
        return tl::unexpected(frozen.error());
    QHash<QString, QString> renamed;  // values that an adapter stands behind
    auto whole = adapted(model, graph, spec, renamed);
    if (!whole)
        return tl::unexpected(whole.error());
    description[u"graph"_s] = *whole;
    description[u"outputs"_s] = behind(description["outputs"_L1].toArray(), renamed);
    return Model::fromJson(description, model.name);
}

Result<Model> withFrozen(const Model &model, const QStringList &freeze) {
    QJsonObject description = model.toJson();
    const QString key = model.isGraph ? u"graph"_s : u"layers"_s;
    QJsonArray list = description[key].toArray();
    if (auto frozen = freezeIn(list, model, freeze, true); !frozen)
        return tl::unexpected(frozen.error());
    description[key] = list;
    auto made = Model::fromJson(description, model.name);
    if (made && made->elements(TensorRole::Trainable) == 0) {
        return fail(u"adapters.all-frozen"_s, sentence("Nothing of \"%1\" would be trained.").arg(model.name),
                    sentence("All its tensors are frozen."),
                    sentence("Take some back, as in \"freeze\": [\"*\", \"!head*\"], or add \"adapters\"."));
    }
    return made;
}

}  // namespace hearth
