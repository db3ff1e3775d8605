#include "ui/job/job_page.h"

#include <QFileInfo>
#include <QMenu>
#include <QScrollArea>
#include <utility>

#include "core/data/data_registry.h"
#include "core/history/run_history.h"
#include "core/model/import/open_model.h"
#include "ui/base/focus_ring.h"
#include "ui/base/home_source.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/job/add_data.h"
#include "ui/job/codec_card.h"
#include "ui/job/evaluation_card.h"
#include "ui/job/file_card.h"
#include "ui/job/fit_note.h"
#include "ui/job/job_drop.h"
#include "ui/job/known_data.h"
#include "ui/job/length_card.h"
#include "ui/job/model_details.h"
#include "ui/job/model_list.h"
#include "ui/job/optimizer_card.h"
#include "ui/job/pictures_card.h"
#include "ui/job/precision_card.h"
#include "ui/job/sample_sheet.h"
#include "ui/job/trained_part_edit.h"
#include "ui/job/weights_card.h"
#include "ui/run/run_facts.h"
#include "ui/run/run_model.h"
#include "ui/run/whole_job_lines.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

JobPage::JobPage(const RunModel &run, const HomeSource &home, Questions &questions, QWidget *parent)
    : Page(QStringLiteral("jobPage"), tr("Job"), parent),
      m_run(run),
      m_questions(questions),
      m_start(makePrimary(QStringLiteral("jobStart"), tr("Start training"))),
      m_open(makeButton(QStringLiteral("jobOpen"), tr("Open …"), "")),
      m_save(makeButton(QStringLiteral("jobSave"), tr("Save"), "")),
      m_duplicate(makeButton(QStringLiteral("jobDuplicate"), tr("Duplicate"), "")),
      m_models(new ModelList(m_draft, home)),
      m_details(new ModelDetails(m_draft, *m_models)),
      m_samples(new SampleSheet),
      m_weights(new WeightsCard),
      m_fit(new FitNote(m_draft, *m_models, *m_samples, *m_weights)),
      m_pictures(new PicturesCard(m_draft)),
      m_whole(new WholeJobLines(QStringLiteral("jobWhole"))),
      m_refusal(makeLabel({}, "wrong")),
      m_data(makeLabel({}, "")),
      m_dataNote(makeLabel({}, "small")) {
    for (QPushButton *button : {m_open, m_save, m_duplicate})
        addAction(button);
    setThemedIcon(m_open, QStringLiteral("open"), &Theme::text);
    setThemedIcon(m_save, QStringLiteral("save"), &Theme::text);
    setThemedIcon(m_duplicate, QStringLiteral("copy"), &Theme::text);

    auto *left = new QVBoxLayout;
    left->setSpacing(2 * grid);
    left->addWidget(buildModel());
    left->addWidget(buildData());
    left->addWidget(m_pictures);
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(2 * grid);
    right->addWidget(buildChosen());
    right->addWidget(m_weights);
    right->addWidget(new OptimizerCard(m_draft));
    right->addWidget(new LengthCard(m_draft));
    right->addWidget(new EvaluationCard(m_draft));
    right->addWidget(new PrecisionCard(m_draft));
    right->addWidget(new CodecCard(m_draft, run));
    right->addWidget(new FileCard(m_draft));
    right->addStretch(1);
    auto *cards = new QWidget;
    auto *row = new QHBoxLayout(cards);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * grid);
    row->addLayout(left, 3);
    row->addLayout(right, 2);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("jobScroll"));
    scroll->setWidgetResizable(true);
    scroll->setFocusPolicy(Qt::TabFocus);
    new FocusRing(scroll);
    scroll->setWidget(cards);
    setContent(scroll);

    connectActions();
    connect(&m_draft, &JobDraft::changed, this, &JobPage::refresh);
    connect(&run, &RunModel::stateChanged, this, &JobPage::refreshStart);
    connect(&run, &RunModel::cleared, this, &JobPage::refreshStart);
    refresh();
    refreshStart();
}

