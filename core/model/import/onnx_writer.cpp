#include "core/model/import/onnx_write.h"

namespace hearth::onnx_export {

using ONNX_NAMESPACE::AttributeProto;
using ONNX_NAMESPACE::TensorProto;

int Writer::realType() const {
    return m_real == DType::Float64 ? TensorProto::DOUBLE : TensorProto::FLOAT;
}

Name Writer::fresh(const char *kind) {
    return std::string(kind) + "_" + std::to_string(++m_count);
}

Name Writer::node(const char *type, Names inputs, const Name &output) {
    auto *node = graph().add_node();
    node->set_op_type(type);
    m_last = output.empty() ? fresh(type) : output;
    node->set_name("node_" + m_last);
    for (Name &input : inputs)
        node->add_input(std::move(input));
    node->add_output(m_last);
    return m_last;
}

AttributeProto &Writer::attribute(const char *name) {
    AttributeProto *added = graph().mutable_node(graph().node_size() - 1)->add_attribute();
    added->set_name(name);
    return *added;
}

Writer &Writer::with(const char *name, qint64 value) {
    AttributeProto &added = attribute(name);
    added.set_type(AttributeProto::INT);
    added.set_i(value);
    return *this;
}

Writer &Writer::with(const char *name, double value) {
    AttributeProto &added = attribute(name);
    added.set_type(AttributeProto::FLOAT);
    added.set_f(static_cast<float>(value));
    return *this;
}

Writer &Writer::with(const char *name, const char *value) {
    AttributeProto &added = attribute(name);
    added.set_type(AttributeProto::STRING);
    added.set_s(value);
    return *this;
}

Writer &Writer::with(const char *name, const std::vector<qint64> &values) {
    AttributeProto &added = attribute(name);
    added.set_type(AttributeProto::INTS);
    for (const qint64 value : values)
        added.add_ints(value);
    return *this;
}

TensorProto &Writer::constant(const std::vector<qint64> &dims, int type, Name &name) {
    name = fresh("constant");
    TensorProto &tensor = constant(name);
    tensor.set_data_type(type);
    for (const qint64 dim : dims)
        tensor.add_dims(dim);
    return tensor;
}

TensorProto &Writer::constant(const Name &name) {
    node("Constant", {}, name);
    AttributeProto &added = attribute("value");
    added.set_type(AttributeProto::TENSOR);
    return *added.mutable_t();
}

Name Writer::wholes(const std::vector<qint64> &values) {
    return wholes({static_cast<qint64>(values.size())}, values);
}

Name Writer::wholes(const std::vector<qint64> &dims, const std::vector<qint64> &values) {
    Name name;
    TensorProto &tensor = constant(dims, TensorProto::INT64, name);
    for (const qint64 value : values)
        tensor.add_int64_data(value);
    return name;
}

Name Writer::whole(qint64 value) {
    Name name;
    constant({}, TensorProto::INT64, name).add_int64_data(value);
    return name;
}

Name Writer::reals(const std::vector<qint64> &dims, const std::vector<double> &values) {
    Name name;
    TensorProto &tensor = constant(dims, realType(), name);
    for (const double value : values) {
        if (m_real == DType::Float64)
            tensor.add_double_data(value);
        else
            tensor.add_float_data(static_cast<float>(value));
    }
    return name;
}

Name Writer::floats(const std::vector<double> &values) {
    Name name;
    TensorProto &tensor = constant({static_cast<qint64>(values.size())}, TensorProto::FLOAT, name);
    for (const double value : values)
        tensor.add_float_data(static_cast<float>(value));
    return name;
}

Name Writer::number(double value) {
    return reals({}, {value});
}

Name Writer::filled(const std::vector<qint64> &dims, double value) {
    return reals(dims, std::vector<double>(static_cast<std::size_t>(elementCount(dims)), value));
}

Name Writer::reshaped(const Name &value, const Shape &sample) {
    // 0 keeps what is there: the batch.
    std::vector<qint64> dims{0};
    dims.insert(dims.end(), sample.begin(), sample.end());
    return node("Reshape", {value, wholes(dims)});
}

Name Writer::forEachSample(const Name &value, const Shape &shape, const Name &like) {
    const Name batch = node("Shape", {like});
    with("start", qint64{0}).with("end", qint64{1});
    const Name dims = node("Concat", {batch, wholes(shape)});
    with("axis", qint64{0});
    return node("Expand", {value, dims});
}

Name writeOp(Writer &writer, const Op &op, const Names &inputs, const Names &weights, const Name &output) {
    static const WriteTable table = [] {
        WriteTable all;
        addLayerWrites(all);
        addElementWrites(all);
        addAttentionWrites(all);
        return all;
    }();
    const auto found = table.constFind(op.kind);
    if (found == table.constEnd())
        return {};
    const Name result = (*found)(Call{writer, op, inputs, weights});
    return result.empty() || output.empty() ? result : writer.node("Identity", {result}, output);
}

}  // namespace hearth::onnx_export
