// Questions as message boxes.
#pragma once

#include "ui/base/questions.h"

namespace hearth {

/// Asks with a modal box; "training goes on" is said once and remembered.
class MessageQuestions : public Questions {
  public:
    CloseAnswer askClose(QWidget *window, const CloseQuestion &question) override;
    CloseAnswer askEndDemo(QWidget *window, std::optional<qint64> round) override;
    UnsavedAnswer askUnsavedJob(QWidget *window) override;
    bool askStartAnyway(QWidget *window, const Error &doubt) override;
    bool askForget(QWidget *window, const QString &name) override;
    bool askRemoveData(QWidget *window, const QString &name) override;
    QString askOpenFolder(QWidget *window, const QString &title) override;
    QString askOpenFile(QWidget *window, const QString &title, const QString &filter) override;
    QString askSaveFile(QWidget *window, const QString &title, const QString &filter) override;
    /// Runs of a demo that could not be kept, once its window is closed.
    static void tellLeftBehind(const Error &error);
};

}  // namespace hearth
