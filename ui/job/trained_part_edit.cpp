#include "ui/job/trained_part_edit.h"

#include <QButtonGroup>
#include <QGridLayout>
#include <QLineEdit>
#include <QRadioButton>
#include <algorithm>
#include <utility>

#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/job/job_field_edit.h"
#include "ui/job/model_list.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

const char *idOf(TrainedPart part) {
    constexpr std::array ids{"trainedAll", "trainedLora", "trainedBottleneck", "trainedHead"};
    return ids[static_cast<std::size_t>(part)];
}

QString lineOf(const QStringList &patterns) {
    return patterns.join(QStringLiteral(", "));
}

QStringList patternsOf(const QString &line) {
    QStringList patterns;
    for (const QString &each : line.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
        if (const QString pattern = each.trimmed(); !pattern.isEmpty())
            patterns << pattern;
    }
    return patterns;
}

/// A name may have commas.
bool isSaidByLine(const QStringList &patterns) {
    return patternsOf(lineOf(patterns)) == patterns;
}

}  // namespace

TrainedPartEdit::TrainedPartEdit(JobDraft &draft, const ModelList &models, QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_models(models),
      m_table(new QGridLayout),
      m_group(new QButtonGroup(this)),
      m_note(makeLabel({}, "small")) {
    setObjectName(QStringLiteral("trainedPart"));
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addLayout(m_table);
    addRows();
    m_note->setObjectName(QStringLiteral("trainedNote"));
    m_note->setWordWrap(true);
    // It comes late: what lies below stays where it is.
    m_note->setMinimumHeight(2 * QFontMetrics(smallFont()).lineSpacing());
    m_note->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    layout->addWidget(m_note);
    auto *numbers = new QHBoxLayout;
    numbers->setSpacing(grid * 3 / 2);
    const auto add = [&](JobField field, const char *name, const QString &caption) {
        numbers->addWidget(new JobFieldEdit(m_draft, field, QLatin1String(name), caption, {}), 1);
    };
    add(JobField::LoraRank, "trainedRank", tr("Rank"));
    add(JobField::LoraAlpha, "trainedAlpha", tr("Alpha"));
    add(JobField::LoraDropout, "trainedDropout", tr("Dropout"));
    add(JobField::AdapterFeatures, "trainedFeatures", tr("Features"));
    layout->addLayout(numbers);
    m_targets = addPatterns(QStringLiteral("trainedTargets"), tr("Linear ops that get an adapter"));
    m_freeze = addPatterns(QStringLiteral("trainedFreeze"), tr("What stays as it is"));
    m_freeze.edit->setToolTip(
        tr("Names as “hearth model” lists them. * stands for any text; ! before a name makes an exception."));
    m_targets.edit->setToolTip(m_freeze.edit->toolTip());
    connect(&draft, &JobDraft::changed, this, &TrainedPartEdit::refresh);
    connect(&models, &ModelList::loaded, this, &TrainedPartEdit::refresh);
    refresh();
}

void TrainedPartEdit::addRows() {
    m_table->setContentsMargins(0, 0, 0, 0);
    m_table->setHorizontalSpacing(grid * 3 / 2);
    m_table->setVerticalSpacing(grid / 4);
    m_table->setColumnStretch(0, 1);
    const auto makeNumber = [this](const QString &text, const QString &name, int row, int column) {
        auto *label = makeLabel(text, "small");
        label->setObjectName(name);
        label->setAlignment(Qt::AlignRight | (row == 0 ? Qt::AlignBottom : Qt::AlignVCenter));
        // Numbers come one after another: their columns keep their widths.
        const QFontMetrics metrics(smallFont());
        label->setMinimumWidth(
            std::max(metrics.horizontalAdvance(formatBytes(qint64{888} << 20)), metrics.horizontalAdvance(text)));
        m_table->addWidget(label, row, column);
        return label;
    };
    m_table->addWidget(makeLabel(tr("What is trained"), "small"), 0, 0);
    makeNumber(tr("Parameters"), {}, 0, 1);
    makeNumber(tr("Memory"), {}, 0, 2)
        ->setToolTip(tr("What one device needs at least to train the model alone, one sample at a time"));
    const QString names[] = {tr("All weights"), tr("LoRA adapters"), tr("Bottleneck adapters"), tr("Only the head")};
    for (const TrainedPart part : trainedParts) {
        const auto place = static_cast<std::size_t>(part);
        const int row = static_cast<int>(place) + 1;
        const QString id = QLatin1String(idOf(part));
        auto *choice = new QRadioButton(names[place]);
        choice->setObjectName(id);
        connect(choice, &QRadioButton::clicked, this, [this, part] { choose(part); });
        m_group->addButton(choice);
        m_table->addWidget(choice, row, 0);
        m_rows[place] = {choice, makeNumber({}, id + QStringLiteral("Parameters"), row, 1),
                         makeNumber({}, id + QStringLiteral("Memory"), row, 2)};
    }
}

TrainedPartEdit::Patterns TrainedPartEdit::addPatterns(const QString &name, const QString &words) {
    const Patterns made{makeLabel(words, "small"), words, new QLineEdit};
    made.edit->setObjectName(name);
    made.edit->setAccessibleName(words);
    made.caption->setBuddy(made.edit);
    layout()->addWidget(made.caption);
    layout()->addWidget(made.edit);
    connect(made.edit, &QLineEdit::editingFinished, this, &TrainedPartEdit::take);
    return made;
}

void TrainedPartEdit::choose(TrainedPart part) {
    const TrainedPart now = trainedPartOf(m_draft.choices());
    if (part == now)
        return;
    m_before[now] = {m_draft.choices().adapters, m_draft.choices().freeze};
    Settings wanted;
    if (m_before.contains(part)) {
        wanted = m_before.value(part);
    } else if (const ModelFacts *facts = m_models.chosenFacts()) {
        wanted = {facts->part(part).adapters, facts->part(part).freeze};
    }
    m_draft.setTrained(wanted.adapters, wanted.freeze);
}

/// What was typed; a list that no line says stays.
void TrainedPartEdit::take() {
    std::optional<AdapterSpec> adapters = m_draft.choices().adapters;
    QStringList freeze = m_draft.choices().freeze;
    if (adapters && !m_targets.edit->isReadOnly())
        adapters->targets = patternsOf(m_targets.edit->text());
    if (m_freeze.edit->isVisibleTo(this) && !m_freeze.edit->isReadOnly())
        freeze = patternsOf(m_freeze.edit->text());
    if (adapters != m_draft.choices().adapters || freeze != m_draft.choices().freeze)
        m_draft.setTrained(adapters, freeze);
}

/// Where the job trains what is usual for one network, it does so for the next one as well.
void TrainedPartEdit::followModel() {
    const Job &job = m_draft.choices();
    if (std::exchange(m_model, job.model) != job.model)
        m_before.clear();
    const ModelFacts *facts = m_models.chosenFacts();
    if (facts == nullptr || !facts->model)
        return;
    const TrainedPart part = trainedPartOf(job);
    const ModelFacts::Part &usual = facts->part(part);
    const QStringList before = m_usual.value_or(usual.freeze);
    m_usual = facts->part(TrainedPart::Head).freeze;
    if (part == TrainedPart::Head && job.freeze == before && usual.freeze != before && usual.memory)
        m_draft.setTrained(job.adapters, usual.freeze);
}

void TrainedPartEdit::refresh() {
    followModel();
    const Job &job = m_draft.choices();
    const TrainedPart part = trainedPartOf(job);
    const ModelFacts *facts = m_models.chosenFacts();
    m_rows[static_cast<std::size_t>(part)].choice->setChecked(true);
    for (const TrainedPart each : trainedParts)
        refreshRow(each);
    const QStringList usual = facts != nullptr ? facts->part(part).targets : QStringList();
    refreshPatterns(m_targets, job.adapters ? job.adapters->targets : QStringList(), job.adapters.has_value(),
                    usual.isEmpty() ? tr("For example *.query, *.value") : tr("As usual: %1").arg(lineOf(usual)));
    refreshPatterns(m_freeze, job.freeze, part != TrainedPart::All, tr("All but classifiers"));
    refreshNote();
}

void TrainedPartEdit::refreshPatterns(const Patterns &patterns, const QStringList &list, bool used,
                                      const QString &usual) {
    const bool isSaid = isSaidByLine(list);
    patterns.caption->setText(isSaid ? patterns.words : tr("%1 · as in the file").arg(patterns.words));
    patterns.caption->setVisible(used);
    patterns.edit->setVisible(used);
    patterns.edit->setReadOnly(!isSaid);
    patterns.edit->setPlaceholderText(usual);
    if (!patterns.edit->hasFocus())
        patterns.edit->setText(lineOf(list));
}

void TrainedPartEdit::refreshRow(TrainedPart part) {
    const ModelFacts *facts = m_models.chosenFacts();
    const Row &row = m_rows[static_cast<std::size_t>(part)];
    const bool chosen = part == trainedPartOf(m_draft.choices());
    const bool known = facts != nullptr && facts->model.has_value();
    std::optional<ModelList::Trained> trained = chosen ? m_models.trained() : std::nullopt;
    // Of the chosen one what the job says, of others what is usual.
    if (!trained && known && facts->part(part).memory && !(chosen && m_models.refusal()))
        trained = ModelList::Trained{facts->part(part).trained, *facts->part(part).memory};
    const QString none = known ? QStringLiteral("–") : QString();
    row.parameters->setText(trained ? formatShortCount(trained->parameters) : none);
    row.memory->setText(
        trained ? formatBytes(leastBytes(trained->memory, m_draft.job().state(), m_models.runtimeBytes())) : none);
    const bool possible = known && facts->part(part).memory;
    // Until the network is known, only what was written before can be chosen again.
    row.choice->setEnabled(chosen || possible || (!known && m_before.contains(part)));
    row.choice->setToolTip(possible || !known ? QString() : breakable(errorText(facts->part(part).why)));
    row.choice->setAccessibleDescription(trained ? tr("%1 parameters, at least %2 of memory to train")
                                                       .arg(formatCount(trained->parameters), row.memory->text())
                                                 : row.choice->toolTip());
}

/// What the chosen one takes, or what is wrong with it.
void TrainedPartEdit::refreshNote() {
    const std::optional<Error> refusal = m_models.refusal();
    const std::optional<ModelList::Trained> trained = m_models.trained();
    QString text;
    if (refusal) {
        text = errorText(*refusal);
    } else if (trained) {
        const TrainingMemory &memory = trained->memory;
        text = tr("Weights %1, gradients %2, optimizer %3, and %4 for each sample.")
                   .arg(formatBytes(memory.weights), formatBytes(memory.gradients),
                        formatBytes(memory.optimizerBytes(m_draft.job().state())), formatBytes(memory.activations));
    }
    setRole(m_note, refusal ? "wrong" : "small");
    m_note->setText(breakable(text));
}

}  // namespace hearth
