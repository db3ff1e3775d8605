#include "core/model/merge_adapters.h"

#include <QHash>
#include <QJsonArray>
#include <QSet>
#include <algorithm>
#include <cstring>

#include "core/model/safetensors.h"

namespace hearth {

using namespace Qt::StringLiterals;

namespace {

constexpr QLatin1String scaledEnd{".lora_scaled"};

tl::unexpected<Error> refuse(const Model &model, const QString &code, const Sentence &cause,
                             const Sentence &advice = {}) {
    return fail(code, sentence("The adapters of \"%1\" cannot be merged.").arg(model.name), cause, advice);
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
            for (const Op &op : layer.ops)
                ++m_owners[weightNameOf(op)];
        }
        for (std::size_t i = 0; i < m_weights.size(); ++i)
            m_places.insert(m_weights[i].spec.name, i);
    }

    Result<std::vector<NamedTensor>> run() {
        const auto places = loraOf(m_model);
        const bool some =
            std::ranges::any_of(m_weights, [](const NamedTensor &tensor) { return isLoraTensor(tensor.spec.name); });
        if (!places && places.error().code == "adapters.none"_L1 && some) {
            return refuse(m_model, u"adapters.unknown"_s,
                          sentence("Its description does not know those of the weights."),
                          sentence("Name the run in place of a file: it says how strong they are."));
        }
        if (!places)
            return tl::unexpected(places.error());
        for (const LoraPlace &place : *places) {
            if (auto merged = add(place); !merged)
                return tl::unexpected(merged.error());
        }
        std::erase_if(m_weights, [&](const NamedTensor &tensor) { return m_done.contains(tensor.spec.name); });
        return std::move(m_weights);
    }

  private:
    Result<Matrix> matrix(const QString &name) const {
        const auto place = m_places.constFind(name);
        const NamedTensor *tensor = place == m_places.cend() ? nullptr : &m_weights[*place];
        if (!tensor || tensor->spec.shape.size() != 2 || !isFloatingPoint(tensor->dtype)) {
            return refuse(m_model, u"weights.mismatch"_s, sentence("The weights have no matrix \"%1\".").arg(name),
                          sentence("Take the weights that the run saved."));
        }
        const std::shared_ptr<Buffer> data = valuesAs(*tensor, DType::Float64);
        Matrix matrix{std::vector<double>(static_cast<std::size_t>(tensor->spec.elements())), tensor->spec.shape[0],
                      tensor->spec.shape[1]};
        std::memcpy(matrix.values.data(), data->data(), matrix.values.size() * sizeof(double));
        return matrix;
    }

    Result<void> add(const LoraPlace &place) {
        const QString own = weightNameOf(*place.op), down = weightNameOf(*place.a), up = weightNameOf(*place.b);
        if (m_owners.value(own) > 1) {
            return refuse(m_model, u"adapters.tied"_s,
                          sentence("Another op has the same weight as \"%1\".").arg(place.op->name),
                          sentence("Leave it out of \"targets\"."));
        }
        auto w = matrix(own);
        const auto a = matrix(down), b = matrix(up);
        for (const auto *each : {&std::as_const(w), &a, &b}) {
            if (!*each)
                return tl::unexpected(each->error());
        }
        const bool transposed = place.op->has("transposed");  // then inputs are the rows
        const qint64 outputs = transposed ? w->columns : w->rows, inputs = transposed ? w->rows : w->columns;
        if (a->columns != inputs || b->rows != outputs || a->rows != b->columns)
            return refuse(m_model, u"weights.mismatch"_s,
                          sentence("The matrices of \"%1\" do not fit each other.").arg(place.op->name));
        std::vector<double> row(static_cast<std::size_t>(inputs));
        for (qint64 o = 0; o < outputs; ++o) {
            std::ranges::fill(row, 0.0);
            for (qint64 r = 0; r < a->rows; ++r) {
                const double scale = place.factor * b->at(o, r);
                for (qint64 i = 0; i < inputs; ++i)
                    row[static_cast<std::size_t>(i)] += scale * a->at(r, i);
            }
            for (qint64 i = 0; i < inputs; ++i)
                w->values[static_cast<std::size_t>(transposed ? i * outputs + o : o * inputs + i)] +=
                    row[static_cast<std::size_t>(i)];
        }
        store(own, *w);
        m_done << down << up;
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
    QHash<QString, int> m_owners;  // of a weight
    QHash<QString, std::size_t> m_places;
    QSet<QString> m_done;  // tensors of adapters
};

}  // namespace

