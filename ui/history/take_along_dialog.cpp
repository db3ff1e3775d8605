#include "ui/history/take_along_dialog.h"

#include <QCheckBox>
#include <QGridLayout>
#include <utility>

#include "core/base/background_task.h"
#include "core/base/files.h"
#include "core/history/run_report.h"
#include "core/history/weights_export.h"
#include "core/history/weights_round.h"
#include "core/model/import/hugging_face.h"
#include "core/model/model_name.h"
#include "core/run/run_event.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/questions.h"
#include "ui/base/run_controller.h"
#include "ui/history/reached_words.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

QString nameOf(const RunSummary &run) {
    return run.label.name.isEmpty() ? run.model : run.label.name;
}

/// The Hugging Face folder as which the network was brought; empty: it was not.
QString originOf(const RunDetails &run) {
    const auto *begun = lastOf<event::Run>(run);
    return begun != nullptr ? begun->origin : QString();
}

}  // namespace

TakeAlongDialog::TakeAlongDialog(Questions &questions, const ShownRun &shown, QWidget *parent)
    : QDialog(parent),
      m_questions(questions),
      m_run(shown.details),
      m_best(new QCheckBox(tr("As it was in its best evaluation"))),
      m_told(makeLabel({}, "secondary")) {
    setObjectName(QStringLiteral("takeAlongDialog"));
    setWindowTitle(tr("Take %1 along").arg(nameOf(m_run.summary)));
    if (auto results = RunResults::withoutSamples(m_run.summary.folder))
        m_results = std::move(*results);
    auto *reached = makeLabel(reachedWords(shown, m_results), "");
    reached->setObjectName(QStringLiteral("takeAlongReached"));
    m_best->setObjectName(QStringLiteral("takeAlongBest"));
    const QString folder = m_run.summary.folder;
    m_best->setVisible(savedWeights(folder, RunWeights::Best).has_value());
    if (!savedWeights(folder, RunWeights::Last)) {
        m_best->setEnabled(false);
        m_best->setToolTip(tr("The run has saved no others."));
    }
    m_best->setChecked(weightsToTake(folder) == RunWeights::Best);
    connect(m_best, &QCheckBox::toggled, this, &TakeAlongDialog::tellRound);
    m_told->setObjectName(QStringLiteral("takeAlongTold"));
    for (QLabel *label : {reached, m_told})
        label->setWordWrap(true);

    auto *rows = new QGridLayout;
    rows->setHorizontalSpacing(2 * grid);
    rows->setVerticalSpacing(grid);
    rows->setColumnStretch(1, 1);
    addWeights(rows);
    const auto text = [this](QByteArray (*textOf)(const RunDetails &, const std::optional<RunResults> &)) {
        return [this, textOf]() -> Write {
            return [textOf, told = m_run, results = m_results](const QString &path) {
                return saveFile(path, textOf(told, results));
            };
        };
    };
    addRow(rows, makeButton(QStringLiteral("takeAlongReport"), tr("Save …"), ""), tr("Report"),
           tr("A page for people, with plots. Any browser shows it."), {}, tr("Pages (*.html)"), text(runReport));
    addRow(rows, makeButton(QStringLiteral("takeAlongCard"), tr("Save …"), ""), tr("Model card"),
           tr("Data, job and figures, to go with the network."), {}, tr("Markdown (*.md)"), text(modelCard));

    auto *close = makeButton(QStringLiteral("takeAlongClose"), tr("Close"), "");
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto *layout = makeDialogLayout(this);
    layout->addWidget(reached);
    layout->addLayout(rows);
    layout->addWidget(m_best);
    layout->addWidget(m_told);
    layout->addStretch(1);
    layout->addLayout(makeButtonRow({close}));
    tellRound();
    resize(72 * grid, sizeHint().height());
}

TakeAlongDialog::~TakeAlongDialog() = default;

