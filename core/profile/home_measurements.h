// What was measured in a home, as one model looks on its devices, and what its links carry.
#pragma once

#include <QMap>
#include <map>
#include <utility>
#include <vector>

#include "core/profile/profile_store.h"

namespace hearth {

struct MeasuredLayer {
    QString name;
    double forwardS = 0, backwardS = 0;  // one pass over HomeMeasurements::batch samples
    double relativeError = 0;            // how far off the two may well be where they are predicted; 0: measured
};

/// One device with the whole model.
struct MeasuredDevice {
    double samplesPerSecond = 0;  // forward and backward of all layers, alone
    double relativeError = 0;     // of that
    int threads = 1;
    qint64 measured = 0;  // milliseconds since 1970
    std::vector<MeasuredLayer> layers;
};

/// Plain value, any thread. All of it is of one model in one precision, at one number of samples: figures of different
/// models say nothing about each other.
struct HomeMeasurements {
    QString model;  // its name; empty where nothing was measured
    QString modelSha256, precision;
    int batch = 0;  // the most samples at a time that all of these devices measured
    std::map<QString, MeasuredDevice> devices;
    std::map<std::pair<QString, QString>, LinkProfile::Pair> links;  // by from and to
    std::vector<StoredSharing> sharing = {};                         // whoever chose the rest adds it

    const MeasuredDevice *device(const QString &id) const;
    const LinkProfile::Pair *link(const QString &from, const QString &to) const;
    /// One of them cannot send and receive at the same time; false also where nobody has found out.
    bool isHalfDuplex(const QString &device, const QString &other) const;
    /// Ids; none also where nobody has found out.
    QStringList sharesAirWith(const QString &device) const;
    /// So many times as fast as `other`; 0 where one of them was not measured.
    double ratio(const QString &id, const QString &other) const;
};

/// What somebody wants to see.
struct MeasurementChoice {
    QString modelSha256, precision;
    QMap<QString, int> threads;  // by id of every device of the home: with how many it computes now
};

/// Of the model that is wanted, or where none of the devices measured that, of the one that was measured last; never of
/// the benchmark network. Of several measurements of a device the newest counts, those with its present number of
/// threads before others.
HomeMeasurements chooseMeasurements(const std::vector<StoredProfile> &profiles,
                                    const std::vector<LinkProfile::Pair> &links, const MeasurementChoice &choice);

}  // namespace hearth