Result<std::vector<LoraPlace>> loraOf(const Model &model) {
    QHash<QString, const Op *> ops;
    for (const Layer &layer : model.layers) {
        for (const Op &op : layer.ops)
            ops.insert(op.name, &op);
    }
    std::vector<LoraPlace> places;
    for (const Layer &layer : model.layers) {
        for (const Op &op : layer.ops) {
            if (op.name.endsWith(".adapter_up"_L1)) {
                return refuse(model, u"adapters.not-linear"_s,
                              sentence("Between the two halves of \"%1\" is a ReLU.").arg(op.name),
                              sentence("Only LoRA can be merged."));
            }
            if (!op.name.endsWith(scaledEnd))
                continue;
            const QString name = op.name.chopped(scaledEnd.size());
            const Op *dropout = ops.value(name + ".lora_dropout"_L1);
            const LoraPlace place{ops.value(name), ops.value(name + ".lora_A"_L1), ops.value(name + ".lora_B"_L1),
                                  op.number("factor"), dropout ? dropout->number("probability") : 0};
            const auto isLinear = [](const Op *one) { return one != nullptr && one->kind == "linear"_L1; };
            if (op.kind != "scale"_L1 || !isLinear(place.op) || !isLinear(place.a) || !isLinear(place.b))
                return refuse(model, u"adapters.none"_s, sentence("\"%1\" is no adapter of Hearth's.").arg(name));
            places.push_back(place);
        }
    }
    if (places.empty()) {
        return refuse(model, u"adapters.none"_s, sentence("It has none."),
                      sentence("Its weights are those of the network already."));
    }
    return places;
}

QString weightNameOf(const Op &op) {
    return op.tensorNames.value(u"weight"_s, op.name + ".weight"_L1);
}

bool isLoraTensor(const QString &name) {
    return name.endsWith(".lora_A.weight"_L1) || name.endsWith(".lora_B.weight"_L1);
}

bool isBottleneckTensor(const QString &name) {
    return name.contains(".adapter_down."_L1) || name.contains(".adapter_up."_L1);
}

Result<std::vector<NamedTensor>> mergedWeights(const Model &model, std::vector<NamedTensor> weights) {
    return Merge(model, std::move(weights)).run();
}

Result<Model> withoutLora(const Model &model) {
    const auto places = loraOf(model);
    if (!places)
        return tl::unexpected(places.error());
    QSet<QString> added;
    QHash<QString, QString> renamed;
    for (const LoraPlace &place : *places) {
        const QString name = place.op->name;
        for (const char *end : {".lora_dropout", ".lora_A", ".lora_B", ".lora_scaled", ".lora"})
            added << name + QLatin1String(end);
        renamed[name + ".lora"_L1] = name;
    }
    const auto behind = [&](QJsonArray names) {
        for (qsizetype i = 0; i < names.size(); ++i)
            names[i] = renamed.value(names[i].toString(), names[i].toString());
        return names;
    };
    QJsonObject description = model.toJson();
    QJsonArray graph;
    for (const QJsonValue each : description["graph"_L1].toArray()) {
        QJsonObject node = each.toObject();
        if (added.contains(node["name"_L1].toString()))
            continue;
        node[u"from"_s] = behind(node["from"_L1].toArray());
        graph.append(node);
    }
    description[u"graph"_s] = graph;
    description[u"outputs"_s] = behind(description["outputs"_L1].toArray());
    return Model::fromJson(description, model.name);
}

}  // namespace hearth
