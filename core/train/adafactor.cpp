#include "core/train/adafactor.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/model/optimizer_state.h"

namespace hearth {
namespace {

constexpr double epsilon1 = 1e-30, epsilon2 = 1e-3, threshold = 1, exponent = -0.8;

/// In lanes, so that it can be vectorised without another order of the sum.
template <class Value>
double sumOf(qint64 count, const Value &value) {
    constexpr qint64 lanes = 8;
    std::array<double, lanes> sums{};
    qint64 i = 0;
    for (; i + lanes <= count; i += lanes) {
        for (qint64 lane = 0; lane < lanes; ++lane)
            sums[static_cast<std::size_t>(lane)] += value(i + lane);
    }
    for (; i < count; ++i)
        sums[static_cast<std::size_t>(i % lanes)] += value(i);
    double sum = 0;
    for (const double each : sums)
        sum += each;
    return sum;
}

/// The rows of a tensor as matrices have them; `step` is what lies between two elements of one.
class Rows {
  public:
    explicit Rows(const FlatTensor &tensor) : m_tensor(tensor), m_form(MatrixForm::of(tensor.shape)) {
        const std::size_t dimensions = tensor.shape.size();
        m_step = dimensions > 0 ? tensor.strides.back() : 1;
        m_rowStride = dimensions > 1 ? tensor.strides[dimensions - 2] : 0;
    }

    const MatrixForm &form() const { return m_form; }
    qint64 step() const { return m_step; }
    /// Of a row's first element.
    qint64 offset(qint64 matrix, qint64 row) const {
        qint64 at = row * m_rowStride;
        for (std::size_t i = m_tensor.shape.size(); i-- > 2;) {
            const qint64 extent = m_tensor.shape[i - 2];
            at += matrix % extent * m_tensor.strides[i - 2];
            matrix /= extent;
        }
        return at;
    }

  private:
    const FlatTensor &m_tensor;
    MatrixForm m_form;
    qint64 m_step = 1, m_rowStride = 0;
};

template <class T>
class TensorStep {
  public:
    TensorStep(const AdafactorStep &step, const Rows &rows, T *moments)
        : m_step(step),
          m_rows(rows),
          m_form(rows.form()),
          m_moments(moments),
          m_added(std::pow(static_cast<double>(step.step), exponent)),
          m_scale(static_cast<std::size_t>(m_form.columns)) {}

    void run(T *p, const T *g, T *mean) {
        const double elements = static_cast<double>(m_form.count * m_form.rows * m_form.columns);
        if (elements == 0)
            return;
        takeMoments(g);
        double squares = 0;
        forEachRow([&](qint64 offset, double rowScale) {
            squares += rowSum([&, rowScale](qint64 c, qint64 at) {
                const double update = static_cast<double>(g[offset + at]) * (rowScale * m_scale[index(c)]);
                return update * update;
            });
        });
        const double root = std::sqrt(squares / elements);
        const double shortened = 1 / std::max(1.0, root / threshold);
        const double alpha = rateFor(p, elements);
        const double kept = 1 - alpha * m_step.decay, beta = m_step.spec.beta1;
        forEachRow([&](qint64 offset, double rowScale) {
            for (qint64 c = 0; c < m_form.columns; ++c) {
                const qint64 at = offset + c * m_rows.step();
                double update = alpha * (static_cast<double>(g[at]) * (rowScale * m_scale[index(c)]) * shortened);
                if (mean) {
                    update = beta * static_cast<double>(mean[at]) + (1 - beta) * update;
                    mean[at] = static_cast<T>(update);
                }
                p[at] = static_cast<T>(kept * static_cast<double>(p[at]) - update);
            }
        });
    }

  private:
    static std::size_t index(qint64 i) { return static_cast<std::size_t>(i); }

    /// Of value(column, its place behind the row's first element).
    template <class Value>
    double rowSum(const Value &value) const {
        const qint64 step = m_rows.step();
        if (step == 1)
            return sumOf(m_form.columns, [&](qint64 c) { return value(c, c); });
        return sumOf(m_form.columns, [&](qint64 c) { return value(c, c * step); });
    }

    double averaged(T old, double now) const { return (1 - m_added) * static_cast<double>(old) + m_added * now; }

