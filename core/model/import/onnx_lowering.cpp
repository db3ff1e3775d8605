#include "core/model/import/onnx_lowering.h"

#include <onnx/onnx_pb.h>
#include <QJsonArray>
#include <algorithm>
#include <unordered_set>

#include "core/model/model.h"

namespace hearth::onnx_import {
namespace {

using ONNX_NAMESPACE::TensorProto;

QString text(const std::string &name) {
    return QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()));
}

bool isWholeType(int type) {
    return type == TensorProto::INT64 || type == TensorProto::INT32;
}

Value knownValue(Known known) {
    Value value;
    value.kind = Value::Kind::Known;
    value.dims = known.dims;
    value.isWhole = !known.isReal;
    value.known = std::make_shared<Known>(std::move(known));
    return value;
}

/// The values that are compared or become whole numbers in the end, and nothing else: no gradient reaches them.
std::unordered_set<std::string> withoutGradient(const OnnxFile &file) {
    static const std::unordered_set<std::string> ends{"Equal", "Greater", "GreaterOrEqual", "Less", "LessOrEqual",
                                                      "Not",   "Shape",   "Size",           "Sign", "IsNaN"};
    std::unordered_set<std::string> reached(file.outputs.begin(), file.outputs.end()), compared;
    for (auto node = file.nodes.rbegin(); node != file.nodes.rend(); ++node) {
        const auto to = std::find_if(node->attributes.begin(), node->attributes.end(),
                                     [](const OnnxAttribute &attribute) { return attribute.name == "to"; });
        const bool isEnd = ends.contains(node->type) ||
                           (node->type == "Cast" && to != node->attributes.end() && !isRealType(to->whole));
        const auto gives = [&](const std::unordered_set<std::string> &values) {
            return std::any_of(node->outputs.begin(), node->outputs.end(),
                               [&](const std::string &output) { return values.contains(output); });
        };
        const bool passes = !isEnd && gives(reached), isCompared = isEnd || gives(compared);
        for (std::size_t i = 0; i < node->inputs.size(); ++i) {
            if (passes && !(i == 0 && node->type == "Where"))
                reached.insert(node->inputs[i]);
            if (isCompared)
                compared.insert(node->inputs[i]);
        }
    }
    std::erase_if(compared, [&](const std::string &value) { return reached.contains(value); });
    return compared;
}

using Handlers = std::unordered_map<std::string, Outputs (*)(Call &)>;

const Handlers &handlers() {
    static const Handlers all = [] {
        Handlers table;
        for (const auto &family : {layerHandlers(), elementHandlers(), shapeHandlers(), reductionHandlers()}) {
            for (const Handler &handler : family)
                table.emplace(handler.type, handler.lower);
        }
        return table;
    }();
    return all;
}

}  // namespace

Lowering::Lowering(const OnnxFile &file, const OnnxOptions &options, QString source)
    : m_file(file), m_options(options), m_source(std::move(source)) {}

tl::unexpected<Error> Lowering::failed(const OnnxNode &node, const Trouble &why) const {
    const QString name = text(node.name.empty() && !node.outputs.empty() ? node.outputs.front() : node.name);
    return fail(QStringLiteral("onnx.unsupported"),
                sentence("%1: the node \"%2\" (%3) cannot be imported.")
                    .arg(m_source, name.left(200), text(node.type).left(60)),
                why.cause, why.advice);
}

