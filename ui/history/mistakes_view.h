// What a run gets wrong: the classes that it confuses, and the samples behind it.
#pragma once

#include <QDateTime>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "core/history/run_results.h"
#include "ui/history/confusion_matrix.h"

class QLabel;
class QListWidget;
class QPushButton;
class QScrollArea;

namespace hearth {

class BackgroundTask;

/// Reads the results of the last evaluation from the run's folder, beside the window, and samples where this computer
/// has the data. GUI thread.
class MistakesView : public QWidget {
    Q_OBJECT
  public:
    explicit MistakesView(QWidget *parent = nullptr);
    ~MistakesView() override;
    /// They are read when they can be seen, and again when there are new ones.
    void show(const QString &runFolder);

  protected:
    void showEvent(QShowEvent *event) override;

  private:
    void load();
    void take(const RunResults &results);
    void tell(const QString &text, bool wrong);
    void showHardest();
    void showFollowed();
    void showCell(const ConfusionMatrix::Cell &cell);
    void list(const QString &caption, const std::vector<JudgedSample> &samples, const QStringList &texts);
    QString className(int number) const;
    QString said(double value) const;
    QString textOf(const JudgedSample &one) const;
    QString followedText(qint64 sample) const;

    QString m_folder;
    std::optional<QDateTime> m_read;  // when the results that were read last were written
    QLabel *m_told;
    QPushButton *m_hardest, *m_followed;
    QWidget *m_body;
    ConfusionMatrix *m_matrix;
    QScrollArea *m_scroll;  // with it
    QLabel *m_caption;
    QListWidget *m_list;
    std::optional<RunResults> m_results;
    std::unique_ptr<BackgroundTask> m_loading, m_reading;
};

}  // namespace hearth
