// Internal to core/data: a file that is read only as long as somebody wants it.
#pragma once

#include <QFile>
#include <algorithm>

#include "core/data/check_progress.h"

namespace hearth {

/// Asks before each piece that it takes from the disk (a buffer of QIODevice where lines are read, else a MiB), so that
/// neither long lines nor many empty ones hold anybody up. What was given up looks like the end of the file: whoever
/// reads asks isGivenUp() then. Blocks; one thread.
class WatchedFile : public QFile {
  public:
    WatchedFile(const QString &path, CheckProgress progress) : QFile(path), m_progress(std::move(progress)) {}
    bool isGivenUp() const { return m_isGivenUp; }

  protected:
    qint64 readData(char *data, qint64 most) override {
        constexpr qint64 pieceBytes = 1 << 20;
        qint64 done = 0;
        while (done < most) {
            m_isGivenUp = m_isGivenUp || (m_progress && !m_progress(0, 0));
            if (m_isGivenUp)
                return -1;
            const qint64 asked = std::min(most - done, pieceBytes), got = QFile::readData(data + done, asked);
            if (got > 0)
                done += got;
            else if (done == 0)
                return got;
            if (got < asked)
                break;
        }
        return done;
    }

  private:
    const CheckProgress m_progress;
    bool m_isGivenUp = false;
};

}  // namespace hearth
