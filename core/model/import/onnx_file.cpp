#include "core/model/import/onnx_file.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl.h>
#include <google/protobuf/wire_format_lite.h>
#include <onnx/onnx_pb.h>
#include <QFile>
#include <QFileInfo>
#include <cstdlib>
#include <limits>

#include "core/base/files.h"
#include "core/model/import/onnx_tensor.h"

namespace hearth::onnx_import {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

/// Reads the two outer messages field by field, so that no message is ever larger in memory than the limits allow, and
/// weights are passed over. The first error ends it.
class Reader {
  public:
    Reader(CodedInputStream &in, qint64 size, QString source, QString path)
        : m_in(in), m_size(size), m_source(std::move(source)), m_path(std::move(path)) {}

    Result<OnnxFile> read() {
        bool hasGraph = false;
        while (const quint32 tag = m_in.ReadTag()) {
            bool ok = false;
            if (tag == lengthDelimited(7)) {
                if (hasGraph)
                    return broken(sentence("It has two graphs."));
                hasGraph = ok = readGraph();
            } else if (tag == lengthDelimited(8)) {
                ok = readOpset();
            } else {
                ok = WireFormatLite::SkipField(&m_in, tag);
            }
            if (!ok)
                return tl::unexpected(m_error ? *m_error : brokenError(sentence("It is cut short or damaged.")));
        }
        if (!m_in.ConsumedEntireMessage())
            return broken(sentence("It is cut short or damaged."));
        if (!hasGraph)
            return broken(sentence("It holds no graph."));
        if (m_file.opset < OnnxLimits::oldestOpset || m_file.opset > OnnxLimits::newestOpset) {
            return fail(QStringLiteral("onnx.opset"), sentence("%1 cannot be opened.").arg(m_source),
                        sentence("It uses version %1 of the ONNX operators; %2 to %3 are known here.")
                            .arg(m_file.opset, OnnxLimits::oldestOpset, OnnxLimits::newestOpset),
                        sentence("Export it again with opset_version=17."));
        }
        return std::move(m_file);
    }

  private:
    static constexpr quint32 lengthDelimited(int field) { return static_cast<quint32>(field) << 3 | 2; }

    Error brokenError(const Sentence &cause) const {
        return {QStringLiteral("onnx.malformed"), sentence("%1 is not a valid ONNX file.").arg(m_source), cause,
                sentence("Export it again, or choose another file.")};
    }
    tl::unexpected<Error> broken(const Sentence &cause) const { return tl::unexpected(brokenError(cause)); }
    bool refuse(const Sentence &cause) {
        if (!m_error)
            m_error = brokenError(cause);
        return false;
    }

    /// A message of at most `most` bytes.
    bool readPiece(std::string &piece, qint64 most, const Sentence &what) {
        quint32 length = 0;
        if (!m_in.ReadVarint32(&length))
            return false;
        if (length > most)
            return refuse(sentence("%1 has %2 bytes, at most %3 are allowed.").arg(what, length, most));
        return m_in.ReadString(&piece, static_cast<int>(length));
    }
    template <class Message>
    bool readMessage(Message &message, qint64 most, const Sentence &what) {
        std::string piece;
        return readPiece(piece, most, what) &&
               (message.ParseFromString(piece) || refuse(sentence("%1 is damaged.").arg(what)));
    }

    bool readOpset() {
        ONNX_NAMESPACE::OperatorSetIdProto opset;
        if (!readMessage(opset, smallMessage, sentence("The list of operator sets")))
            return false;
        if (opset.domain().empty() || opset.domain() == "ai.onnx")
            m_file.opset = static_cast<int>(std::clamp<qint64>(opset.version(), 0, 1'000'000));
        return true;
    }

    bool readGraph() {
        quint32 length = 0;
        if (!m_in.ReadVarint32(&length) || length > static_cast<quint32>(std::numeric_limits<int>::max()))
            return false;
        // A file that is passed over by seeking may end before.
        const qint64 end = m_in.CurrentPosition() + qint64{length};
        if (end > m_size)
            return false;
        const auto limit = m_in.PushLimit(static_cast<int>(length));
        while (const quint32 tag = m_in.ReadTag()) {
            if (!readGraphField(tag))
                return false;
        }
        const bool whole = m_in.ConsumedEntireMessage() && m_in.CurrentPosition() == end;
        m_in.PopLimit(limit);
        return whole;
    }

