#include "core/model/op_graph.h"

#include <QRegularExpression>
#include <algorithm>

#include "core/model/op.h"

namespace hearth::detail {
namespace {

const QRegularExpression &validName(OpNames rule, int longest) {
    static const QString pattern = QStringLiteral("\\A[A-Za-z0-9_%1-]{1,%2}\\z");
    static const QRegularExpression plain(pattern.arg(QString()).arg(ModelLimits::nameLength));
    static const QRegularExpression scoped(pattern.arg(QStringLiteral("./")).arg(ModelLimits::nameLength));
    static const QRegularExpression tensor(pattern.arg(QStringLiteral("./")).arg(2 * ModelLimits::nameLength));
    if (longest > ModelLimits::nameLength)
        return tensor;
    return rule == OpNames::Plain ? plain : scoped;
}

/// Other names for tensors of an op, which may be those of other ops. That the op has such tensors is checked where its
/// shapes are known.
QMap<QString, QString> readTensorNames(JsonReader &reader) {
    QMap<QString, QString> names;
    const QJsonObject object = reader.object("tensors", false);
    for (auto entry = object.begin(); entry != object.end(); ++entry) {
        const QString name = entry.value().toString();
        if (!validName(OpNames::Scoped, 2 * ModelLimits::nameLength).match(name).hasMatch()) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("tensors")), entry.key()),
                            sentence("\"%1\" is no name of a tensor.").arg(name.left(60)),
                            sentence("Use letters, digits, and - _ . / (\"layer.op.weight\")."));
        }
        names.insert(entry.key(), name);
    }
    return names;
}

std::optional<Sentence> wrongInputCount(const QString &kind, int count) {
    const auto [least, most] = inputCounts(kind);
    if (count >= least && count <= most)
        return std::nullopt;
    if (most == 1)
        return sentence("\"%1\" takes one input.").arg(kind);
    if (most == least)
        return sentence("\"%1\" takes %2 inputs.").arg(kind).arg(least);
    if (most > ModelLimits::opsPerLayer)
        return sentence("\"%1\" takes two inputs or more.").arg(kind);
    return sentence("\"%1\" takes %2 to %3 inputs.").arg(kind).arg(least).arg(most);
}

}  // namespace

bool isOpName(const QString &name, OpNames rule) {
    return validName(rule, ModelLimits::nameLength).match(name).hasMatch();
}

OpListReader::OpListReader(const QStringList &inputs, OpNames rule)
    : m_rule(rule), m_inputCount(inputs.size()), m_names(inputs) {
    for (qsizetype i = 0; i < inputs.size(); ++i)
        m_values.insert(inputs[i], static_cast<int>(i));
}

Result<std::vector<Op>> OpListReader::read(const QJsonArray &entries, const QString &source, const QString &path) {
    std::vector<Op> ops;
    ops.reserve(static_cast<std::size_t>(entries.size()));
    for (qsizetype i = 0; i < entries.size(); ++i) {
        auto op = readOp(entries[i], source, jsonPointer(path, i));
        if (!op)
            return tl::unexpected(op.error());
        m_values.insert(op->name, static_cast<int>(m_names.size()));
        m_names << op->name;
        ops.push_back(std::move(*op));
    }
    return ops;
}

Sentence OpListReader::nearest(const QString &name) const {
    constexpr qsizetype worthListing = 12, worthComparing = 20'000;
    if (m_names.size() <= worthListing)
        return didYouMean(name, m_names);
    const auto near = m_names.size() <= worthComparing ? nearestWord(name, m_names) : std::nullopt;
    return near ? sentence("Did you mean \"%1\"?").arg(*near) : sentence("Name an input, or an op before this one.");
}

/// Those that "from" names, or what the op before gives.
std::vector<int> OpListReader::readFrom(JsonReader &reader) const {
    const QJsonArray names = reader.array("from", false);
    if (!reader.has("from"))
        return {m_names.size() == m_inputCount ? 0 : static_cast<int>(m_names.size()) - 1};
    std::vector<int> from;
    if (names.size() > ModelLimits::opsPerLayer) {
        reader.reject(QStringLiteral("from"), sentence("It has more than %1 names.").arg(ModelLimits::opsPerLayer));
        return from;
    }
    for (qsizetype i = 0; i < names.size() && reader.ok(); ++i) {
        const QString name = names[i].toString();
        const int value = valueOf(name);
        if (value < 0) {
            reader.rejectAt(jsonPointer(reader.pathOf(QStringLiteral("from")), i),
                            sentence("No op before this one is called \"%1\".").arg(name.left(60)), nearest(name));
        }
        from.push_back(value);
    }
    return from;
}