    /// The second moments of this step.
    void takeMoments(const T *g) {
        const auto square = [&](qint64 at) {
            const double value = static_cast<double>(g[at]);
            return value * value + epsilon1;
        };
        if (!m_form.isFactored) {
            for (qint64 c = 0; c < m_form.columns; ++c)
                m_moments[c] = static_cast<T>(averaged(m_moments[c], square(c * m_rows.step())));
            return;
        }
        std::vector<double> sums(index(m_form.columns));
        for (qint64 matrix = 0; matrix < m_form.count; ++matrix) {
            T *const rowMeans = m_moments + matrix * m_form.rows;
            T *const columnMeans = m_moments + m_form.rowMeans() + matrix * m_form.columns;
            std::ranges::fill(sums, 0.0);
            for (qint64 row = 0; row < m_form.rows; ++row) {
                const qint64 offset = m_rows.offset(matrix, row);
                const double sum = rowSum([&](qint64, qint64 at) { return square(offset + at); });
                for (qint64 c = 0; c < m_form.columns; ++c)
                    sums[index(c)] += square(offset + c * m_rows.step());
                rowMeans[row] = static_cast<T>(averaged(rowMeans[row], sum / static_cast<double>(m_form.columns)));
            }
            for (qint64 c = 0; c < m_form.columns; ++c)
                columnMeans[c] =
                    static_cast<T>(averaged(columnMeans[c], sums[index(c)] / static_cast<double>(m_form.rows)));
        }
    }

    /// Calls each(offset of the row, factor); the factor, times m_scale of a column, is 1/sqrt(V).
    template <class Each>
    void forEachRow(const Each &each) {
        for (qint64 matrix = 0; matrix < m_form.count; ++matrix) {
            const T *const rowMeans = m_moments + matrix * m_form.rows;
            const T *const columnMeans =
                m_form.isFactored ? m_moments + m_form.rowMeans() + matrix * m_form.columns : m_moments;
            for (qint64 c = 0; c < m_form.columns; ++c)
                m_scale[index(c)] = 1 / std::sqrt(static_cast<double>(columnMeans[c]));
            if (!m_form.isFactored) {
                each(0, 1);
                return;
            }
            const double whole = sumOf(m_form.rows, [&](qint64 row) { return static_cast<double>(rowMeans[row]); }) /
                                 static_cast<double>(m_form.rows);
            for (qint64 row = 0; row < m_form.rows; ++row)
                each(m_rows.offset(matrix, row), 1 / std::sqrt(static_cast<double>(rowMeans[row]) / whole));
        }
    }

    double rateFor(const T *p, double elements) const {
        double rate = m_step.rate;
        if (m_step.spec.relativeStep)
            rate *= std::min(1.0, 1 / (m_step.spec.learningRate * std::sqrt(static_cast<double>(m_step.step))));
        if (!m_step.spec.scaleParameter)
            return rate;
        double squares = 0;
        for (qint64 matrix = 0; matrix < m_form.count; ++matrix) {
            for (qint64 row = 0; row < m_form.rows; ++row) {
                const qint64 offset = m_rows.offset(matrix, row);
                squares += rowSum([&](qint64, qint64 at) {
                    const double value = static_cast<double>(p[offset + at]);
                    return value * value;
                });
            }
        }
        return rate * std::max(epsilon2, std::sqrt(squares / elements));
    }

    const AdafactorStep &m_step;
    const Rows &m_rows;
    const MatrixForm &m_form;
    T *m_moments;
    double m_added;               // 1 - beta2
    std::vector<double> m_scale;  // of the matrix at work, by column
};

template <class T>
void stepAs(const AdafactorStep &step, const FlatTensor &tensor, std::byte *parameters, const std::byte *gradients,
            std::byte *mean, std::byte *moments) {
    const Rows rows(tensor);
    TensorStep<T>(step, rows, reinterpret_cast<T *>(moments))
        .run(reinterpret_cast<T *>(parameters), reinterpret_cast<const T *>(gradients), reinterpret_cast<T *>(mean));
}

}  // namespace

void adafactorStep(const AdafactorStep &step, const FlatTensor &tensor, DType dtype, std::byte *parameters,
                   const std::byte *gradients, std::byte *mean, std::byte *moments) {
    if (dtype == DType::Float64)
        stepAs<double>(step, tensor, parameters, gradients, mean, moments);
    else
        stepAs<float>(step, tensor, parameters, gradients, mean, moments);
}

}  // namespace hearth
