// Internal to core/data: a file that is read only as long as somebody wants it.
#pragma once

#include <QFile>

#include "core/data/check_progress.h"

namespace hearth {

/// Asks before each piece that it takes from the disk, so that neither long lines nor many empty ones hold anybody up.
/// What was given up looks like the end of the file: whoever reads asks isGivenUp() then. Blocks; one thread.
class WatchedFile : public QFile {
  public:
    WatchedFile(const QString &path, CheckProgress progress) : QFile(path), m_progress(std::move(progress)) {}
    bool isGivenUp() const { return m_isGivenUp; }

  protected:
    qint64 readData(char *data, qint64 most) override {
        m_isGivenUp = m_isGivenUp || (m_progress && !m_progress(0, 0));
        return m_isGivenUp ? -1 : QFile::readData(data, most);
    }

  private:
    const CheckProgress m_progress;
    bool m_isGivenUp = false;
};

}  // namespace hearth
