#include "ui/job/job_page.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QScrollArea>
#include <QUrl>
#include <utility>

#include "core/data/dataset.h"
#include "core/model/import/open_model.h"
#include "ui/base/focus_ring.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/job/job_field_edit.h"
#include "ui/job/model_details.h"
#include "ui/job/model_list.h"
#include "ui/job/sample_sheet.h"
#include "ui/job/trained_part_edit.h"
#include "ui/run/run_model.h"
#include "ui/words/codec_words.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

/// A card with a heading; what is in it is added to the layout that is returned.
QVBoxLayout *makeCard(QFrame *&card, const QString &heading) {
    card = new QFrame;
    card->setProperty("role", QStringLiteral("card"));
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->setSpacing(grid * 3 / 2);
    layout->addWidget(makeLabel(heading, "strong"));
    return layout;
}

/// One file or folder of this computer.
std::optional<QString> droppedFile(const QMimeData *data) {
    const QList<QUrl> urls = data->urls();
    return urls.size() == 1 && urls.front().isLocalFile() ? std::optional(urls.front().toLocalFile()) : std::nullopt;
}

}  // namespace

JobPage::JobPage(const RunModel &run, const HomeSource &home, Questions &questions, QWidget *parent)
    : Page(QStringLiteral("jobPage"), tr("Job"), parent),
      m_run(run),
      m_questions(questions),
      m_start(makePrimary(QStringLiteral("jobStart"), tr("Start training"))),
      m_open(makeButton(QStringLiteral("jobOpen"), tr("Open …"), "")),
      m_save(makeButton(QStringLiteral("jobSave"), tr("Save"), "")),
      m_duplicate(makeButton(QStringLiteral("jobDuplicate"), tr("Duplicate"), "")),
      m_models(new ModelList(m_draft, home)),
      m_samples(new SampleSheet),
      m_dropHint(makeLabel({}, "small")),
      m_data(makeLabel({}, "")),
      m_dataNote(makeLabel({}, "small")),
      m_fit(makeLabel({}, "wrong")),
      m_codecNote(makeLabel({}, "small")),
      m_codecOffer(makeLabel({}, "secondary")),
      m_optimizer(new QComboBox),
      m_schedule(new QComboBox),
      m_length(new QComboBox),
      m_codec(new QComboBox),
      m_nesterov(new QCheckBox(tr("Nesterov's form of momentum"))),
      m_scaleParameter(new QCheckBox(tr("Steps in proportion to the weights"))),
      m_relativeStep(new QCheckBox(tr("A rate of at most 1/√round"))),
      m_shuffle(new QCheckBox(tr("Shuffle the samples anew in each pass"))) {
    for (QPushButton *button : {m_open, m_save, m_duplicate})
        addAction(button);
    setThemedIcon(m_open, QStringLiteral("open"), &Theme::text);
    setThemedIcon(m_save, QStringLiteral("save"), &Theme::text);
    setThemedIcon(m_duplicate, QStringLiteral("copy"), &Theme::text);

    auto *left = new QVBoxLayout;
    left->setSpacing(2 * grid);
    left->addWidget(buildModel());
    left->addWidget(buildData());
    left->addStretch(1);
    auto *right = new QVBoxLayout;
    right->setSpacing(2 * grid);
    right->addWidget(buildChosen());
    right->addWidget(buildOptimizer());
    right->addWidget(buildLength());
    right->addWidget(buildCodec());
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
    connect(&run, &RunModel::planChanged, this, &JobPage::refreshCodec);
    connect(&run, &RunModel::cleared, this, &JobPage::refreshCodec);
    refresh();
    refreshStart();
}