void TakeAlongDialog::addWeights(QGridLayout *rows) {
    const QString folder = m_run.summary.folder;
    const QString none = hasWeights(folder) ? QString() : tr("This run has saved no weights.");
    const QString origin = originOf(m_run), base = ModelName::split(origin).base;
    const auto as = [this, folder, origin](WeightsForm form) {
        return [this, folder, origin, form]() -> Write {
            const WeightsSource source{weightsPath(folder, m_best->isChecked() ? RunWeights::Best : RunWeights::Last),
                                       folder, origin};
            // A folder and an ONNX file have no place for it beside the network.
            const LoraUse lora = form == WeightsForm::Safetensors ? LoraUse::Beside : LoraUse::MergedIfAny;
            return [source, form, lora](const QString &path) { return exportWeights(source, form, lora, path); };
        };
    };
    addRow(rows, makeButton(QStringLiteral("takeAlongWeights"), tr("Save …"), ""), tr("Weights"),
           tr("For PyTorch, under the names that they came with."), none, tr("Weights (*.safetensors)"),
           as(WeightsForm::Safetensors));
    addRow(rows, makeButton(QStringLiteral("takeAlongOnnx"), tr("Save …"), ""), tr("ONNX"),
           tr("The network as it is used, for other programs."), none, tr("ONNX files (*.onnx)"),
           as(WeightsForm::Onnx));
    addRow(rows, makeButton(QStringLiteral("takeAlongHuggingFace"), tr("Save …"), ""), tr("Hugging Face folder"),
           tr("The folder that it came from, with new weights."),
           !none.isEmpty()             ? none
           : origin.isEmpty()          ? tr("This network did not come from one.")
           : isHuggingFaceFolder(base) ? QString()
                                       : tr("%1 is not there.").arg(breakable(base)),
           {}, as(WeightsForm::HuggingFace));
}

void TakeAlongDialog::addRow(QGridLayout *rows, QPushButton *save, const QString &title, const QString &use,
                             const QString &whyNot, const QString &filter, const std::function<Write()> &writer) {
    save->setAccessibleName(tr("Save: %1").arg(title));
    save->setEnabled(whyNot.isEmpty());
    if (whyNot.isEmpty())
        m_saves << save;
    auto *used = makeLabel(whyNot.isEmpty() ? use : whyNot, "secondary");
    used->setWordWrap(true);
    const int row = rows->rowCount();
    rows->addWidget(makeLabel(title, "strong"), row, 0);
    rows->addWidget(used, row, 1);
    rows->addWidget(save, row, 2);
    connect(save, &QPushButton::clicked, this, [this, title, filter, writer] { write(title, filter, writer()); });
}

void TakeAlongDialog::write(const QString &title, const QString &filter, const Write &work) {
    const QString path =
        filter.isEmpty() ? m_questions.askOpenFolder(this, title) : m_questions.askSaveFile(this, title, filter);
    if (path.isEmpty())
        return;
    tell(tr("Writing %1 …").arg(path), false);
    for (QPushButton *save : std::as_const(m_saves))
        save->setEnabled(false);
    m_writing = std::make_unique<BackgroundTask>();
    m_writing->start<bool>(
        this, [work, path] { return work(path).map([] { return true; }); },
        [this, path](bool) {
            tell(tr("It is in %1.").arg(path), false);
            if (isHidden())
                Q_EMIT written(path);
            endWriting();
        },
        [this](const Error &error) {
            tell(errorText(error), true);
            if (isHidden())
                Q_EMIT failed(error);
            endWriting();
        });
}

void TakeAlongDialog::endWriting() {
    for (QPushButton *save : std::as_const(m_saves))
        save->setEnabled(true);
    if (isHidden())
        deleteLater();
}

void TakeAlongDialog::tellRound() {
    const RunWeights which = m_best->isChecked() ? RunWeights::Best : RunWeights::Last;
    if (const auto round = roundOfWeights(weightsPath(m_run.summary.folder, which)))
        tell(tr("The weights are those after round %1.").arg(formatCount(*round)), false);
}

void TakeAlongDialog::done(int result) {
    keepUntilOver(this, m_writing.get());
    QDialog::done(result);
}

void TakeAlongDialog::tell(const QString &text, bool wrong) {
    m_told->setText(text);
    setRole(m_told, wrong ? "wrong" : "secondary");
}

}  // namespace hearth
