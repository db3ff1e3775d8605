// What the window asks a person before it goes on.
#pragma once

#include <QString>
#include <optional>

#include "core/base/error.h"

class QWidget;

namespace hearth {

/// Questions that stop the user. A seam: tests answer them without a message box.
enum class CloseAnswer { Stay, Close, StopAndClose };
struct CloseQuestion {
    bool demo = false;            // the home, and the run in it, end with the window
    std::optional<qint64> round;  // of the run that the window shows and can stop; it may be another one that trains
    QString comeBack;             // the command that shows the run in a terminal
};
/// What becomes of the changes of a job that are in no file.
enum class UnsavedAnswer { Save, Discard, Cancel };
class Questions {
  public:
    virtual ~Questions() = default;
    virtual CloseAnswer askClose(QWidget *window, const CloseQuestion &question) = 0;
    /// Whether a demo home may end while it trains ("close"); `round` as in a `CloseQuestion`.
    virtual CloseAnswer askEndDemo(QWidget *window, std::optional<qint64> round) = 0;
    /// Another job is about to take the place of one with changes that are in no file.
    virtual UnsavedAnswer askUnsavedJob(QWidget *window) = 0;
    /// Whether a run is to start all the same, about which there is this doubt.
    virtual bool askStartAnyway(QWidget *window, const Error &doubt) = 0;
    /// Whether this device is to be removed from the home.
    virtual bool askForget(QWidget *window, const QString &name) = 0;
    /// Whether data of this name are to be taken off the list of known data.
    virtual bool askRemoveData(QWidget *window, const QString &name) = 0;
    /// Paths of files; empty where the user thought better of it.
    virtual QString askOpenFile(QWidget *window, const QString &title, const QString &filter) = 0;
    virtual QString askOpenFolder(QWidget *window, const QString &title) = 0;
    /// With the suffix of the filter where none was typed.
    virtual QString askSaveFile(QWidget *window, const QString &title, const QString &filter) = 0;
};

}  // namespace hearth