QWidget *JobPage::buildModel() {
    m_modelCard = new QFrame;
    m_modelCard->setProperty("role", QStringLiteral("card"));
    auto *file = makeButton(QStringLiteral("jobModelFile"), tr("Open a model …"), "link");
    file->setToolTip(tr("An ONNX file, config.json of a Hugging Face folder, or a model of Hearth"));
    connect(file, &QPushButton::clicked, this, &JobPage::chooseModel);
    m_dropHint->setObjectName(QStringLiteral("jobDropHint"));
    m_dropHint->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    auto *head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Model"), "strong"));
    head->addWidget(m_dropHint, 1);
    head->addWidget(file);
    auto *layout = new QVBoxLayout(m_modelCard);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, 2 * grid);
    layout->setSpacing(grid / 2);
    layout->addLayout(head);
    layout->addWidget(m_models);
    setAcceptDrops(true);
    showDropWelcome(false);
    connect(m_models, &ModelList::loaded, this, &JobPage::refreshFit);
    return m_modelCard;
}

/// Beside the list: what comes and goes here moves nothing that is clicked there.
QWidget *JobPage::buildChosen() {
    QFrame *card = nullptr;
    QVBoxLayout *layout = makeCard(card, tr("This job trains"));
    m_fit->setObjectName(QStringLiteral("jobFit"));
    m_fit->setWordWrap(true);
    m_fit->hide();
    layout->addWidget(new ModelDetails(m_draft, *m_models));
    layout->addWidget(m_fit);
    layout->addWidget(new TrainedPartEdit(m_draft, *m_models));
    return card;
}

QWidget *JobPage::buildData() {
    QFrame *card = nullptr;
    QVBoxLayout *layout = makeCard(card, tr("Data"));
    m_data->setObjectName(QStringLiteral("jobData"));
    m_data->setWordWrap(true);
    m_dataNote->setObjectName(QStringLiteral("jobDataNote"));
    m_dataNote->setWordWrap(true);
    connect(m_samples, &SampleSheet::told, this, [this](const QString &text, bool wrong) {
        m_dataNote->setText(breakable(text));
        setRole(m_dataNote, wrong ? "wrong" : "small");
        refreshFit();
    });
    auto *builtin = makeButton(QStringLiteral("jobDataBuiltin"), tr("Fashion-MNIST"), "link");
    connect(builtin, &QPushButton::clicked, this, [this] { m_draft.setData(Job().data); });
    auto *file = makeButton(QStringLiteral("jobDataFile"), tr("Data of a file …"), "link");
    connect(file, &QPushButton::clicked, this, &JobPage::chooseData);
    auto *links = new QHBoxLayout;
    links->addWidget(builtin);
    links->addWidget(file);
    links->addStretch(1);
    layout->addWidget(m_data);
    layout->addWidget(m_dataNote);
    layout->addWidget(m_samples);
    layout->addLayout(links);
    return card;
}