    bool readGraphField(quint32 tag) {
        switch (tag) {
            case lengthDelimited(1):
                return readNode();
            case lengthDelimited(5):
                return readInitializer();
            case lengthDelimited(11):
                return readInput();
            case lengthDelimited(12): {
                ONNX_NAMESPACE::ValueInfoProto output;
                if (!readMessage(output, smallMessage, sentence("An output")))
                    return false;
                m_file.outputs.push_back(output.name());
                return m_file.outputs.size() <= OnnxLimits::tensors || refuse(sentence("It has too many outputs."));
            }
            case lengthDelimited(15):
                return refuse(sentence("It has sparse tensors, which are not supported."));
            default:
                return WireFormatLite::SkipField(&m_in, tag);
        }
    }

    bool readInput() {
        ONNX_NAMESPACE::ValueInfoProto proto;
        if (!readMessage(proto, smallMessage, sentence("An input")))
            return false;
        if (m_file.inputs.size() >= OnnxLimits::tensors)
            return refuse(sentence("It has too many inputs."));
        OnnxInput input;
        input.name = proto.name();
        input.type = proto.type().tensor_type().elem_type();
        const auto &shape = proto.type().tensor_type().shape();
        if (shape.dim_size() > OnnxLimits::rank)
            return refuse(sentence("An input has more than %1 dimensions.").arg(OnnxLimits::rank));
        for (const auto &dim : shape.dim()) {
            input.dims.push_back(dim.has_dim_value() ? dim.dim_value() : OnnxInput::open);
            input.names.push_back(dim.dim_param());
        }
        m_file.inputs.push_back(std::move(input));
        return true;
    }

    bool readInitializer() {
        quint32 length = 0;
        if (m_file.initializers.size() >= OnnxLimits::tensors)
            return refuse(sentence("It has more than %1 tensors.").arg(OnnxLimits::tensors));
        if (!m_in.ReadVarint32(&length) || length > static_cast<quint32>(std::numeric_limits<int>::max()))
            return false;
        OnnxTensor tensor;
        if (length <= OnnxLimits::smallTensorBytes) {
            std::string piece;
            ONNX_NAMESPACE::TensorProto proto;
            if (!m_in.ReadString(&piece, static_cast<int>(length)))
                return false;
            if (!proto.ParseFromString(piece))
                return refuse(sentence("A tensor is damaged."));
            auto taken = takeTensor(proto, m_path);
            if (!taken)
                return refuse(taken.error());
            tensor = std::move(*taken);
        } else {
            const auto limit = m_in.PushLimit(static_cast<int>(length));
            if (!readLargeTensor(tensor))
                return false;
            m_in.PopLimit(limit);
        }
        m_file.initializers.push_back(std::move(tensor));
        return true;
    }

    /// Of a tensor with many bytes only where they are. Float and double lists are packed, which is the same bytes.
    bool readLargeTensor(OnnxTensor &tensor) {
        ONNX_NAMESPACE::TensorProto facts;
        while (const quint32 tag = m_in.ReadTag()) {
            if (tag == lengthDelimited(9) || tag == lengthDelimited(4) || tag == lengthDelimited(10)) {
                quint32 bytes = 0;
                if (tensor.bytes > 0 || !m_in.ReadVarint32(&bytes) ||
                    bytes > static_cast<quint32>(std::numeric_limits<int>::max()))
                    return false;
                tensor.offset = m_in.CurrentPosition();
                tensor.bytes = bytes;
                if (!m_in.Skip(static_cast<int>(bytes)))
                    return false;
            } else if (!readTensorFact(tag, facts)) {
                return false;
            }
        }
        if (!m_in.ConsumedEntireMessage())
            return false;
        tensor.file = m_path;
        auto checked = describeTensor(facts, tensor);
        return checked || refuse(checked.error());
    }

