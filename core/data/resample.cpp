#include "core/data/resample.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hearth {
namespace {

constexpr int channels = 3;
constexpr int weightBits = 14;
constexpr int weightOne = 1 << weightBits;

/// Of one row or column of the result: which of the picture's make it, and how much of each.
struct Taps {
    int first = 0;
    int count = 0;
    std::size_t weights = 0;  // where they begin
};

struct Filter {
    std::vector<Taps> taps;
    std::vector<qint32> weights;  // of each result they add up to weightOne
};

Filter filterOf(double start, double length, int results, int limit) {
    const double step = length / results, reach = std::max(1.0, step);
    Filter filter;
    filter.taps.reserve(static_cast<std::size_t>(results));
    std::vector<double> shares;
    for (int i = 0; i < results; ++i) {
        const double centre = start + (i + 0.5) * step;
        const int first = std::clamp(static_cast<int>(std::floor(centre - reach)), 0, limit - 1);
        const int end = std::clamp(static_cast<int>(std::ceil(centre + reach)), first + 1, limit);
        shares.clear();
        double sum = 0;
        for (int at = first; at < end; ++at) {
            shares.push_back(std::max(0.0, 1 - std::abs(at + 0.5 - centre) / reach));
            sum += shares.back();
        }
        Taps taps{first, end - first, filter.weights.size()};
        qint32 left = weightOne;
        std::size_t largest = 0;
        for (std::size_t k = 0; k < shares.size(); ++k) {
            const auto weight =
                static_cast<qint32>(sum > 0 ? std::lround(shares[k] / sum * weightOne) : (k == 0 ? weightOne : 0));
            filter.weights.push_back(weight);
            left -= weight;
            if (shares[k] > shares[largest])
                largest = k;
        }
        filter.weights[taps.weights + largest] += left;
        filter.taps.push_back(taps);
    }
    return filter;
}

uchar rounded(qint32 sum) {
    return static_cast<uchar>(std::clamp((sum + weightOne / 2) >> weightBits, 0, 255));
}

void addRow(const uchar *__restrict from, qint32 weight, qsizetype begin, qsizetype end, qint32 *__restrict sums) {
    for (qsizetype i = begin; i < end; ++i)
        sums[i] += weight * from[i];
}

void alongRow(const uchar *__restrict from, const Filter &filter, uchar *__restrict to) {
    for (const Taps &taps : filter.taps) {
        const qint32 *weights = filter.weights.data() + taps.weights;
        const uchar *at = from + static_cast<qsizetype>(taps.first) * channels;
        qint32 red = 0, green = 0, blue = 0;
        for (int k = 0; k < taps.count; ++k, at += channels) {
            red += weights[k] * at[0];
            green += weights[k] * at[1];
            blue += weights[k] * at[2];
        }
        *to++ = rounded(red);
        *to++ = rounded(green);
        *to++ = rounded(blue);
    }
}

}  // namespace

QImage resampled(const QImage &picture, const QRectF &source, const QSize &size) {
    Q_ASSERT(picture.format() == QImage::Format_RGB888);
    const Filter across = filterOf(source.left(), source.width(), size.width(), picture.width());
    const Filter down = filterOf(source.top(), source.height(), size.height(), picture.height());
    const qsizetype begin = qsizetype{across.taps.front().first} * channels;
    const qsizetype end = qsizetype{across.taps.back().first + across.taps.back().count} * channels;
    QImage result(size, QImage::Format_RGB888);
    // Down first: whole rows are added, which processors do in vectors, and fewer of them are left for the way across.
    std::vector<qint32> sums(static_cast<std::size_t>(end));
    std::vector<uchar> row(static_cast<std::size_t>(end));
    for (int y = 0; y < size.height(); ++y) {
        const Taps &taps = down.taps[static_cast<std::size_t>(y)];
        std::fill(sums.begin(), sums.end(), 0);
        for (int k = 0; k < taps.count; ++k)
            addRow(picture.constScanLine(taps.first + k), down.weights[taps.weights + static_cast<std::size_t>(k)],
                   begin, end, sums.data());
        for (qsizetype i = begin; i < end; ++i)
            row[static_cast<std::size_t>(i)] = rounded(sums[static_cast<std::size_t>(i)]);
        alongRow(row.data(), across, result.scanLine(y));
    }
    return result;
}

}  // namespace hearth
