// Growing pauses that outlive the process: whoever makes it start again gains nothing by that.
#pragma once

#include <QString>

#include "core/pairing/backoff.h"

namespace hearth {

/// As Backoff, with its failures in a small private file once keepIn() has named one. Failures age by the computer's
/// clock while nothing runs; one that lies in the future is as new as can be. What cannot be read or saved is in the
/// log and stops nobody. One thread.
class KeptBackoff {
  public:
    using Time = Backoff::Time;

    /// What is known there counts from now on.
    void keepIn(const QString &path);
    /// Forgets what was, but for what is on the disk.
    void setTimes(const BackoffTimes &times);
    void fail(Time now);
    void succeed();
    std::chrono::milliseconds wait(Time now) const { return m_backoff.wait(now); }
    int failures() const { return m_backoff.failures(); }

  private:
    void load();
    void save() const;

    BackoffTimes m_times;
    Backoff m_backoff;
    QString m_path;  // empty: nowhere
};

}  // namespace hearth
