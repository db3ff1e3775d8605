#include "ui/base/message_questions.h"

#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

/// The platform's question marks come from another century.
void dress(QMessageBox &box) {
    constexpr int side = 48;
    const QColor colour = ThemeManager::instance().theme().accentText;
    box.setIconPixmap(iconPixmap(QStringLiteral("flame"), colour, side, box.devicePixelRatioF()));
}

/// What is asked, and the two answers. Names in it are other people's words.
struct YesOrNo {
    QString title, what, more, yes, no;

    bool ask(QWidget *window, QMessageBox::ButtonRole role) const {
        QMessageBox box(QMessageBox::Question, title, what, QMessageBox::NoButton, window);
        box.setTextFormat(Qt::PlainText);
        box.setInformativeText(more);
        const auto *agree = box.addButton(yes, role);
        auto *stay = box.addButton(no, QMessageBox::RejectRole);
        box.setDefaultButton(stay);
        dress(box);
        box.exec();
        return box.clickedButton() == agree;
    }
};

class CloseBox {
    Q_DECLARE_TR_FUNCTIONS(CloseBox)
  public:
    static CloseAnswer askDemo(QWidget *window, const QString &text, std::optional<qint64> round) {
        QMessageBox box(QMessageBox::Question, tr("End the demo?"), text, QMessageBox::NoButton, window);
        // Before its first round a run has learnt nothing, and saves nothing.
        const bool hasLearnt = !round || *round > 0, isShown = round && hasLearnt;
        QStringList told{
            isShown
                ? tr("Training stops after round %1, and the devices of the demo disappear.").arg(formatCount(*round))
                : tr("Training stops, and the devices of the demo disappear.")};
        if (hasLearnt) {
            told << tr(
                "What the network has learnt is lost then, except for the weights of its best evaluation, if "
                "any.");
            told << (isShown ? tr("“Stop and save” keeps its weights: History has them.")
                             : tr("To keep its weights, open the run under way in History, and stop it on Train."));
        }
        box.setInformativeText(told.join(QLatin1Char(' ')));
        const auto *end = box.addButton(tr("End the demo"), QMessageBox::AcceptRole);
        const auto *stop = isShown ? box.addButton(tr("Stop and save"), QMessageBox::DestructiveRole) : nullptr;
        auto *stay = box.addButton(tr("Cancel"), QMessageBox::RejectRole);
        box.setDefaultButton(stay);
        box.setEscapeButton(stay);
        dress(box);
        box.exec();
        if (box.clickedButton() == end)
            return CloseAnswer::Close;
        return stop != nullptr && box.clickedButton() == stop ? CloseAnswer::StopAndClose : CloseAnswer::Stay;
    }

    static CloseAnswer askHome(QWidget *window, const QString &comeBack) {
        QMessageBox box(QMessageBox::Information, tr("Training goes on"), tr("Training goes on without this window."),
                        QMessageBox::NoButton, window);
        box.setInformativeText(tr("Open Hearth again to see it, or type “%1” in a terminal.").arg(comeBack));
        auto *close = box.addButton(tr("Close the window"), QMessageBox::AcceptRole);
        const auto *stop = box.addButton(tr("Stop and save"), QMessageBox::DestructiveRole);
        box.addButton(tr("Cancel"), QMessageBox::RejectRole);
        box.setDefaultButton(close);
        dress(box);
        box.exec();
        if (box.clickedButton() == close) {
            return CloseAnswer::Close;
        }
        return box.clickedButton() == stop ? CloseAnswer::StopAndClose : CloseAnswer::Stay;
    }
};

struct DataBox {
    Q_DECLARE_TR_FUNCTIONS(DataBox)
};

struct ForgetBox {
    Q_DECLARE_TR_FUNCTIONS(ForgetBox)
};

struct JobBox {
    Q_DECLARE_TR_FUNCTIONS(JobBox)
};

struct LeftBox {
    Q_DECLARE_TR_FUNCTIONS(LeftBox)
};

class SaveBox {
    Q_DECLARE_TR_FUNCTIONS(SaveBox)
  public:
    static bool askReplace(QWidget *window, const QString &path) {
        const YesOrNo question{tr("Replace the file?"), tr("%1 is there already.").arg(QFileInfo(path).fileName()),
                               tr("What it holds now is lost."), tr("Replace"), tr("Cancel")};
        return question.ask(window, QMessageBox::AcceptRole);
    }
};

/// With the first suffix of the filter, where the name has none: "tar.gz" of "Support bundles (*.tar.gz)".
QString suffixed(const QString &path, const QString &filter) {
    static const QRegularExpression first(QStringLiteral("\\*\\.([^ );]+)"));
    const QString suffix = first.match(filter).captured(1);
    if (suffix.isEmpty() || QFileInfo(path).fileName().contains(QLatin1Char('.')))
        return path;
    return path + QLatin1Char('.') + suffix;
}

}  // namespace