QWidget *JobPage::buildOptimizer() {
    QFrame *card = nullptr;
    QVBoxLayout *layout = makeCard(card, tr("Optimizer"));
    m_optimizer->setObjectName(QStringLiteral("jobOptimizer"));
    m_optimizer->setAccessibleName(tr("Optimizer"));
    m_optimizer->addItem(tr("SGD with momentum"), static_cast<int>(OptimizerSpec::Kind::Sgd));
    m_optimizer->addItem(tr("Adam"), static_cast<int>(OptimizerSpec::Kind::Adam));
    m_optimizer->addItem(tr("AdamW (weight decay apart)"), static_cast<int>(OptimizerSpec::Kind::AdamW));
    m_optimizer->addItem(tr("Adafactor (for large models)"), static_cast<int>(OptimizerSpec::Kind::Adafactor));
    connect(m_optimizer, &QComboBox::activated, this,
            [this] { m_draft.setOptimizer(static_cast<OptimizerSpec::Kind>(m_optimizer->currentData().toInt())); });
    layout->addWidget(m_optimizer);
    const auto add = [&](JobField field, const char *name, const QString &caption) {
        layout->addWidget(new JobFieldEdit(m_draft, field, QLatin1String(name), caption, {}));
    };
    add(JobField::LearningRate, "jobLearningRate", tr("Learning rate"));
    add(JobField::Momentum, "jobMomentum", tr("Momentum"));
    m_nesterov->setObjectName(QStringLiteral("jobNesterov"));
    connect(m_nesterov, &QCheckBox::clicked, &m_draft, &JobDraft::setNesterov);
    layout->addWidget(m_nesterov);
    m_scaleParameter->setObjectName(QStringLiteral("jobScaleParameter"));
    m_scaleParameter->setToolTip(tr("The rate is multiplied by the root mean square of each tensor."));
    connect(m_scaleParameter, &QCheckBox::clicked, &m_draft, &JobDraft::setScaleParameter);
    layout->addWidget(m_scaleParameter);
    m_relativeStep->setObjectName(QStringLiteral("jobRelativeStep"));
    m_relativeStep->setToolTip(tr("Comes before what is chosen for the rate over the run."));
    connect(m_relativeStep, &QCheckBox::clicked, &m_draft, &JobDraft::setRelativeStep);
    layout->addWidget(m_relativeStep);
    add(JobField::Beta1, "jobBeta1", tr("Decay of the mean (beta 1)"));
    add(JobField::Beta2, "jobBeta2", tr("Decay of the variance (beta 2)"));
    add(JobField::Epsilon, "jobEpsilon", tr("Epsilon"));
    add(JobField::WeightDecay, "jobWeightDecay", tr("Weight decay"));
    m_schedule->setObjectName(QStringLiteral("jobSchedule"));
    m_schedule->setAccessibleName(tr("Learning rate over the run"));
    const auto addSchedule = [this](const QString &words, RateSchedule::Kind kind) {
        m_schedule->addItem(words, static_cast<int>(kind));
    };
    addSchedule(tr("The same rate all the time"), RateSchedule::Kind::Constant);
    addSchedule(tr("Falls in a straight line"), RateSchedule::Kind::Linear);
    addSchedule(tr("Falls along a cosine"), RateSchedule::Kind::Cosine);
    addSchedule(tr("Falls in steps"), RateSchedule::Kind::Steps);
    addSchedule(tr("One cycle up and down"), RateSchedule::Kind::OneCycle);
    connect(m_schedule, &QComboBox::activated, this,
            [this] { m_draft.setSchedule(static_cast<RateSchedule::Kind>(m_schedule->currentData().toInt())); });
    layout->addWidget(m_schedule);
    add(JobField::WarmupRounds, "jobWarmupRounds", tr("Rounds of warm-up"));
    add(JobField::LastRate, "jobLastRate", tr("Part of the rate at the end"));
    add(JobField::DropEvery, "jobDropEvery", tr("Rounds between steps"));
    add(JobField::Drop, "jobDrop", tr("Factor of each step"));
    return card;
}

QWidget *JobPage::buildLength() {
    QFrame *card = nullptr;
    QVBoxLayout *layout = makeCard(card, tr("Duration"));
    m_length->setObjectName(QStringLiteral("jobLength"));
    m_length->setAccessibleName(tr("Duration"));
    m_length->addItem(tr("A number of rounds"), false);
    m_length->addItem(tr("A number of passes over the data"), true);
    connect(m_length, &QComboBox::activated, this, [this] { m_draft.setByEpochs(m_length->currentData().toBool()); });
    layout->addWidget(m_length);
    const auto add = [&](JobField field, const char *name, const QString &caption, const QString &hint) {
        auto *edit = new JobFieldEdit(m_draft, field, QLatin1String(name), caption, hint);
        layout->addWidget(edit);
        return edit;
    };
    add(JobField::Rounds, "jobRounds", tr("Rounds"), tr("One round is one step of the optimizer."));
    add(JobField::Epochs, "jobEpochs", tr("Passes"), tr("Each sample is seen once in a pass."));
    add(JobField::Batch, "jobBatch", tr("Samples per round"), tr("Split automatically."));
    add(JobField::MicroBatch, "jobMicroBatch", tr("Samples per micro-batch"), tr("Empty: the planner chooses."));
    add(JobField::EvaluateEvery, "jobEvaluateEvery", tr("Evaluate every … rounds"), tr("0: only when asked."));
    m_seed = add(JobField::Seed, "jobSeed", tr("Seed"), {});
    m_shuffle->setObjectName(QStringLiteral("jobShuffle"));
    connect(m_shuffle, &QCheckBox::clicked, &m_draft, &JobDraft::setShuffle);
    layout->addWidget(m_shuffle);
    return card;
}

