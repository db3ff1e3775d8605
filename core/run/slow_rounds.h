// Notices rounds that take much longer than predicted, while they do.
#pragma once

#include <QObject>
#include <QTimer>
#include <chrono>

namespace hearth {

/// Says so once per episode: from the first such round until one is as fast as it should be again. The coordinator's
/// thread.
class SlowRounds : public QObject {
    Q_OBJECT
  public:
    /// Slower than a wrong prediction explains.
    static constexpr int factor = 5;

    /// Rounds below `shortest` are never slow: nobody would look at a warning so late.
    explicit SlowRounds(std::chrono::milliseconds shortest, QObject *parent = nullptr);
    void setPrediction(double seconds);
    void begun(qint64 round);
    void done(qint64 round, double seconds);
    /// Nothing is under way.
    void rest();

  Q_SIGNALS:
    void slow(qint64 round);

  private:
    std::chrono::milliseconds m_shortest;
    QTimer m_timer;  // since the last round was done, or this one begun
    qint64 m_round = 0;
    qint64 m_begun = 0;
    bool m_told = false;
};

}  // namespace hearth
