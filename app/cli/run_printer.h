// A run's events in the terminal: raw lines for programs, sentences and a progress line for people.
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include "ui/run/run_model.h"

namespace hearth {

class RunPrinter : public QObject {
    Q_OBJECT
  public:
    explicit RunPrinter(bool json, QObject *parent = nullptr);

    /// Events before this seq are taken in, so that progress is right, and not shown.
    void showFrom(quint64 seq) { m_showFrom = seq; }
    void add(const QByteArray &line);
    /// Ends the progress line, so that other text can follow.
    void finishLine();
    const RunModel &run() const { return m_run; }
    quint64 lastSeq() const { return m_lastSeq; }
    /// 0 where the run finished (or was stopped), else 1.
    int exitStatus() const;

  private:
    void sentence();
    void progress();
    void measuring();
    /// In place of the line before; on a terminal only.
    void showLine(const QString &text);

    bool m_json;
    bool m_terminal;
    bool m_lineOpen = false;
    quint64 m_lastSeq = 0;
    quint64 m_showFrom = 1;
    bool m_silent = false;
    RunModel m_run;
};

}  // namespace hearth
