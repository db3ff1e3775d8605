// How a graphics card is doing at one moment.
#pragma once

#include <QJsonObject>
#include <optional>

namespace hearth {

/// Plain value, any thread. What the card does not tell is empty.
struct CardLoad {
    std::optional<double> busyPercent;  // of the last second
    std::optional<double> memoryBytes;  // that all programs together hold
    std::optional<double> celsius;
    std::optional<double> watts;

    bool operator==(const CardLoad &) const = default;
    bool isEmpty() const { return *this == CardLoad(); }
    /// {busy_percent, memory_bytes, celsius, watts}, as far as they are known.
    QJsonObject toJson() const;
    /// Tolerant: what is no number from 0 on is unknown.
    static CardLoad fromJson(const QJsonObject &json);
};

}  // namespace hearth
