#include "ui/job_page.h"

#include <QComboBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>
#include <QStyle>

#include "core/model/catalogue.h"
#include "ui/format.h"
#include "ui/run_model.h"
#include "ui/widgets.h"

namespace hearth {

namespace {

// Float32 parameters and their gradients.
constexpr int bytesPerParameter = 4;

QFrame *makeCard(const QString &heading, QFormLayout *form) {
    auto *card = new QFrame;
    card->setProperty("role", QStringLiteral("card"));
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->setSpacing(grid * 3 / 2);
    layout->addWidget(makeLabel(heading, "strong"));
    form->setRowWrapPolicy(QFormLayout::WrapAllRows);
    form->setVerticalSpacing(grid / 2);
    layout->addLayout(form);
    layout->addStretch(1);
    return card;
}

}  // namespace

JobPage::JobPage(const RunModel &run, QWidget *parent)
    : Page(QStringLiteral("jobPage"), tr("Job"), parent),
      m_run(run),
      m_start(makePrimary(QStringLiteral("jobStart"), tr("Start training"))),
      m_model(new QComboBox),
      m_modelNote(makeLabel({}, "small")) {
    setSubtitle(tr("What to train, on which data, and for how long"));
    connect(m_start, &QPushButton::clicked, this, &JobPage::startWanted);

    auto *what = new QFormLayout;
    m_model->setObjectName(QStringLiteral("jobModel"));
    m_model->setAccessibleName(tr("Model"));
    m_model->addItems(builtinModels());
    m_modelNote->setObjectName(QStringLiteral("jobModelNote"));
    m_modelNote->setWordWrap(true);
    what->addRow(makeLabel(tr("Model"), "small"), m_model);
    what->addRow(m_modelNote);
    auto *dataName = makeLabel(m_job.data, "");
    dataName->setObjectName(QStringLiteral("jobData"));
    QLabel *dataCaption = makeLabel(tr("Data"), "small");
    dataCaption->setContentsMargins(0, grid, 0, 0);
    what->addRow(dataCaption, dataName);
    auto *dataNote =
        makeLabel(tr("60,000 pictures of clothes, 28×28 pixels, in ten classes; 10,000 more to test."), "small");
    dataNote->setWordWrap(true);
    what->addRow(dataNote);

    auto *optimizer = new QFormLayout;
    auto *kind = makeLabel(tr("Stochastic gradient descent with momentum"), "");
    kind->setWordWrap(true);
    optimizer->addRow(makeLabel(tr("Optimizer"), "small"), kind);
    m_learningRate = addField(optimizer, QStringLiteral("jobLearningRate"), tr("Learning rate"), {});
    m_momentum = addField(optimizer, QStringLiteral("jobMomentum"), tr("Momentum"), {});

    auto *length = new QFormLayout;
    m_rounds =
        addField(length, QStringLiteral("jobRounds"), tr("Rounds"), tr("One round is one step of the optimizer."));
    m_batch = addField(length, QStringLiteral("jobBatch"), tr("Samples per round"),
                       tr("The planner chooses how they are cut."));
    m_evaluateEvery =
        addField(length, QStringLiteral("jobEvaluateEvery"), tr("Evaluate every … rounds"), tr("0: only when asked."));
    m_seed =
        addField(length, QStringLiteral("jobSeed"), tr("Seed"), tr("The same seed gives the same run on any devices."));

    auto *cards = new QWidget;
    auto *row = new QHBoxLayout(cards);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * grid);
    row->addWidget(makeCard(tr("Model and data"), what), 1, Qt::AlignTop);
    row->addWidget(makeCard(tr("Optimizer"), optimizer), 1, Qt::AlignTop);
    row->addWidget(makeCard(tr("Length"), length), 1, Qt::AlignTop);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("jobScroll"));
    scroll->setWidgetResizable(true);
    scroll->setWidget(cards);
    setContent(scroll);

    connect(m_model, &QComboBox::currentTextChanged, this, &JobPage::read);
    connect(&run, &RunModel::stateChanged, this, &JobPage::refreshStart);
    connect(&run, &RunModel::cleared, this, &JobPage::refreshStart);
    setJob(Job());
}

JobPage::Field JobPage::addField(QFormLayout *form, const QString &objectName, const QString &caption,
                                 const QString &hint) {
    Field field{new QLineEdit, makeLabel(hint, "small")};
    field.edit->setObjectName(objectName);
    field.edit->setAccessibleName(caption);
    field.reason->setObjectName(objectName + QStringLiteral("Reason"));
    field.reason->setProperty("hint", hint);
    field.reason->setWordWrap(true);
    QLabel *captionLabel = makeLabel(caption, "small");
    captionLabel->setContentsMargins(0, form->rowCount() > 0 ? grid : 0, 0, 0);
    form->addRow(captionLabel, field.edit);
    form->addRow(field.reason);
    connect(field.edit, &QLineEdit::textChanged, this, &JobPage::read);
    return field;
}

