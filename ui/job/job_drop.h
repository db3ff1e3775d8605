// What is dropped on the Job page.
#pragma once

#include <QObject>
#include <memory>

class QLabel;
class QWidget;

namespace hearth {

class BackgroundTask;

/// Takes one file or folder of this computer at a time, dropped anywhere on the page, and finds out in a thread what it
/// is. GUI thread.
class JobDrop : public QObject {
    Q_OBJECT
  public:
    /// Belongs to the page. `hint` on `card` says what can be dropped, or what becomes of it.
    JobDrop(QWidget *page, QWidget *card, QLabel *hint);
    ~JobDrop() override;
    bool eventFilter(QObject *watched, QEvent *event) override;

  Q_SIGNALS:
    /// As a job names it.
    void modelDropped(const QString &path);
    void dataDropped(const QString &path);
    /// A file that describes data.
    void descriptionDropped(const QString &path);

  private:
    bool isLooking() const;
    void lookAt(const QString &path);
    void showWelcome(bool welcome);

    QWidget *m_card;
    QLabel *m_hint;
    std::unique_ptr<BackgroundTask> m_looking;
};

}  // namespace hearth
