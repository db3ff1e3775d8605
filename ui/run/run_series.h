// What a run's rounds measured, as series that plots read.
#pragma once

#include <QString>
#include <map>
#include <optional>
#include <utility>

#include "core/run/run_event.h"
#include "ui/run/time_series.h"

namespace hearth {

struct EvaluationPoint;
struct RoundPoint;

/// Built from events alone, by RunModel; in bounded memory. A break lies where nobody trained, or nothing is known of
/// it: between terms, while the run paused or recovered, where no round accounts for more than three seconds, and where
/// rounds are missing. References to series stay valid until `clear`, that to `rounds` as long as this. GUI thread.
class RunSeries {
  public:
    /// Per cent of the device's round; memory in bytes. Of its graphics card per cent of the time, bytes, degrees
    /// Celsius and watts; empty where it computes on none.
    struct OfDevice {
        TimeSeries computing, waiting, sending, memory, cardBusy, cardMemory, cardCelsius, cardWatts;
        OfDevice();
    };
    /// Links beyond these many are not told apart: their sum is.
    static constexpr std::size_t mostLinks = 128;

    RunSeries();

    /// The number of each, which ascends: what is repeated takes the place of what it undoes.
    const TimeSeries &rounds() const { return m_rounds; }
    const TimeSeries &measured() const { return m_measured; }    // samples/s
    const TimeSeries &smoothed() const { return m_smoothed; }    // samples/s
    const TimeSeries &predicted() const { return m_predicted; }  // samples/s
    const TimeSeries &loss() const { return m_loss; }
    /// An exponential mean.
    const TimeSeries &smoothedLoss() const { return m_smoothedLoss; }
    const TimeSeries &evaluatedLoss() const { return m_evaluatedLoss; }
    const TimeSeries &accuracy() const { return m_accuracy; }  // per cent
    /// One value each: of the evaluation whose weights are kept as the best.
    const TimeSeries &bestLoss() const { return m_bestLoss; }
    const TimeSeries &bestAccuracy() const { return m_bestAccuracy; }  // per cent
    /// Empty while it has been the same all the time.
    const TimeSeries &learningRate() const { return m_learningRate; }
    const TimeSeries &gradientNorm() const { return m_gradientNorm; }
    /// A value (0) each time that state was copied or saved.
    const TimeSeries &kept() const { return m_kept; }
    const std::map<QString, OfDevice> &devices() const { return m_devices; }
    /// Bytes per second by "from>to"; the sum of all that found no room under an empty name.
    const std::map<QString, TimeSeries> &links() const { return m_links; }
    const TimeSeries &allLinks() const { return m_allLinks; }  // bytes per second
    /// What compression left out of them; bytes per second.
    const TimeSeries &saved() const { return m_saved; }
    /// Of checked rounds, in per cent: relative errors by cut and way, and how far the loss was off.
    struct OfCut {
        int cut = 0;
        bool isForward = true;
        auto operator<=>(const OfCut &) const = default;
    };
    const std::map<OfCut, TimeSeries> &cutErrors() const { return m_cutErrors; }
    const TimeSeries &lossOff() const { return m_lossOff; }

    void take(const event::Round &round, const RoundPoint &point);
    void take(const event::CodecCheck &check, double t);
    void addEvaluation(const EvaluationPoint &point);
    void setEvaluations(const std::vector<EvaluationPoint> &points);
    void setBest(const std::optional<EvaluationPoint> &point);
    /// About so many rounds count in the smoothed loss; 1: it is not smoothed. All of it is made anew: of long ago,
    /// where only means of several rounds are known, of those.
    void setLossSmoothing(int rounds);
    int lossSmoothing() const { return m_lossSmoothing; }
    void tick(double t) { m_kept.append(t, 0); }
    /// The next round is not connected with the last.
    void breakHere();
    /// Rounds behind `t` do not count any more.
    void dropAfter(double t);
    void clear();
    std::size_t memory() const;

  private:
    void takeLinks(const event::Round &round, double t);
    void takeRate(double t, double rate);
    /// The mean loss of so many rounds, which end at `t`.
    void smoothLoss(double t, double loss, quint32 rounds);
    /// Of the series that rounds are taken back from.
    template <class Self, class Action>
    static void forEach(Self &self, Action action);

    TimeSeries m_rounds, m_measured, m_smoothed, m_predicted, m_loss, m_smoothedLoss, m_learningRate, m_gradientNorm,
        m_evaluatedLoss, m_accuracy, m_bestLoss, m_bestAccuracy, m_kept, m_allLinks, m_saved, m_lossOff;
    int m_lossSmoothing = 9;
    std::optional<double> m_averageLoss;
    std::optional<std::pair<double, double>> m_firstRate;  // time and rate
    std::map<QString, OfDevice> m_devices;
    std::map<QString, TimeSeries> m_links;
    std::map<OfCut, TimeSeries> m_cutErrors;
    std::map<QString, double> m_linksInUse;  // of this term: bytes per second in the newest round
    quint32 m_term = 0;
    qint64 m_lastRound = 0;
};

}  // namespace hearth