void JobPage::setJob(const Job &job) {
    m_filling = true;
    m_job = job;
    const QLocale locale;
    const auto real = [&locale](double value) { return locale.toString(value, 'g', 6); };
    m_model->setCurrentText(job.model);
    m_rounds.edit->setText(locale.toString(job.rounds.value_or(Job().rounds.value_or(1))));
    m_batch.edit->setText(locale.toString(job.batch));
    m_learningRate.edit->setText(real(job.optimizer.learningRate));
    m_momentum.edit->setText(real(job.optimizer.momentum));
    m_evaluateEvery.edit->setText(locale.toString(job.evaluateEvery));
    m_seed.edit->setText(locale.toString(static_cast<qulonglong>(job.seed)));
    m_filling = false;
    read();
}

bool JobPage::mark(const Field &field, const QString &reason) {
    const bool wrong = !reason.isEmpty();
    field.edit->setProperty("wrong", wrong);
    field.reason->setProperty("role", wrong ? QStringLiteral("wrong") : QStringLiteral("small"));
    field.reason->setText(wrong ? reason : field.reason->property("hint").toString());
    field.reason->setVisible(!field.reason->text().isEmpty());
    for (QWidget *widget : {static_cast<QWidget *>(field.edit), static_cast<QWidget *>(field.reason)}) {
        widget->style()->unpolish(widget);
        widget->style()->polish(widget);
    }
    return !wrong;
}

std::optional<qint64> JobPage::integer(const Field &field, qint64 minimum, qint64 maximum) {
    bool isNumber = false;
    const qint64 value = QLocale().toLongLong(field.edit->text().trimmed(), &isNumber);
    if (!isNumber) {
        mark(field, tr("This is not a whole number."));
        return std::nullopt;
    }
    if (value < minimum || value > maximum) {
        mark(field, tr("Must lie between %1 and %2.").arg(formatCount(minimum), formatCount(maximum)));
        return std::nullopt;
    }
    mark(field, {});
    return value;
}

std::optional<double> JobPage::number(const Field &field, double minimum, double maximum, bool minimumAllowed) {
    bool isNumber = false;
    const double value = QLocale().toDouble(field.edit->text().trimmed(), &isNumber);
    const QLocale locale;
    if (!isNumber) {
        mark(field, tr("This is not a number."));
        return std::nullopt;
    }
    if (value < minimum || value > maximum || (!minimumAllowed && value == minimum)) {
        const QString text =
            minimumAllowed ? tr("Must lie between %1 and %2.") : tr("Must be above %1 and at most %2.");
        mark(field, text.arg(locale.toString(minimum), locale.toString(maximum)));
        return std::nullopt;
    }
    mark(field, {});
    return value;
}

void JobPage::read() {
    if (m_filling) {
        return;
    }
    constexpr qint64 maximumRounds = 100'000'000;
    constexpr qint64 maximumBatch = 1 << 20;
    const auto rounds = integer(m_rounds, 1, maximumRounds);
    const auto batch = integer(m_batch, 1, maximumBatch);
    const auto evaluateEvery = integer(m_evaluateEvery, 0, maximumRounds);
    const auto seed = integer(m_seed, 0, static_cast<qint64>(TrainingSpec::maximumSeed));
    const auto learningRate = number(m_learningRate, 0, 100, false);
    const auto momentum = number(m_momentum, 0, 1, true);
    const bool valid = rounds && batch && evaluateEvery && seed && learningRate && momentum;
    if (valid) {
        m_job.model = m_model->currentText().isEmpty() ? m_job.model : m_model->currentText();
        m_job.rounds = *rounds;
        m_job.epochs.reset();
        m_job.batch = static_cast<int>(*batch);
        m_job.evaluateEvery = *evaluateEvery;
        m_job.seed = static_cast<quint64>(*seed);
        m_job.optimizer.learningRate = *learningRate;
        m_job.optimizer.momentum = *momentum;
    }
    showModel();
    if (valid != m_valid) {
        m_valid = valid;
        Q_EMIT validityChanged();
    }
}

void JobPage::setStartPossible(bool possible, const QString &reason) {
    m_startPossible = possible;
    m_startReason = reason;
    refreshStart();
}

void JobPage::refreshStart() {
    m_start->setText(m_run.isLive() ? tr("Watch training") : tr("Start training"));
    m_start->setEnabled(m_run.isLive() || m_startPossible);
    m_start->setToolTip(m_start->isEnabled() ? QString() : m_startReason);
}

void JobPage::showModel() {
    const Result<Model> model = loadModel(m_model->currentText());
    if (!model) {
        m_modelNote->setText(model.error().toString());
        return;
    }
    const qint64 parameters = model->parameterCount();
    const QString layers = tr("%n layer(s)", nullptr, static_cast<int>(model->layers.size()));
    m_modelNote->setText(tr("%1, %2 parameters, %3 of weights.")
                             .arg(layers, formatCount(parameters), formatBytes(parameters * bytesPerParameter)));
}

}  // namespace hearth
