// Training whose stages do not wait for each other at the end of a round: which weights a pass sees.
#pragma once

#include <QJsonObject>
#include <vector>

#include "core/base/error.h"

namespace hearth {

/// Asynchronous 1F1B (PipeDream, Narayanan et al. 2019; PipeDream-2BW, Narayanan et al. 2021; FTPipeHD, Chen et al.
/// 2024). Updates are numbered u = 0, 1, … over the whole run and applied in that order, one for each round or one for
/// each micro-batch. Both passes of a micro-batch that belongs to update u see, at a stage with a delay of d updates,
/// the weights after max(u - d, what the term began with) updates, also where newer ones are there already: weights
/// follow from this rule alone and never from who was faster. With a prediction p they see, instead of those
/// weights w(k) after k updates, w(k) + p·d·(w(k) - w(k-1)): about what the update is applied to (weight prediction,
/// Chen et al. 2018, "SpecTrain", by the last step in place of the momentum, so that it suits every optimizer); what
/// the term began with is seen as it is. JSON:
/// {"update":"round","vertical_sync":false,"average_every":0,"correct_rate":true,"predict":2}. Plain value, any
/// thread.
struct Asynchrony {
    enum class Update : quint8 {
        Round,       // gradients of a round add up (PipeDream-2BW)
        MicroBatch,  // every micro-batch is a mini-batch of its own (PipeDream, FTPipeHD)
    };
    Update update = Update::Round;
    bool verticalSync = false;  // all stages have the delay of the one with the largest
    /// Above 0: after so many updates, and again after as many, the weights of a stage become the mean of the versions
    /// that the rule keeps there: the newest and the d before it, those of before the term's beginning excepted.
    /// (FTPipeHD's aggregation: of its last N - i versions in stage i of N.) Moving averages of weights and the
    /// optimizer's state know nothing of it.
    qint64 averageEvery = 0;
    /// A stage's learning rate is divided by 1 + d (PipeMare, Yang et al. 2021, its T1). With momentum a gradient that
    /// is late by one update already allows a small part alone of the rate that a timely one does.
    bool correctRate = true;
    /// p. 0: versions are seen as they are, as FTPipeHD and PipeDream do. Not with averageEvery, whose mean is of
    /// weights that were in use.
    double predict = defaultPrediction;

    static constexpr double defaultPrediction = 2, largestPrediction = 10;

    /// Copies of the weights that are kept for passes, beside the newest, with a delay of `delay`.
    int keptVersions(int delay) const { return delay > 0 && predict > 0 ? delay + 1 : delay; }
    bool operator==(const Asynchrony &) const = default;
    int updatesPerRound(int microBatches) const { return update == Update::Round ? 1 : microBatches; }
    /// d of each stage, from the most micro-batches that each may have in flight: the least with which no pass ever
    /// waits for weights of micro-batches that may themselves be in flight. So limits cannot deadlock: what a pass
    /// waits for are the updates of micro-batches whose backward passes its limit made it wait for anyway.
    std::vector<int> delays(const std::vector<int> &inFlight, int microBatches) const;

    /// `source` and `path` are what errors name ("job.json", "/asynchronous").
    static Result<Asynchrony> fromJson(const QJsonObject &object, const QString &source, const QString &path);
    QJsonObject toJson() const;
};

}  // namespace hearth