Result<void> Lowering::takeInputs() {
    std::unordered_set<std::string> given;
    for (const OnnxTensor &tensor : m_file.initializers)
        given.insert(tensor.name);
    bool isFirst = true;
    std::map<QString, qint64> unused = m_options.sizes;
    for (const OnnxInput &input : m_file.inputs) {
        if (given.contains(input.name))
            continue;
        const QString name = text(input.name);
        const auto refused = [&](const Sentence &cause, const Sentence &advice) {
            return fail(QStringLiteral("onnx.input"),
                        sentence("%1: the input \"%2\" cannot be imported.").arg(m_source, name.left(100)), cause,
                        advice);
        };
        if (!isRealType(input.type) && !isWholeType(input.type) && input.type != TensorProto::BOOL)
            return refused(sentence("Its elements are neither real numbers nor whole ones."),
                           sentence("Convert it in front of the network."));
        if (input.dims.empty())
            return refused(sentence("It has no batch dimension."), sentence("Give it one as its first dimension."));
        const auto notANumber = [&](std::size_t dimension) {
            return refused(sentence("Its dimension %1 is not a number from 1 to %2.")
                               .arg(static_cast<int>(dimension), static_cast<int>(ModelLimits::dimension)),
                           sentence("Export it for one size: only the batch may be in dynamic_axes."));
        };
        if (input.dims.front() > ModelLimits::dimension)
            return notANumber(0);
        Value value;
        value.kind = Value::Kind::Computed;
        value.dims = input.dims;
        // Where a size is fixed, constants of the graph may say it once more.
        if (input.dims.front() > 0 && isFirst)
            m_fixedBatch = input.dims.front();
        isFirst = false;
        value.dims.front() = batchSymbol;
        for (std::size_t i = 1; i < value.dims.size(); ++i) {
            const QString open = text(input.names[i]).left(60);
            if (const auto size = m_options.sizes.find(open); value.dims[i] < 1 && size != m_options.sizes.end()) {
                value.dims[i] = size->second;
                unused.erase(open);
            }
            if (value.dims[i] == OnnxInput::open && !open.isEmpty()) {
                return refused(sentence("The file leaves its dimension \"%1\" open.").arg(open),
                               sentence("Say its size behind the file's name: %1:%2=N.").arg(m_source, open));
            }
            if (value.dims[i] < 1 || value.dims[i] > ModelLimits::dimension)
                return notANumber(i);
        }
        value.batchAt = 0;
        if (!boundedProduct(value.sampleShape(), ModelLimits::elements)) {
            return refused(sentence("A sample of it has too many elements."),
                           sentence("Export it for a smaller size."));
        }
        value.isWhole = !isRealType(input.type);
        DraftOp op;
        op.name = freshName(opName(name));
        op.shape = value.sampleShape();
        op.isWhole = value.isWhole;
        value.op = static_cast<int>(m_draft.ops.size());
        m_draft.ops.push_back(std::move(op));
        m_values.insert_or_assign(input.name, std::move(value));
    }
    if (!unused.empty()) {
        return fail(QStringLiteral("onnx.input"), sentence("%1 cannot be imported.").arg(m_source),
                    sentence("No input of it leaves a dimension \"%1\" open.").arg(unused.begin()->first.left(60)),
                    sentence("Leave out that size."));
    }
    if (m_draft.ops.empty()) {
        return fail(QStringLiteral("onnx.input"), sentence("%1 cannot be imported.").arg(m_source),
                    sentence("Its graph takes nothing."), sentence("Export a network that has an input."));
    }
    return {};
}

Tried<std::shared_ptr<const Known>> Lowering::load(const OnnxTensor &tensor) {
    constexpr qint64 most = 1 << 24;
    const auto count = boundedProduct(tensor.dims, most);
    if (!count || !m_budget.take(*count + 1))
        return trouble(sentence("A constant has too many elements."));
    const auto bytes = readTensorBytes(tensor);
    if (!bytes)
        return trouble(bytes.error().cause, bytes.error().advice);
    return std::make_shared<const Known>(knownFrom(tensor, *bytes));
}

/// As it is, but for what a name cannot have here: exporters call what they computed "onnx::MatMul_12".
QString Lowering::freshTensor(const QString &theirs) const {
    QString name = theirs.right(2 * ModelLimits::nameLength);
    for (QChar &c : name) {
        if (c.unicode() >= 128 || (!c.isLetterOrNumber() && !QStringLiteral("_-./").contains(c)))
            c = QLatin1Char('_');
    }
    for (int n = 2; m_tensors.contains(name); ++n)
        name = name.left(2 * ModelLimits::nameLength - 12) + QStringLiteral("_%1").arg(n);
    return name;
}

Tried<void> Lowering::takeInitializer(const OnnxTensor &tensor, bool isTrained) {
    const QString name = text(tensor.name);
    // What an exporter computed itself and a number alone is no weight.
    const bool isConstant = !isTrained || (elementCount(tensor.dims) == 1 && name.contains(QLatin1String("::")));
    Value value;
    if (isRealType(tensor.type) && !isConstant && !tensor.dims.empty()) {
        value.kind = Value::Kind::Weight;
        value.tensor = freshTensor(name);
        value.dims = tensor.dims;
        m_tensors.insert_or_assign(value.tensor, tensor);
    } else {
        auto known = load(tensor);
        if (!known)
            return tl::unexpected(known.error());
        value = knownValue(**known);
    }
    m_values.insert_or_assign(tensor.name, std::move(value));
    return {};
}

