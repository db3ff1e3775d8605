// Space on the disk that is kept for the moment when it is full.
#pragma once

#include <QString>

namespace hearth {

/// A file whose blocks are allocated and never used; giving it up makes room for what must not be lost. One thread.
/// The file goes with this object; one that a crash has left is taken over.
class DiskReserve {
  public:
    DiskReserve(QString path, qint64 bytes);
    ~DiskReserve();
    DiskReserve(const DiskReserve &) = delete;
    DiskReserve &operator=(const DiskReserve &) = delete;

    /// Allocates the space unless it is held already. False: there is not enough, nothing is held and nothing left
    /// over.
    bool take();
    /// As take(), where as much again stays free: what was given up just now is still needed.
    bool takeAgain();
    /// False: there was nothing to give up.
    bool giveUp();

  private:
    QString m_path;
    qint64 m_bytes;
    bool m_held = false;
};

}  // namespace hearth