Result<Op> OpListReader::readOp(const QJsonValue &value, const QString &source, const QString &path) const {
    JsonReader reader(value, source, path);
    const QString name = reader.string("name");
    const QString kind = reader.choice("kind", opKinds());
    if (!reader.ok())
        return tl::unexpected(reader.finish().error());
    if (!isOpName(name, m_rule)) {
        reader.reject(QStringLiteral("name"), sentence("\"%1\" is no name of an op.").arg(name.left(60)),
                      m_rule == OpNames::Plain
                          ? sentence("Use letters, digits, - and _ (weights are named after it).")
                          : sentence("Use up to %1 letters, digits, and - _ . / (weights are named after it).")
                                .arg(ModelLimits::nameLength));
    } else if (valueOf(name) >= 0) {
        reader.reject(QStringLiteral("name"), sentence("The name \"%1\" is taken.").arg(name),
                      m_rule == OpNames::Plain
                          ? sentence("\"input\" is what the layer takes; each op needs a name of its own.")
                          : sentence("Each input and each op needs a name of its own."));
    }
    Op op = detail::readOp(reader, kind);
    op.name = name;
    op.from = readFrom(reader);
    op.tensorNames = readTensorNames(reader);
    if (m_rule == OpNames::Scoped)
        op.frozen = reader.boolean("frozen", false);
    if (const auto cause = wrongInputCount(kind, static_cast<int>(op.from.size()))) {
        reader.reject(QStringLiteral("from"), *cause,
                      sentence("Name what it takes: [\"%1\"], or the names of ops before it.").arg(m_names.first()));
    }
    if (auto finished = reader.finish(); !finished)
        return tl::unexpected(finished.error());
    return op;
}

Result<void> checkUsed(const std::vector<Op> &ops, const QStringList &inputNames, const std::vector<int> &outputs,
                       bool inputs, const QString &source, const QString &path) {
    const auto inputCount = static_cast<std::size_t>(inputNames.size());
    std::vector<bool> used(inputCount + ops.size());
    for (const Op &op : ops) {
        for (const int value : op.from)
            used[static_cast<std::size_t>(value)] = true;
    }
    for (const int value : outputs)
        used[static_cast<std::size_t>(value)] = true;
    const auto unused =
        std::find(used.begin() + (inputs ? 0 : static_cast<std::ptrdiff_t>(inputCount)), used.end(), false);
    if (unused == used.end())
        return {};
    const auto value = static_cast<std::size_t>(unused - used.begin());
    if (value < inputCount) {
        return fail(
            QStringLiteral("model.unused"),
            sentence("%1: nothing takes the input \"%2\".").arg(source, inputNames[static_cast<qsizetype>(value)]), {},
            sentence("Leave it out of \"inputs\", or name it in the \"from\" of an op."));
    }
    JsonReader place(QJsonObject(), source, path);
    place.rejectAt(jsonPointer(path, value - inputCount),
                   sentence("Nothing takes what \"%1\" gives.").arg(ops[value - inputCount].name),
                   inputs ? sentence("Name it in the \"from\" of a later op or in \"outputs\", or leave it out.")
                          : sentence("Name it in the \"from\" of a later op, or leave it out. The last op gives "
                                     "what the layer gives."));
    return place.finish();
}

void describeOps(const std::vector<Op> &ops, const QStringList &names, OpNames rule, QJsonArray &to) {
    for (const Op &op : ops) {
        QJsonObject description = describeOp(op);
        QJsonArray from;
        for (const int value : op.from)
            from.append(names[value]);
        description[QStringLiteral("name")] = op.name;
        description[QStringLiteral("from")] = from;
        if (op.frozen && rule == OpNames::Scoped)
            description[QStringLiteral("frozen")] = true;
        if (!op.tensorNames.isEmpty()) {
            QJsonObject tensors;
            for (auto name = op.tensorNames.cbegin(); name != op.tensorNames.cend(); ++name)
                tensors.insert(name.key(), name.value());
            description[QStringLiteral("tensors")] = tensors;
        }
        to.append(description);
    }
}

ValueSpec valueSpec(const std::vector<Op> &ops, const std::vector<ValueSpec> &inputs, int value) {
    const auto index = static_cast<std::size_t>(value);
    if (index < inputs.size())
        return inputs[index];
    const Op &op = ops[index - inputs.size()];
    return {op.outputKind, op.outputShape, false};
}

Result<void> fitOps(std::vector<Op> &ops, const std::vector<ValueSpec> &inputs,
                    const std::function<QString(const Op &)> &place) {
    for (Op &op : ops) {
        for (const int value : op.from) {
            ValueSpec spec = valueSpec(ops, inputs, value);
            op.inputShapes.push_back(std::move(spec.shape));
            op.inputKinds.push_back(spec.kind);
        }
        if (auto fits = fitOp(op, place(op)); !fits)
            return fits;
    }
    return {};
}

std::vector<bool> widenedOps(const std::vector<Op> &ops, std::size_t inputs) {
    std::vector<bool> taken(ops.size()), narrow(ops.size());
    for (const Op &op : ops) {
        const bool widens = widensWeights(op.kind);
        for (const int value : op.from) {
            if (static_cast<std::size_t>(value) < inputs)
                continue;
            const std::size_t index = static_cast<std::size_t>(value) - inputs;
            taken[index] = true;
            narrow[index] = narrow[index] || !widens;
        }
    }
    for (std::size_t i = 0; i < ops.size(); ++i)
        taken[i] = taken[i] && !narrow[i];
    return taken;
}

}  // namespace hearth::detail
