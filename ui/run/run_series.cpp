#include "ui/run/run_series.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "ui/run/run_model.h"

namespace hearth {

namespace {
// There are hundreds of these in a home of 64 devices: 73 KB each.
constexpr TimeSeries::Size small{1024, 256};
constexpr TimeSeries::Size rare{8192, 512};
constexpr TimeSeries::Size single{1, 1};
// Between rounds that follow each other only messages travel.
constexpr double silenceSeconds = 3;
constexpr double percent = 100;
}  // namespace

RunSeries::OfDevice::OfDevice()
    : computing(small),
      waiting(small),
      sending(small),
      memory(small),
      cardBusy(small),
      cardMemory(small),
      cardCelsius(small),
      cardWatts(small) {}

// The sum keeps what its parts keep: further back, too, the cursor reads both over the same rounds.
RunSeries::RunSeries()
    : m_evaluatedLoss(rare),
      m_accuracy(rare),
      m_bestLoss(single),
      m_bestAccuracy(single),
      m_kept(rare),
      m_allLinks(small),
      m_saved(small),
      m_lossOff(small) {}

template <class Self, class Action>
void RunSeries::forEach(Self &self, Action action) {
    for (auto *series :
         {&self.m_rounds, &self.m_measured, &self.m_smoothed, &self.m_predicted, &self.m_loss, &self.m_smoothedLoss,
          &self.m_learningRate, &self.m_gradientNorm, &self.m_allLinks, &self.m_saved})
        action(*series);
    for (auto &[id, device] : self.m_devices) {
        for (auto *series : {&device.computing, &device.waiting, &device.sending, &device.memory, &device.cardBusy,
                             &device.cardMemory, &device.cardCelsius, &device.cardWatts})
            action(*series);
    }
    for (auto &[link, series] : self.m_links)
        action(series);
}

void RunSeries::take(const event::Round &round, const RoundPoint &point) {
    const bool silent = point.t - round.roundS - m_loss.lastT() > silenceSeconds;
    const bool isMissing = m_lastRound > 0 && round.round > m_lastRound + 1;
    if (round.term != m_term || silent || isMissing)
        breakHere();
    if (round.term != m_term)
        m_linksInUse.clear();
    m_term = round.term;
    m_lastRound = round.round;
    m_rounds.append(point.t, static_cast<double>(round.round));
    m_measured.append(point.t, point.samplesPerSecond);
    m_smoothed.append(point.t, point.smoothed);
    m_predicted.append(point.t, point.predicted);
    m_loss.append(point.t, point.loss);
    smoothLoss(point.t, point.loss, 1);
    if (round.learningRate)
        takeRate(point.t, *round.learningRate);
    if (round.gradientNorm)
        m_gradientNorm.append(point.t, *round.gradientNorm);
    for (auto it = round.devices.cbegin(); it != round.devices.cend(); ++it) {
        OfDevice &device = m_devices[it.key()];
        const event::RoundDevice &times = it.value();
        const double computing = times.computeS + times.optimizerS;
        const double waiting = times.waitForwardS + times.waitBackwardS + times.waitAllreduceS;
        const double sending = times.sendS + times.allreduceS;
        const double whole = computing + waiting + sending;
        if (whole > 0) {
            device.computing.append(point.t, percent * computing / whole);
            device.waiting.append(point.t, percent * waiting / whole);
            device.sending.append(point.t, percent * sending / whole);
        }
        device.memory.append(point.t, static_cast<double>(times.memoryBytes));
        const CardLoad &card = times.card;
        for (const auto &[series, value] : {std::pair{&device.cardBusy, card.busyPercent},
                                            {&device.cardMemory, card.memoryBytes},
                                            {&device.cardCelsius, card.celsius},
                                            {&device.cardWatts, card.watts}}) {
            if (value)
                series->append(point.t, *value);
        }
    }
    if (round.roundS > 0)
        takeLinks(round, point.t);
}

/// A loss that is no number does not count.
void RunSeries::smoothLoss(double t, double loss, quint32 rounds) {
    if (!std::isfinite(loss))
        return;
    const double before = m_averageLoss.value_or(loss), newest = 2.0 / (m_lossSmoothing + 1);
    m_averageLoss = before + (1 - std::pow(1 - newest, rounds)) * (loss - before);
    m_smoothedLoss.append(t, *m_averageLoss);
}

void RunSeries::setLossSmoothing(int rounds) {
    m_lossSmoothing = rounds;
    m_smoothedLoss.clear();
    m_averageLoss.reset();
    for (const TimeSeries::Piece &piece : m_loss.all()) {
        if (piece.breakBefore)
            m_smoothedLoss.breakHere();
        smoothLoss(piece.to, piece.mean, piece.count);
    }
}

void RunSeries::takeRate(double t, double rate) {
    if (!m_firstRate)
        m_firstRate = {t, rate};
    if (m_learningRate.isEmpty() && rate != m_firstRate->second)
        m_learningRate.append(m_firstRate->first, m_firstRate->second);
    if (!m_learningRate.isEmpty())
        m_learningRate.append(t, rate);
}

void RunSeries::takeLinks(const event::Round &round, double t) {
    // One that sent nothing in this round has no bytes in it: that is a rate as well.
    for (auto &[name, rate] : m_linksInUse)
        rate = 0;
    double all = 0;
    for (const event::RoundLink &link : round.links) {
        const double rate = static_cast<double>(link.bytes) / round.roundS;
        all += rate;
        QString name = link.from + QLatin1Char('>') + link.to;
        if (!m_links.contains(name) && m_links.size() >= mostLinks)
            name.clear();
        m_links.try_emplace(name, small);
        m_linksInUse[name] += rate;
    }
    for (const auto &[name, rate] : m_linksInUse)
        m_links.at(name).append(t, rate);
    m_allLinks.append(t, all);
    if (round.savedBytes > 0 || !m_saved.isEmpty())
        m_saved.append(t, static_cast<double>(round.savedBytes) / round.roundS);
}

void RunSeries::take(const event::CodecCheck &check, double t) {
    const QString none = QString::fromLatin1(noCodec().name);
    for (const event::CodecCheck::Cut &cut : check.cuts) {
        for (const auto &[isForward, codec, error] :
             {std::tuple{true, cut.forward, cut.forwardError}, std::tuple{false, cut.backward, cut.backwardError}}) {
            const OfCut key{cut.cut, isForward};
            if (codec != none && (m_cutErrors.contains(key) || m_cutErrors.size() < mostLinks))
                m_cutErrors.try_emplace(key, small).first->second.append(t, percent * error);
        }
    }
    if (check.rawLoss != 0)
        m_lossOff.append(t, percent * std::abs(check.loss / check.rawLoss - 1));
}

void RunSeries::addEvaluation(const EvaluationPoint &point) {
    m_accuracy.append(point.t, percent * point.accuracy);
    m_evaluatedLoss.append(point.t, point.loss);
}

void RunSeries::setEvaluations(const std::vector<EvaluationPoint> &points) {
    m_accuracy.clear();
    m_evaluatedLoss.clear();
    for (const EvaluationPoint &point : points)
        addEvaluation(point);
}

void RunSeries::setBest(const std::optional<EvaluationPoint> &point) {
    m_bestLoss.clear();
    m_bestAccuracy.clear();
    if (!point)
        return;
    m_bestLoss.append(point->t, point->loss);
    m_bestAccuracy.append(point->t, percent * point->accuracy);
}

void RunSeries::breakHere() {
    forEach(*this, [](TimeSeries &series) { series.breakHere(); });
}

void RunSeries::dropAfter(double t) {
    forEach(*this, [t](TimeSeries &series) { series.dropAfter(t); });
    const auto last = m_smoothedLoss.at(m_smoothedLoss.lastT());
    m_averageLoss = last ? std::optional(last->mean) : std::nullopt;
    m_lossOff.dropAfter(t);
    for (auto &[cut, series] : m_cutErrors)
        series.dropAfter(t);
}

void RunSeries::clear() {
    forEach(*this, [](TimeSeries &series) { series.clear(); });
    m_accuracy.clear();
    m_evaluatedLoss.clear();
    setBest({});
    m_averageLoss.reset();
    m_firstRate.reset();
    m_kept.clear();
    m_cutErrors.clear();
    m_lossOff.clear();
    m_devices.clear();
    m_links.clear();
    m_linksInUse.clear();
    m_term = 0;
    m_lastRound = 0;
}

std::size_t RunSeries::memory() const {
    std::size_t bytes = m_accuracy.memory() + m_evaluatedLoss.memory() + m_bestLoss.memory() + m_bestAccuracy.memory() +
                        m_kept.memory() + m_lossOff.memory();
    for (const auto &[cut, series] : m_cutErrors)
        bytes += series.memory();
    forEach(*this, [&bytes](const TimeSeries &series) { bytes += series.memory(); });
    return bytes;
}

}  // namespace hearth
