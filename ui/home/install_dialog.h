// Install on a computer by SSH: where, what it is asked, what is found there, what happens, and how it ended.
#pragma once

#include <QDialog>

#include "core/install/installation.h"

class QLabel;
class QPushButton;
class QStackedWidget;

namespace hearth {

class ErrorPanel;
class FirstMeasurement;
class HomeSource;
class InstallForm;
class InstallList;
class InstallQuestion;
class Measurements;
class Questions;

/// Closing it while an installation goes on cancels that, and it stays until everything is undone. GUI thread; `home`
/// and `questions` outlive it.
class InstallDialog : public QDialog {
    Q_OBJECT
  public:
    /// With `measurements`, which outlives it, a device is measured as soon as it is installed.
    InstallDialog(HomeSource &home, Questions &questions, Measurements *measurements = nullptr,
                  QWidget *parent = nullptr);
    ~InstallDialog() override;
    /// Fills in where to log in, of a device that is known.
    void setHost(const QString &host);
    void reject() override;

  private:
    QWidget *makeWork();
    void begin();
    /// `isDone`: there is nothing to be tried once more.
    void end(const QString &said, bool isDone);
    void fail(const Error &reason);
    void showButtons();
    void say(const QString &text);

    HomeSource &m_home;
    Installation *m_installation = nullptr;  // while one goes on
    bool m_leaving = false;
    bool m_isDone = false;
    Sentence m_leftOver;  // what could not be undone
    QStackedWidget *m_pages;
    InstallForm *m_form;
    InstallList *m_list;
    InstallQuestion *m_question;
    ErrorPanel *m_error;
    QLabel *m_said;
    FirstMeasurement *m_measuring;  // null without measurements
    QPushButton *m_close;
    QPushButton *m_go;
};

}  // namespace hearth
