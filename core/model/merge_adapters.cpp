#include "core/model/merge_adapters.h"

#include <QHash>
#include <QSet>
#include <cstring>

#include "core/model/safetensors.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

QString weightOf(const Op &op) {
    return op.tensorNames.value(u"weight"_s, op.name + ".weight"_L1);
}

/// Rows of `rows` numbers.
struct Matrix {
    std::vector<double> values;
    qint64 rows = 0, columns = 0;

    double at(qint64 row, qint64 column) const { return values[static_cast<std::size_t>(row * columns + column)]; }
};

class Merge {
  public:
    Merge(const Model &model, std::vector<NamedTensor> weights) : m_model(model), m_weights(std::move(weights)) {
        for (const Layer &layer : model.layers) {
            for (const Op &op : layer.ops) {
                m_ops.insert(op.name, &op);
                ++m_owners[weightOf(op)];
            }
        }
        for (std::size_t i = 0; i < m_weights.size(); ++i)
            m_places.insert(m_weights[i].spec.name, i);
    }

    Result<std::vector<NamedTensor>> run() {
        for (const Op *op : std::as_const(m_ops)) {
            if (op->name.endsWith(".adapter_up"_L1)) {
                return refuse(u"adapters.not-linear"_s,
                              sentence("Between the two halves of \"%1\" is a ReLU.").arg(op->name),
                              sentence("Only LoRA can be merged."));
            }
            if (!op->name.endsWith(scaled))
                continue;
            if (auto merged = add(op->name.chopped(scaled.size()), op->number("factor")); !merged)
                return tl::unexpected(merged.error());
        }
        if (m_done.isEmpty()) {
            return refuse(u"adapters.none"_s, sentence("It has none."),
                          sentence("Its weights are those of the network already."));
        }
        std::erase_if(m_weights, [&](const NamedTensor &tensor) { return m_done.contains(tensor.spec.name); });
        return std::move(m_weights);
    }

  private:
    static constexpr QLatin1String scaled{".lora_scaled"};

    tl::unexpected<Error> refuse(const QString &code, const Sentence &cause, const Sentence &advice = {}) const {
        return fail(code, sentence("The adapters of \"%1\" cannot be merged.").arg(m_model.name), cause, advice);
    }

    Result<Matrix> matrix(const QString &name) const {
        const auto place = m_places.constFind(name);
        const NamedTensor *tensor = place == m_places.cend() ? nullptr : &m_weights[*place];
        if (!tensor || tensor->spec.shape.size() != 2 || !isFloatingPoint(tensor->dtype)) {
            return refuse(u"weights.mismatch"_s, sentence("The weights have no matrix \"%1\".").arg(name),
                          sentence("Take the weights that the run saved."));
        }
        const std::shared_ptr<Buffer> data = valuesAs(*tensor, DType::Float64);
        Matrix matrix{std::vector<double>(static_cast<std::size_t>(tensor->spec.elements())), tensor->spec.shape[0],
                      tensor->spec.shape[1]};
        std::memcpy(matrix.values.data(), data->data(), matrix.values.size() * sizeof(double));
        return matrix;
    }

    Result<void> add(const QString &name, double factor) {
        const Op *op = m_ops.value(name), *down = m_ops.value(name + ".lora_A"_L1),
                 *up = m_ops.value(name + ".lora_B"_L1);
        if (!op || !down || !up)
            return refuse(u"adapters.none"_s, sentence("\"%1\" is no adapter of Hearth's.").arg(name));
        if (m_owners.value(weightOf(*op)) > 1) {
            return refuse(u"adapters.tied"_s, sentence("Another op has the same weight as \"%1\".").arg(name),
                          sentence("Leave it out of \"targets\"."));
        }
        auto w = matrix(weightOf(*op));
        const auto a = matrix(weightOf(*down)), b = matrix(weightOf(*up));
        for (const auto *each : {&std::as_const(w), &a, &b}) {
            if (!*each)
                return tl::unexpected(each->error());
        }
        const bool transposed = op->has("transposed");  // then inputs are the rows
        const qint64 outputs = transposed ? w->columns : w->rows, inputs = transposed ? w->rows : w->columns;
        if (a->columns != inputs || b->rows != outputs || a->rows != b->columns)
            return refuse(u"weights.mismatch"_s, sentence("The matrices of \"%1\" do not fit each other.").arg(name));
        std::vector<double> row(static_cast<std::size_t>(inputs));
        for (qint64 o = 0; o < outputs; ++o) {
            std::ranges::fill(row, 0.0);
            for (qint64 r = 0; r < a->rows; ++r) {
                const double scale = factor * b->at(o, r);
                for (qint64 i = 0; i < inputs; ++i)
                    row[static_cast<std::size_t>(i)] += scale * a->at(r, i);
            }
            for (qint64 i = 0; i < inputs; ++i)
                w->values[static_cast<std::size_t>(transposed ? i * outputs + o : o * inputs + i)] +=
                    row[static_cast<std::size_t>(i)];
        }
        store(weightOf(*op), *w);
        m_done << weightOf(*down) << weightOf(*up);
        return {};
    }

    /// In a buffer of its own: the caller may have kept the other.
    void store(const QString &name, const Matrix &matrix) {
        NamedTensor &tensor = m_weights[m_places.value(name)];
        const qint64 bytes = static_cast<qint64>(matrix.values.size() * sizeof(double));
        const NamedTensor exact{tensor.spec, DType::Float64, Buffer::allocate(bytes)};
        std::memcpy(exact.data->data(), matrix.values.data(), static_cast<std::size_t>(bytes));
        tensor.dtype = tensor.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
        tensor.data = valuesAs(exact, tensor.dtype);
    }

    const Model &m_model;
    std::vector<NamedTensor> m_weights;
    QHash<QString, const Op *> m_ops;
    QHash<QString, int> m_owners;  // of a weight
    QHash<QString, std::size_t> m_places;
    QSet<QString> m_done;  // tensors of adapters
};

}  // namespace

Result<std::vector<NamedTensor>> mergedWeights(const Model &model, std::vector<NamedTensor> weights) {
    return Merge(model, std::move(weights)).run();
}

}  // namespace hearth