QWidget *JobPage::buildCodec() {
    QFrame *card = nullptr;
    QVBoxLayout *layout = makeCard(card, tr("Between stages"));
    m_codec->setObjectName(QStringLiteral("jobCodec"));
    m_codec->setAccessibleName(tr("Compression between stages"));
    m_codec->addItem(tr("Send numbers as they are"), static_cast<int>(CodecChoice::None));
    m_codec->addItem(tr("Compress to 16 or 8 bits where links are slow"), static_cast<int>(CodecChoice::Auto));
    m_codec->addItem(tr("Compress to 4 bits as well"), static_cast<int>(CodecChoice::Strong));
    connect(m_codec, &QComboBox::activated, this,
            [this] { m_draft.setCodec(static_cast<CodecChoice>(m_codec->currentData().toInt())); });
    m_codecNote->setObjectName(QStringLiteral("jobCodecNote"));
    m_codecNote->setWordWrap(true);
    m_codecOffer->setObjectName(QStringLiteral("jobCodecOffer"));
    m_codecOffer->setWordWrap(true);
    layout->addWidget(m_codec);
    layout->addWidget(m_codecNote);
    layout->addWidget(m_codecOffer);
    card->setVisible(!levelsOf(CodecChoice::Auto).empty());
    return card;
}

void JobPage::connectActions() {
    connect(m_start, &QPushButton::clicked, this, &JobPage::startWanted);
    connect(m_open, &QPushButton::clicked, this, &JobPage::openJob);
    connect(m_save, &QPushButton::clicked, this, &JobPage::saveJob);
    connect(m_duplicate, &QPushButton::clicked, &m_draft, &JobDraft::duplicate);
}

void JobPage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    // Nothing is read before somebody looks: the window opens faster.
    m_models->reload();
    m_samples->load(m_draft.choices().data);
}

void JobPage::openJob() {
    const QString path = m_questions.askOpenFile(this, tr("Open a job"), tr("Jobs (*.json);;All files (*)"));
    if (path.isEmpty() || !settleChanges())
        return;
    if (const auto opened = m_draft.open(path); !opened)
        Q_EMIT failed(opened.error());
}

bool JobPage::settleChanges() {
    if (!m_draft.hasUnsavedChanges())
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
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".json");
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
        openModelFile(path);
}

void JobPage::openModelFile(const QString &path) {
    m_draft.setModel(modelOfFile(QFileInfo(path).absoluteFilePath()));
}

void JobPage::showDropWelcome(bool welcome) {
    m_dropHint->setText(welcome ? tr("Let go to open it.") : tr("Or drop a file or a folder here."));
    setRole(m_modelCard, welcome ? "drop" : "card");
}

void JobPage::dragEnterEvent(QDragEnterEvent *event) {
    if (!droppedFile(event->mimeData()))
        return;
    event->acceptProposedAction();
    showDropWelcome(true);
}

void JobPage::dragLeaveEvent(QDragLeaveEvent *) {
    showDropWelcome(false);
}

void JobPage::dropEvent(QDropEvent *event) {
    showDropWelcome(false);
    if (const std::optional<QString> path = droppedFile(event->mimeData())) {
        event->acceptProposedAction();
        openModelFile(*path);
    }
}

void JobPage::chooseData() {
    const QString path = m_questions.askOpenFile(this, tr("Choose data"), tr("Data sets (*.json);;All files (*)"));
    if (!path.isEmpty())
        m_draft.setData(path);
}

void JobPage::setStartPossible(bool possible, const QString &reason) {
    m_startPossible = possible;
    m_startReason = reason;
    refreshStart();
}

