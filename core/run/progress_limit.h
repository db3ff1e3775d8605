// How long a round may make no progress before somebody is asked why.
#pragma once

#include <chrono>
#include <deque>

namespace hearth {

/// Follows the rounds as they were measured: four times what 99 of 100 took, and never less than three seconds
/// (FTPipeHD waits twice the mean, which a busy device exceeds every day). One thread.
class ProgressLimit {
  public:
    static constexpr std::chrono::milliseconds least{3000};
    static constexpr int factor = 4;

    void roundTook(double seconds);
    /// Before the first round there is nothing to go by but the prediction.
    void setPrediction(double seconds) { m_predicted = seconds; }
    std::chrono::milliseconds limit() const;

  private:
    static constexpr std::size_t remembered = 100;
    std::deque<double> m_rounds;
    double m_predicted = 0;
};

}  // namespace hearth