Result<void> Lowering::takeInitializers() {
    const std::unordered_set<std::string> constants = withoutGradient(m_file);
    for (const OnnxTensor &tensor : m_file.initializers) {
        if (m_values.contains(tensor.name) || tensor.name.empty()) {
            return fail(QStringLiteral("onnx.malformed"), sentence("%1 is not a valid ONNX file.").arg(m_source),
                        sentence("The name \"%1\" is there twice.").arg(text(tensor.name).left(100)));
        }
        if (auto taken = takeInitializer(tensor, !constants.contains(tensor.name)); !taken) {
            return fail(
                QStringLiteral("onnx.unsupported"),
                sentence("%1: the tensor \"%2\" cannot be imported.").arg(m_source, text(tensor.name).left(100)),
                taken.error().cause, taken.error().advice);
        }
    }
    return {};
}

/// What needs no op of Hearth: names, and constants.
std::optional<Outputs> Lowering::lowerSimple(Call &call) {
    const std::string &type = call.node.type;
    if (type == "Constant") {
        Known known;
        if (const OnnxAttribute *value = call.attribute("value"); value && value->tensor) {
            auto loaded = load(*value->tensor);
            if (!loaded)
                return Outputs(tl::unexpected(loaded.error()));
            known = **loaded;
        } else if (const OnnxAttribute *real = call.attribute("value_float")) {
            known = {{}, {real->real}, true};
        } else if (const OnnxAttribute *whole = call.attribute("value_int")) {
            known = {{}, {static_cast<double>(whole->whole)}, false};
        } else if (const OnnxAttribute *wholes = call.attribute("value_ints")) {
            known = {{static_cast<qint64>(wholes->wholes.size())}, {}, false};
            known.elements.assign(wholes->wholes.begin(), wholes->wholes.end());
        } else if (const OnnxAttribute *reals = call.attribute("value_floats")) {
            known = {{static_cast<qint64>(reals->reals.size())}, reals->reals, true};
        } else {
            return Outputs(trouble(sentence("Its value is neither a tensor nor a number.")));
        }
        return Outputs(std::vector{knownValue(std::move(known))});
    }
    if (call.inputs.empty() || !call.has(0))
        return std::nullopt;
    if (type == "Shape") {
        const Shape &dims = call.input(0).dims;
        const auto rank = static_cast<qint64>(dims.size());
        const auto placed = [rank](qint64 at) { return std::clamp(at < 0 ? at + rank : at, qint64{0}, rank); };
        const qint64 start = placed(call.whole("start", 0)), end = std::max(start, placed(call.whole("end", rank)));
        Known known{{end - start}, {}, false};
        known.elements.assign(dims.begin() + start, dims.begin() + end);
        return Outputs(std::vector{knownValue(std::move(known))});
    }
    if (type == "Identity") {
        // The exporter keeps one of several equal weights and gives it the names of the others, which are weights of
        // their own with the same values at first.
        Value value = call.input(0);
        if (value.isWeight() && !value.isPart() && !call.node.outputs.empty()) {
            const QString name = freshTensor(text(call.node.outputs.front()));
            m_tensors.insert_or_assign(name, OnnxTensor(m_tensors.at(value.tensor)));
            value.tensor = name;
        }
        return Outputs(std::vector{std::move(value)});
    }
    const bool known = std::all_of(call.inputs.begin(), call.inputs.end(),
                                   [](const Value &each) { return each.isKnown() || each.isAbsent(); });
    if (!known)
        return std::nullopt;
    auto folded = fold(call, m_budget);
    if (!folded)
        return std::nullopt;
    if (!*folded)
        return Outputs(tl::unexpected(folded->error()));
    return Outputs(std::vector{knownValue(std::move(**folded))});
}