void JobPage::refresh() {
    const Job &choices = m_draft.choices();
    m_data->setText(breakable(builtinDatasets().contains(choices.data)
                                  ? tr("%1, in %2 on this computer").arg(choices.data, datasetFolder(choices.data))
                                  : tr("%1 on this computer").arg(choices.data)));
    m_optimizer->setCurrentIndex(m_optimizer->findData(static_cast<int>(choices.optimizer.kind)));
    m_nesterov->setVisible(choices.optimizer.kind == OptimizerSpec::Kind::Sgd);
    m_nesterov->setChecked(choices.optimizer.nesterov);
    const bool isAdafactor = choices.optimizer.kind == OptimizerSpec::Kind::Adafactor;
    for (QCheckBox *box : {m_scaleParameter, m_relativeStep})
        box->setVisible(isAdafactor);
    m_scaleParameter->setChecked(choices.optimizer.scaleParameter);
    m_relativeStep->setChecked(choices.optimizer.relativeStep);
    m_schedule->setCurrentIndex(m_schedule->findData(static_cast<int>(choices.schedule.kind)));
    m_length->setCurrentIndex(m_draft.byEpochs() ? 1 : 0);
    m_shuffle->setChecked(choices.shuffle);
    refreshCodec();
    if (isVisible())
        m_samples->load(choices.data);
    refreshFit();
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

std::optional<Error> JobPage::misfit() const {
    Job job = m_draft.choices();
    const Model *model = m_models->modelOf(job.model);
    const std::optional<DataShape> &shape = m_samples->shape();
    if (model == nullptr || !shape)
        return std::nullopt;
    job.model = model->name;
    return misfitOf(job, *model, *shape);
}

std::optional<Error> JobPage::refusal() const {
    const std::optional<Error> refused = m_models->refusal();
    return refused ? refused : misfit();
}

void JobPage::refreshFit() {
    const std::optional<Error> why = misfit();
    m_fit->setText(why ? breakable(errorText(*why)) : QString());
    m_fit->setVisible(why.has_value());
}

void JobPage::refreshCodec() {
    const Job &choices = m_draft.choices();
    m_codec->setCurrentIndex(m_codec->findData(static_cast<int>(choices.codec)));
    // Float64 is there to be compared exactly.
    m_codec->setEnabled(choices.precision == Precision::Float32 || choices.codec != CodecChoice::None);
    switch (choices.codec) {
        case CodecChoice::None:
            m_codecNote->setText(tr("Exact: nothing is rounded on its way between devices."));
            break;
        case CodecChoice::Auto:
            m_codecNote->setText(
                tr("Rounds what crosses slow links, up to four times fewer bytes. Numbers change by "
                   "less than 1 %, which training hardly notices."));
            break;
        case CodecChoice::Strong:
            m_codecNote->setText(
                tr("Up to eight times fewer bytes. Numbers change by about a tenth: the trained "
                   "network may be a little less accurate."));
            break;
    }
    m_seed->setHint(choices.codec == CodecChoice::None ? tr("The same seed gives the same run on any devices.")
                                                       : tr("The same seed gives the same run with the same plan."));
    // What the last plan of this network was told.
    const std::optional<Job> &judged = m_run.job();
    const std::optional<Plan> &plan = m_run.plan();
    const bool offers = choices.codec == CodecChoice::None && judged && haveSameNetwork(*judged, choices) &&
                        judged->batch == choices.batch && plan && plan->prediction && plan->prediction->codecGain;
    m_codecOffer->setVisible(offers);
    if (offers)
        m_codecOffer->setText(codecOfferText(*plan->prediction->codecGain));
}

void JobPage::refreshStart() {
    m_start->setText(m_run.isLive() ? tr("Watch training") : tr("Start training"));
    m_start->setEnabled(m_run.isLive() || m_startPossible);
    m_start->setToolTip(m_start->isEnabled() ? QString() : m_startReason);
}

}  // namespace hearth