    bool readTensorFact(quint32 tag, ONNX_NAMESPACE::TensorProto &facts) {
        std::uint64_t number = 0;
        std::string piece;
        const auto addDim = [&](std::uint64_t dim) {
            facts.add_dims(static_cast<qint64>(dim));
            return facts.dims_size() <= OnnxLimits::rank;
        };
        switch (tag) {
            case 1 << 3:
                return m_in.ReadVarint64(&number) && addDim(number);
            case lengthDelimited(1): {
                if (!readPiece(piece, smallMessage, sentence("A shape")))
                    return false;
                CodedInputStream dims(reinterpret_cast<const quint8 *>(piece.data()), static_cast<int>(piece.size()));
                while (dims.ReadVarint64(&number)) {
                    if (!addDim(number))
                        return false;
                }
                return true;
            }
            case 2 << 3:
                if (!m_in.ReadVarint64(&number) || number > 1000)
                    return false;
                facts.set_data_type(static_cast<int>(number));
                return true;
            case lengthDelimited(8):
                return readPiece(*facts.mutable_name(), OnnxLimits::nameBytes, sentence("The name of a tensor"));
            default:
                // Lists of whole numbers are not stored as they are in memory; only huge tables are that long.
                return m_in.BytesUntilLimit() >= 0 &&
                       (tag == lengthDelimited(12) || (tag >> 3) == 14 || (tag >> 3) > 14
                            ? WireFormatLite::SkipField(&m_in, tag)
                            : refuse(sentence("A large tensor is neither raw bytes nor a list of real numbers.")));
        }
    }

    bool readNode() {
        ONNX_NAMESPACE::NodeProto proto;
        if (m_file.nodes.size() >= OnnxLimits::nodes)
            return refuse(sentence("It has more than %1 nodes.").arg(OnnxLimits::nodes));
        std::string piece;
        if (!readPiece(piece, OnnxLimits::nodeBytes, sentence("A node")))
            return false;
        m_nodeBytes += static_cast<qint64>(piece.size());
        if (m_nodeBytes > OnnxLimits::allNodeBytes)
            return refuse(sentence("Its nodes have more than %1 bytes.").arg(OnnxLimits::allNodeBytes));
        if (!proto.ParseFromString(piece))
            return refuse(sentence("A node is damaged."));
        auto node = takeNode(proto, m_path, m_parts);
        if (!node)
            return refuse(node.error());
        if (m_parts > OnnxLimits::nodeParts)
            return refuse(
                sentence("Its nodes have more than %1 inputs, outputs and numbers.").arg(OnnxLimits::nodeParts));
        m_file.nodes.push_back(std::move(*node));
        return true;
    }

    static constexpr qint64 smallMessage = 1 << 16;

    CodedInputStream &m_in;
    qint64 m_size;
    QString m_source;
    QString m_path;  // empty: from memory
    OnnxFile m_file;
    qint64 m_nodeBytes = 0, m_parts = 0;
    std::optional<Error> m_error;
};

}  // namespace

Result<OnnxFile> readOnnxFile(const QString &path) {
    QFile file(path);
    if (auto opened = openPlainFile(file); !opened)
        return tl::unexpected(opened.error());
    if (file.size() > std::numeric_limits<int>::max()) {
        return fail(QStringLiteral("onnx.too-large"), sentence("%1 cannot be opened.").arg(path),
                    sentence("It has more than 2 GiB, which no ONNX file may have."),
                    sentence("Export it with its weights in a file beside it (external data)."));
    }
    google::protobuf::io::FileInputStream stream(file.handle());
    CodedInputStream in(&stream);
    return Reader(in, file.size(), path, QFileInfo(path).absoluteFilePath()).read();
}

Result<OnnxFile> parseOnnx(std::span<const std::byte> content, const QString &source) {
    if (content.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        return fail(QStringLiteral("onnx.too-large"), sentence("%1 cannot be opened.").arg(source));
    CodedInputStream in(reinterpret_cast<const quint8 *>(content.data()), static_cast<int>(content.size()));
    return Reader(in, static_cast<qint64>(content.size()), source, {}).read();
}

}  // namespace hearth::onnx_import