CloseAnswer MessageQuestions::askClose(QWidget *window, const CloseQuestion &question) {
    if (question.demo) {
        return CloseBox::askDemo(window, CloseBox::tr("The demo home ends with this window."), question.round);
    }
    QSettings settings;
    const QString saidKey = QStringLiteral("window/saidThatTrainingGoesOn");
    if (settings.value(saidKey).toBool()) {
        return CloseAnswer::Close;
    }
    const CloseAnswer answer = CloseBox::askHome(window, question.comeBack);
    if (answer == CloseAnswer::Close) {
        settings.setValue(saidKey, true);
    }
    return answer;
}

CloseAnswer MessageQuestions::askEndDemo(QWidget *window, std::optional<qint64> round) {
    return CloseBox::askDemo(window, CloseBox::tr("The demo is training."), round);
}

UnsavedAnswer MessageQuestions::askUnsavedJob(QWidget *window) {
    QMessageBox box(QMessageBox::Question, JobBox::tr("Save this job?"),
                    JobBox::tr("This job has changes that are not saved."), QMessageBox::NoButton, window);
    auto *save = box.addButton(JobBox::tr("Save"), QMessageBox::AcceptRole);
    const auto *discard = box.addButton(JobBox::tr("Discard"), QMessageBox::DestructiveRole);
    auto *cancel = box.addButton(JobBox::tr("Cancel"), QMessageBox::RejectRole);
    box.setDefaultButton(save);
    box.setEscapeButton(cancel);
    dress(box);
    box.exec();
    if (box.clickedButton() == save)
        return UnsavedAnswer::Save;
    return box.clickedButton() == discard ? UnsavedAnswer::Discard : UnsavedAnswer::Cancel;
}

bool MessageQuestions::askStartAnyway(QWidget *window, const Error &doubt) {
    const Error told = coreText(doubt);
    const YesOrNo question{JobBox::tr("Start anyway?"), told.what,
                           QStringList{told.cause, told.advice}.join(QLatin1Char(' ')).trimmed(),
                           JobBox::tr("Start anyway"), JobBox::tr("Cancel")};
    return question.ask(window, QMessageBox::AcceptRole);
}

bool MessageQuestions::askForget(QWidget *window, const QString &name) {
    const YesOrNo question{ForgetBox::tr("Forget this device?"),
                           ForgetBox::tr("%1 is removed from this home at once.").arg(name),
                           ForgetBox::tr("It no longer takes part in training, and the other devices of the home "
                                         "are told. To take it back, pair it again."),
                           ForgetBox::tr("Forget it"), ForgetBox::tr("Keep it")};
    return question.ask(window, QMessageBox::DestructiveRole);
}

bool MessageQuestions::askRemoveData(QWidget *window, const QString &name) {
    const YesOrNo question{DataBox::tr("Remove these data?"), DataBox::tr("%1 is removed from the list.").arg(name),
                           DataBox::tr("Its files stay where they are, but not what was chosen of them: columns, task "
                                       "and tokenizer. Runs that learn from it cannot be resumed then."),
                           DataBox::tr("Remove"), DataBox::tr("Keep it")};
    return question.ask(window, QMessageBox::DestructiveRole);
}

void MessageQuestions::tellLeftBehind(const Error &error) {
    const Error told = coreText(error);
    QMessageBox box(QMessageBox::Warning, LeftBox::tr("Runs were left behind"), told.what);
    box.setTextFormat(Qt::PlainText);
    box.setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    box.setInformativeText(QStringList{told.cause, told.advice}.join(QLatin1Char(' ')).trimmed());
    box.addButton(LeftBox::tr("Close"), QMessageBox::AcceptRole);
    dress(box);
    box.exec();
}

QString MessageQuestions::askOpenFolder(QWidget *window, const QString &title) {
    return QFileDialog::getExistingDirectory(window, title);
}

QString MessageQuestions::askOpenFile(QWidget *window, const QString &title, const QString &filter) {
    return QFileDialog::getOpenFileName(window, title, QString(), filter);
}

QString MessageQuestions::askSaveFile(QWidget *window, const QString &title, const QString &filter) {
    QFileDialog dialog(window, title, QString(), filter);
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setFileMode(QFileDialog::AnyFile);
    // Not a default suffix of the dialog: many desktops' own dialogs append it after they have asked about the file
    // without it.
    while (dialog.exec() == QDialog::Accepted) {
        const QString chosen = dialog.selectedFiles().value(0);
        QString path = suffixed(chosen, filter);
        if (path == chosen || !QFileInfo::exists(path) || SaveBox::askReplace(window, path))
            return path;
    }
    return {};
}

}  // namespace hearth
