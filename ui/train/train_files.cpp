#include "ui/train/train_files.h"

#include <QFileInfo>
#include <QMenu>

#include "ui/base/questions.h"
#include "ui/base/run_controller.h"
#include "ui/base/widgets.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

TrainFiles::TrainFiles(const RunModel &run, RunController &controller, Questions &questions, QWidget *parent)
    : QPushButton(parent), m_run(run), m_controller(controller), m_questions(questions) {
    setObjectName(QStringLiteral("trainFiles"));
    setProperty("role", QStringLiteral("menu"));
    setText(tr("Save"));
    setFocusPolicy(Qt::StrongFocus);
    setThemedIcon(this, QStringLiteral("save"), &Theme::text);
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("trainFilesMenu"));
    menu->setToolTipsVisible(true);
    m_weights = menu->addAction(tr("Save the weights …"), this, &TrainFiles::saveWeights);
    m_weights->setObjectName(QStringLiteral("trainSaveWeights"));
    m_best = menu->addAction(tr("Save the best weights …"), this, &TrainFiles::saveBest);
    m_best->setObjectName(QStringLiteral("trainSaveBest"));
    m_picture = menu->addAction(tr("Save the plots as a picture …"), this, &TrainFiles::choosePicture);
    m_picture->setObjectName(QStringLiteral("trainSavePicture"));
    m_trace = menu->addAction(tr("Record a trace of the next run …"));
    m_trace->setObjectName(QStringLiteral("trainTrace"));
    m_trace->setCheckable(true);
    m_trace->setToolTip(
        tr("A file that says what every device did when; ui.perfetto.dev shows it. A trace begins with its run."));
    connect(m_trace, &QAction::triggered, this, &TrainFiles::chooseTrace);
    connect(menu, &QMenu::aboutToShow, this, &TrainFiles::refresh);
    setMenu(menu);
    connect(&controller, &RunController::weightsSaved, this,
            [this](const QString &path) { tell(tr("weights saved as %1").arg(QFileInfo(path).fileName())); });
    connect(&m_pictureFile, &PictureFile::saved, this, [this](const QString &path) {
        tell(tr("picture saved as %1").arg(QFileInfo(path).fileName()));
        refresh();
    });
    connect(&m_pictureFile, &PictureFile::failed, &controller, &RunController::failed);
    connect(&controller, &RunController::failed, this, [this] { tell({}); });
    connect(&controller, &RunController::startingChanged, this, [this](bool starting) {
        if (starting)
            showTrace({});
    });
    connect(&run, &RunModel::cleared, this, [this] { tell({}); });
    refresh();
}

void TrainFiles::refresh() {
    const bool any = !m_run.rounds().empty();
    m_weights->setEnabled(any);
    m_weights->setToolTip(any ? QString() : tr("Weights can be saved after the first round."));
    const std::optional<event::Best> &best = m_run.best();
    m_best->setEnabled(best.has_value());
    m_best->setToolTip(
        best ? tr("After round %1, with a loss of %2").arg(formatCount(best->round), formatLoss(best->loss))
             : tr("They can be saved after the first evaluation."));
    m_picture->setEnabled(any && !m_pictureFile.isSaving());
    m_picture->setToolTip(any ? tr("All plots, with the time that they show now")
                              : tr("The plots begin after the first round."));
}

QString TrainFiles::askFile(const QString &title, const QString &filter) {
    const QString run = m_run.runId();
    const QString path = m_questions.askSaveFile(window(), title, filter);
    if (path.isEmpty() || m_run.runId() == run)
        return path;
    Q_EMIT m_controller.failed({QStringLiteral("run.changed"), tr("Nothing was saved."),
                                tr("While you chose the file, another run took the place of the one on this page."),
                                tr("Save it once more; a run that is over is on the History page.")});
    return {};
}

void TrainFiles::choosePicture() {
    const QString path = askFile(tr("Save the plots as a picture"), tr("Pictures (*.png)"));
    if (!path.isEmpty())
        Q_EMIT pictureWanted(path);
}

void TrainFiles::savePicture(const QImage &picture, const QString &path) {
    m_pictureFile.save(picture, path);
    refresh();
}

void TrainFiles::saveWeights() {
    const QString path = askFile(tr("Save the weights"), tr("Weights (*.safetensors)"));
    if (path.isEmpty())
        return;
    tell(m_run.isLive() ? tr("saving the weights after this round …") : tr("saving the weights …"));
    m_controller.saveWeights(path, RunWeights::Last);
}

void TrainFiles::saveBest() {
    const QString path = askFile(tr("Save the best weights"), tr("Weights (*.safetensors)"));
    if (path.isEmpty())
        return;
    tell(tr("saving the weights …"));
    m_controller.saveWeights(path, RunWeights::Best);
}

void TrainFiles::chooseTrace(bool wanted) {
    const QString path =
        wanted ? m_questions.askSaveFile(window(), tr("Record a trace"), tr("Traces (*.json)")) : QString();
    showTrace(path);
    m_controller.setTrace(path);
}

void TrainFiles::showTrace(const QString &path) {
    m_trace->setChecked(!path.isEmpty());
    m_trace->setText(path.isEmpty()
                         ? tr("Record a trace of the next run …")
                         : tr("The next run writes a trace to %1").arg(withAmpersands(QFileInfo(path).fileName())));
}

void TrainFiles::tell(const QString &text) {
    if (m_told == text)
        return;
    m_told = text;
    Q_EMIT toldChanged();
}

}  // namespace hearth