QWidget *JobPage::buildModel() {
    auto *card = new QFrame;
    card->setProperty("role", QStringLiteral("card"));
    auto *file = makeButton(QStringLiteral("jobModelFile"), tr("Open a model …"), "link");
    file->setToolTip(tr("An ONNX file, config.json of a Hugging Face folder, or a model of Hearth"));
    connect(file, &QPushButton::clicked, this, &JobPage::chooseModel);
    auto *hint = makeLabel({}, "small");
    hint->setObjectName(QStringLiteral("jobDropHint"));
    hint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Model"), "strong"));
    head->addWidget(hint, 1);
    head->addWidget(file);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, 2 * grid);
    layout->setSpacing(grid / 2);
    layout->addLayout(head);
    layout->addWidget(m_models);
    const auto *drop = new JobDrop(this, card, hint);
    connect(drop, &JobDrop::modelDropped, this, &JobPage::openModel);
    connect(drop, &JobDrop::dataDropped, this, &JobPage::addData);
    connect(drop, &JobDrop::descriptionDropped, &m_draft, &JobDraft::setData);
    connect(m_models, &ModelList::loaded, this, [this] {
        loadSamples();
        refreshFit();
    });
    return card;
}

/// Beside the list: what comes and goes here moves nothing that is clicked there.
QWidget *JobPage::buildChosen() {
    auto *card = new JobCard(tr("This job trains"));
    QVBoxLayout *layout = card->body();
    m_refusal->setObjectName(QStringLiteral("jobRefusal"));
    m_refusal->setWordWrap(true);
    layout->addWidget(m_details);
    layout->addWidget(m_refusal);
    layout->addWidget(m_fit);
    layout->addWidget(new TrainedPartEdit(m_draft, *m_models));
    layout->addWidget(m_whole);
    return card;
}

QWidget *JobPage::buildData() {
    auto *card = new JobCard(tr("Data"));
    QVBoxLayout *layout = card->body();
    m_data->setObjectName(QStringLiteral("jobData"));
    m_data->setWordWrap(true);
    m_dataNote->setObjectName(QStringLiteral("jobDataNote"));
    m_dataNote->setWordWrap(true);
    connect(m_samples, &SampleSheet::told, this, [this](const QString &text, bool wrong) {
        m_dataNote->setText(breakable(text));
        setRole(m_dataNote, wrong ? "wrong" : "small");
        const Model *model = m_models->modelOf(m_draft.choices().model);
        m_details->setTrainingSamples(m_samples->countedFor(m_draft.written(), model).training);
        refreshFit();
        Q_EMIT samplesCounted();
    });
    auto *builtin = makeButton(QStringLiteral("jobDataBuiltin"), tr("Fashion-MNIST"), "link");
    connect(builtin, &QPushButton::clicked, this, [this] { m_draft.setData(Job().data.front()); });
    auto *file = makeButton(QStringLiteral("jobDataFile"), tr("Data from a file …"), "link");
    connect(file, &QPushButton::clicked, this, &JobPage::chooseData);
    auto *add = makeButton(QStringLiteral("jobDataAdd"), tr("Add data …"), "link");
    add->setToolTip(tr("A folder with a folder of pictures for each class, or a table of files and labels"));
    connect(add, &QPushButton::clicked, this, [this] { addData({}); });
    m_knownData = makeButton(QStringLiteral("jobDataKnown"), tr("Your data …"), "link");
    connect(m_knownData, &QPushButton::clicked, this, &JobPage::chooseKnownData);
    layout->addWidget(m_data);
    layout->addWidget(m_dataNote);
    layout->addWidget(m_samples);
    // In one row they would make a small window's page wider than it is.
    for (const auto &[first, second] : {std::pair(add, m_knownData), std::pair(builtin, file)}) {
        auto *links = new QHBoxLayout;
        links->addWidget(first);
        links->addWidget(second);
        links->addStretch(1);
        layout->addLayout(links);
    }
    return card;
}

void JobPage::connectActions() {
    connect(m_start, &QPushButton::clicked, this, &JobPage::startWanted);
    connect(m_open, &QPushButton::clicked, this, &JobPage::openJob);
    connect(m_save, &QPushButton::clicked, this, &JobPage::saveJob);
    connect(m_duplicate, &QPushButton::clicked, &m_draft, &JobDraft::duplicate);
    connect(m_weights, &WeightsCard::changed, this, [this] {
        m_fit->refresh();
        refreshStart();
    });
}

