// Runs on the disk for tests of History: copies of recorded ones, and pieces of them.
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include "tests/ui/fake_home.h"

namespace hearth {

class PastRuns {
  public:
    QString folder() const { return m_dir.filePath(QStringLiteral("runs")); }
    QString file(const QString &name) const { return m_dir.filePath(name); }

    /// A recorded run (a file in tests/ui/data) under another id; `lines` of it, or all, and what is to be replaced.
    void add(const QString &id, const QString &recorded, int lines = -1,
             const QList<std::pair<QByteArray, QByteArray>> &replaced = {}) const {
        QFile source(QStringLiteral(HEARTH_UI_TEST_DATA "/%1.jsonl").arg(recorded));
        if (!source.open(QIODevice::ReadOnly))
            qFatal("cannot read %s", qPrintable(source.fileName()));
        QByteArray content;
        for (int line = 0; lines < 0 ? !source.atEnd() : line < lines; ++line)
            content += source.readLine();
        for (const auto &[from, to] : replaced)
            content.replace(from, to);
        write(id, content);
    }
    void write(const QString &id, const QByteArray &content) const {
        QDir().mkpath(folder() + QLatin1Char('/') + id);
        QFile file(events(id));
        if (!file.open(QIODevice::Append) || file.write(content) != content.size())
            qFatal("cannot write %s", qPrintable(file.fileName()));
    }
    /// Beside its events, with their own names as content.
    void addFiles(const QString &id, const QStringList &names) const {
        for (const QString &name : names) {
            QFile file(folder() + QLatin1Char('/') + id + QLatin1Char('/') + name);
            if (!file.open(QIODevice::WriteOnly) || file.write(name.toUtf8()) < 0)
                qFatal("cannot write %s", qPrintable(file.fileName()));
        }
    }
    QString events(const QString &id) const {
        return folder() + QLatin1Char('/') + id + QStringLiteral("/events.jsonl");
    }

  private:
    QTemporaryDir m_dir;
};

}  // namespace hearth