Outputs Lowering::lower(Call &call) {
    const bool hasGraph = std::any_of(call.node.attributes.begin(), call.node.attributes.end(),
                                      [](const OnnxAttribute &attribute) { return attribute.graph; });
    if (hasGraph)
        return trouble(sentence("What it does depends on values while the network runs."),
                       sentence("Export with torch.jit.trace, so that branches and loops are unrolled."));
    if (!call.node.domain.empty())
        return trouble(sentence("It is an operator of \"%1\", not of ONNX.").arg(text(call.node.domain).left(60)),
                       sentence("Export without fused or custom operators."));
    // Nothing is looked at more often than this in all, whatever a file says.
    qint64 elements = 1;
    for (const Value &each : call.inputs)
        elements += each.isKnown() ? static_cast<qint64>(each.known->elements.size()) : 0;
    if (!m_budget.take(elements))
        return trouble(sentence("The constants of the network are too large to be computed here."));
    if (auto simple = lowerSimple(call))
        return std::move(*simple);
    const auto handler = handlers().find(call.node.type);
    if (handler == handlers().end())
        return trouble(sentence("Hearth has no such operator."),
                       sentence("Write this part of the network with other operators, or leave it out."));
    if (!call.has(0))
        return trouble(sentence("Its first input is left out."));
    Outputs outputs = handler->second(call);
    for (std::size_t i = 0; outputs && i < outputs->size(); ++i) {
        // Products of dimensions stay within 64 bits from here on.
        const Shape sample = (*outputs)[i].isComputed() ? (*outputs)[i].sampleShape() : Shape();
        const bool fits = std::all_of(sample.begin(), sample.end(),
                                      [](qint64 dim) { return dim >= 1 && dim <= ModelLimits::dimension; });
        if (!fits || !boundedProduct(sample, ModelLimits::elements) || sample.size() > OnnxLimits::rank)
            return trouble(sentence("It gives %1 for each sample, which is too large.").arg(shapeText(sample)));
    }
    return outputs;
}

Result<void> Lowering::takeOutput() {
    if (m_file.outputs.empty()) {
        return fail(QStringLiteral("onnx.output"), sentence("%1 cannot be imported.").arg(m_source),
                    sentence("Its graph gives nothing."));
    }
    const std::string &name = m_file.outputs.front();
    const auto found = m_values.find(name);
    const auto refused = [&](const Sentence &cause) {
        return fail(QStringLiteral("onnx.output"),
                    sentence("%1: the output \"%2\" cannot be trained.").arg(m_source, text(name).left(100)), cause,
                    sentence("Export a network whose first output are logits, one row per sample."));
    };
    if (found == m_values.end())
        return refused(sentence("No node gives it."));
    const Value &value = found->second;
    if (!value.isComputed() || !value.isBatchFirst() || value.isWhole)
        return refused(sentence("It does not depend on the samples, or its batch is not its first dimension."));
    m_draft.output = value.op;
    if (m_draft.at(value.op).kind.isEmpty())
        return refused(sentence("It is an input."));
    if (m_file.outputs.size() > 1)
        note(sentence("Only the first output, \"%1\", is trained; %2 {2|other was|others were} left out.")
                 .arg(text(name).left(100), m_file.outputs.size() - 1));
    return {};
}

Result<Lowered> Lowering::run() && {
    if (auto taken = takeInputs(); !taken)
        return tl::unexpected(taken.error());
    if (auto taken = takeInitializers(); !taken)
        return tl::unexpected(taken.error());
    // Cheaper to refuse here than to make a description that no Model may have.
    constexpr std::size_t mostOps = 32'768;
    for (const OnnxNode &node : m_file.nodes) {
        Call call{*this, node, {}};
        for (const std::string &name : node.inputs) {
            const auto found = m_values.find(name);
            if (!name.empty() && found == m_values.end()) {
                return failed(node,
                              {sentence("Its input \"%1\" comes from no node before it.").arg(text(name).left(100)),
                               sentence("The file is damaged, or its nodes are not in order.")});
            }
            call.inputs.push_back(name.empty() ? Value() : found->second);
        }
        auto outputs = lower(call);
        if (!outputs)
            return failed(node, outputs.error());
        if (m_draft.ops.size() > mostOps)
            return failed(node, {sentence("The network has more than %1 ops.").arg(mostOps), {}});
        for (std::size_t i = 0; i < node.outputs.size() && i < outputs->size(); ++i) {
            const std::string &name = node.outputs[i];
            if (!name.empty() && !m_values.insert_or_assign(name, std::move((*outputs)[i])).second)
                return failed(node, {sentence("The name \"%1\" is there twice.").arg(text(name).left(100)), {}});
        }
    }
    if (auto taken = takeOutput(); !taken)
        return tl::unexpected(taken.error());
    return Lowered{std::move(m_draft), std::move(m_tensors), std::move(m_notes)};
}

}  // namespace hearth::onnx_import