void JobPage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    // Nothing is read before somebody looks: the window opens faster.
    m_models->reload();
    refreshData();
    loadSamples();
}

void JobPage::openJob() {
    const QString path = m_questions.askOpenFile(this, tr("Open a job"), tr("Jobs (*.json);;All files (*)"));
    if (path.isEmpty() || !settleChanges())
        return;
    if (const auto opened = m_draft.open(path); !opened)
        Q_EMIT failed(opened.error());
    else
        m_weights->setWeights({});
}

void JobPage::setJob(const Job &job) {
    m_draft.setJob(job);
    m_weights->setWeights({});
}

bool JobPage::trainFurther(const Job &job, const StartWeights &weights) {
    if (!settleChanges())
        return false;
    m_draft.setJob(job);
    // It is in no file yet.
    m_draft.duplicate();
    m_weights->setWeights(weights);
    return true;
}

void JobPage::findWeights(const RunHistory &runs) {
    std::optional<StartWeights> weights = m_weights->weights();
    const RunSummary *run = weights ? runs.find(weights->id) : nullptr;
    if (run == nullptr || run->folder == weights->folder)
        return;
    // The network may be the run's own.
    m_draft.moveModel(networkOfRun(weights->folder), networkOfRun(run->folder));
    weights->folder = run->folder;
    m_weights->setWeights(weights);
}

bool JobPage::settleChanges() {
    if (!m_draft.hasUnsavedChanges() || m_draft.isUntouchedCopy())
        return true;
    const UnsavedAnswer answer = m_questions.askUnsavedJob(this);
    return answer == UnsavedAnswer::Discard || (answer == UnsavedAnswer::Save && saveJob());
}

bool JobPage::saveJob() {
    QString path = m_draft.path();
    if (path.isEmpty())
        path = m_questions.askSaveFile(this, tr("Save the job"), tr("Jobs (*.json)"));
    if (path.isEmpty())
        return false;
    const auto saved = m_draft.save(path);
    if (!saved)
        Q_EMIT failed(saved.error());
    return saved.has_value();
}

void JobPage::chooseModel() {
    const QString path = m_questions.askOpenFile(
        this, tr("Open a model: an ONNX file, config.json of a Hugging Face folder, or a model of Hearth"),
        tr("Models (*.onnx *.json *.safetensors);;All files (*)"));
    if (!path.isEmpty())
        openModel(modelOfFile(QFileInfo(path).absoluteFilePath()));
}

void JobPage::openModel(const QString &path) {
    m_draft.setModel(path);
    // It may be the one that is chosen already, with a fault that was mended.
    m_models->reload();
}

void JobPage::chooseData() {
    const QString path = m_questions.askOpenFile(this, tr("Choose data"), tr("Data sets (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_draft.setData(path);
}

void JobPage::chooseKnownData() {
    auto *menu = new QMenu(this);
    menu->setObjectName(QStringLiteral("jobDataMenu"));
    menu->setAttribute(Qt::WA_DeleteOnClose);
    const auto addName = [this](QMenu *to, const QString &name, void (JobDraft::*choose)(const QString &)) {
        QAction *action = to->addAction(withAmpersands(name));
        connect(action, &QAction::triggered, &m_draft, [this, name, choose] { (m_draft.*choose)(name); });
    };
    auto *others = new QMenu(tr("Add to this job's data"), menu);
    for (const QString &name : registeredDatasets()) {
        addName(menu, name, &JobDraft::setData);
        if (!m_draft.choices().data.contains(name))
            addName(others, name, &JobDraft::addData);
    }
    menu->addSeparator();
    if (!others->isEmpty())
        menu->addMenu(others);
    const QAction *manage = addNamed(*menu, "jobDataManage", tr("Check or remove …"));
    connect(manage, &QAction::triggered, this, &JobPage::manageData);
    menu->popup(m_knownData->mapToGlobal(m_knownData->rect().bottomLeft()));
}

void JobPage::addData(const QString &path) {
    auto *dialog = new AddDataDialog(m_questions, path, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &AddDataDialog::added, this, [this, dialog](const QString &name) {
        m_samples->setRead(name, dialog->set());
        m_draft.setData(name);
        lookAtData();
    });
    dialog->open();
}

void JobPage::manageData() {
    auto *dialog = new KnownDataDialog(m_questions, m_draft.choices().data.front(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &KnownDataDialog::changed, this, [this, dialog] {
        m_samples->setRead(dialog->checked().first, dialog->checked().second);
        lookAtData();
    });
    dialog->open();
}

void JobPage::setWhyNotStart(const QString &why) {
    m_whyNotStart = why;
    refreshStart();
}

CountedSamples JobPage::countedSamples() const {
    return m_samples->countedFor(job(), m_models->modelOf(job().model));
}

void JobPage::tell(const PlannedJob &planned) {
    QString instead;
    switch (planned.by) {
        case PlannedJob::By::NoPlan:
            instead =
                tr("Make a plan on the Plan page to see, before the start, what all devices together would take.");
            break;
        case PlannedJob::By::PlanOfAnotherJob:
            instead = tr("The plan on the Plan page is for another job than this one.");
            break;
        case PlannedJob::By::OwnPlan:
            break;
    }
    m_whole->tell(planned, instead);
}

QString JobPage::dataWords(const Job &job) {
    QString named = job.dataText();
    if (job.data.size() > 1)
        return named;
    return builtinDatasets().contains(named) ? tr("%1, in %2 on this computer").arg(named, datasetFolder(named))
                                             : tr("%1 on this computer").arg(named);
}

void JobPage::refreshData() {
    m_data->setText(breakable(dataWords(m_draft.choices())));
    m_knownData->setVisible(!registeredDatasets().isEmpty());
}

void JobPage::lookAtData() {
    refreshData();
    m_samples->lookAgain();
}

/// With every letter that is typed: files are looked at where the job names other data, and nowhere else.
void JobPage::refresh() {
    const QStringList &named = m_draft.choices().data;
    if (std::exchange(m_named, named) != named)
        refreshData();
    loadSamples();
    refreshFit();
    std::optional<Error> refused = m_draft.refusal();
    if (refused)
        refused->what = tr("The job cannot be used as it is.");
    m_refusal->setText(refused ? breakable(errorText(*refused)) : QString());
    m_refusal->setVisible(refused.has_value());
    const QString name = QFileInfo(m_draft.path()).fileName();
    const bool unsaved = m_draft.hasUnsavedChanges();
    if (m_draft.isCopy())
        setSubtitle(tr("A copy that is not saved yet"));
    else if (name.isEmpty())
        setSubtitle(unsaved ? tr("A job of yours that is not saved yet")
                            : tr("What to train, on which data, and for how long"));
    else
        setSubtitle(unsaved ? tr("%1 · changed, not saved").arg(name) : tr("%1 · saved").arg(name));
    m_save->setEnabled(m_draft.isValid() && (unsaved || name.isEmpty()));
    m_save->setToolTip(m_draft.isValid() ? (m_save->isEnabled() ? QString() : tr("There is nothing to save."))
                                         : tr("Correct what is marked first."));
    if (m_draft.isValid() != std::exchange(m_wasValid, m_draft.isValid()))
        Q_EMIT validityChanged();
}

std::optional<Error> JobPage::refusal() const {
    const std::optional<Error> refused = m_models->refusal();
    return refused ? refused : m_fit->misfit();
}

void JobPage::loadSamples() {
    if (isVisible())
        m_samples->load(m_draft.written(), m_models->modelOf(m_draft.choices().model));
}

void JobPage::refreshFit() {
    const Model *model = m_models->modelOf(m_draft.choices().model);
    // While data are read again it stays as it is: they are mostly of the same kind.
    if (const std::optional<DataShape> &shape = m_samples->shape(); shape && model != nullptr) {
        const bool pictures = shape->arePictures() && model->inputs.size() == 1 && model->inputShape().size() == 3;
        m_pictures->setInput(pictures ? model->inputShape() : hearth::Shape());
    }
    m_fit->refresh();
}

void JobPage::refreshStart() {
    m_start->setText(m_run.isTraining() ? tr("Watch training") : tr("Start training"));
    m_start->setEnabled(m_run.isTraining() || m_whyNotStart.isEmpty());
    const QString begins = m_run.isTraining() ? QString() : m_weights->told();
    m_start->setToolTip(m_start->isEnabled() ? begins : m_whyNotStart);
}

}  // namespace hearth
