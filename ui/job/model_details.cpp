#include "ui/job/model_details.h"

#include <QLineEdit>
#include <QStyle>
#include <cmath>
#include <utility>

#include "core/model/model_name.h"
#include "core/run/whole_job.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/job/model_list.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"
#include "ui/words/slots.h"

namespace hearth {

namespace {

QString inputsOf(const Model &model) {
    QStringList texts;
    const auto cuts = namedSlots(model, DType::Float32);
    for (const NamedSlot &input : cuts.front())
        texts << (model.inputs.size() == 1 && input.slot.dtype != DType::Int64
                      ? formatSlot(input.slot)
                      : QStringLiteral("%1 %2").arg(input.name, formatSlot(input.slot)));
    return texts.join(QStringLiteral(", "));
}

}  // namespace

ModelDetails::ModelDetails(JobDraft &draft, const ModelList &models, QWidget *parent)
    : QWidget(parent),
      m_draft(draft),
      m_models(models),
      m_name(makeLabel({}, "strong")),
      m_facts(makeLabel({}, "small")),
      m_notes(makeLabel({}, "small")),
      m_error(makeLabel({}, "wrong")),
      m_options(new QLineEdit),
      m_optionsReason(makeLabel({}, "wrong")) {
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    for (const auto &[label, name] : {std::pair{m_name, "modelName"}, std::pair{m_facts, "modelFacts"},
                                      std::pair{m_error, "modelError"}, std::pair{m_notes, "modelNotes"}}) {
        label->setObjectName(QLatin1String(name));
        label->setWordWrap(true);
        label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        layout->addWidget(label);
    }
    // Room for what will be said is kept, so that nothing jumps when it comes.
    constexpr int lines = 6;  // the longest take two in a window of the usual size
    m_facts->setMinimumHeight(lines * QFontMetrics(smallFont()).lineSpacing());
    auto *caption = makeLabel(tr("Options of this model"), "small");
    caption->setBuddy(m_options);
    m_options->setObjectName(QStringLiteral("modelOptions"));
    m_options->setAccessibleName(caption->text());
    m_options->setPlaceholderText(tr("For example sequence=64,classes=3"));
    m_optionsReason->setObjectName(QStringLiteral("modelOptionsReason"));
    m_optionsReason->setWordWrap(true);
    m_optionsReason->hide();
    layout->addWidget(caption);
    layout->addWidget(m_options);
    layout->addWidget(m_optionsReason);
    connect(m_options, &QLineEdit::editingFinished, this, &ModelDetails::takeOptions);
    connect(&draft, &JobDraft::changed, this, &ModelDetails::refresh);
    connect(&models, &ModelList::loaded, this, &ModelDetails::refresh);
    refresh();
}

void ModelDetails::setTrainingSamples(qint64 count) {
    if (std::exchange(m_trainingSamples, count) != count)
        refresh();
}

void ModelDetails::takeOptions() {
    const QString base = ModelName::written(m_draft.choices().model).base;
    const QString text = m_options->text().remove(QLatin1Char(' '));
    const QString name = text.isEmpty() ? base : base + QLatin1Char(':') + text;
    const bool wrong = ModelName::written(name).base != base;
    markOptions(wrong);
    if (!wrong && name != m_draft.choices().model)
        m_draft.setModel(name);
}

void ModelDetails::markOptions(bool wrong) {
    m_optionsReason->setText(wrong ? tr("Write options as name=value, with commas between them.") : QString());
    m_optionsReason->setVisible(wrong);
    m_options->setProperty("wrong", wrong);
    m_options->style()->unpolish(m_options);
    m_options->style()->polish(m_options);
}

void ModelDetails::refresh() {
    const QString &name = m_draft.choices().model;
    const ModelFacts *facts = m_models.chosenFacts();
    const bool wrong = facts != nullptr && facts->error;
    m_name->setText(breakable(name.section(QLatin1Char('/'), -1)));
    m_name->setToolTip(name);
    m_facts->setText(facts == nullptr ? tr("Reading …") : wrong ? QString() : describe(*facts));
    m_facts->setVisible(!wrong);
    m_error->setText(wrong ? breakable(errorText(*facts->error)) : QString());
    m_error->setVisible(wrong);
    QStringList notes;
    if (facts != nullptr) {
        for (const Sentence &note : facts->notes)
            notes << breakable(coreText(note));
    }
    m_notes->setText(notes.join(QLatin1Char('\n')));
    m_notes->setVisible(!notes.isEmpty());
    // What is wrong stays to be corrected until another model is chosen.
    if (std::exchange(m_model, name) != name)
        markOptions(false);
    if (!m_options->hasFocus() && !m_options->property("wrong").toBool())
        m_options->setText(name.mid(ModelName::written(name).base.size() + 1));
}

QString ModelDetails::describe(const ModelFacts &facts) const {
    QStringList lines{tr("%1, %2 parameters")
                          .arg(tr("%n layer(s)", nullptr, static_cast<int>(facts.model->layers.size())),
                               formatCount(facts.model->parameterCount())),
                      tr("Takes %1; gives %2")
                          .arg(inputsOf(*facts.model), formatSlots(namedSlots(*facts.model, DType::Float32).back()))};
    if (const std::optional<JobEstimate> alone = m_models.estimated()) {
        if (alone->memoryBytes) {
            const QString memory = formatBytes(*alone->memoryBytes);
            lines << (m_models.knowsRuntime() ? tr("%1 of memory to train on this computer alone").arg(memory)
                                              : tr("about %1 of memory to train on this computer alone").arg(memory));
        }
        const QString round = formatSeconds(alone->roundS);
        lines << (alone->relativeError > 0
                      ? tr("%1 ± %2 % for one round on this computer alone: predicted, not measured")
                            .arg(round, formatCount(std::lround(100 * alone->relativeError)))
                      : tr("about %1 for one round on this computer alone").arg(round));
        if (const QString whole = describeWhole(*alone); !whole.isEmpty())
            lines << whole;
    } else {
        lines << tr("Time for one round: not measured here yet");
    }
    return lines.join(QLatin1Char('\n'));
}

/// Empty where nobody knows how long the job is.
QString ModelDetails::describeWhole(const JobEstimate &alone) const {
    const JobLength length = JobLength::of(m_draft.written(), {m_trainingSamples, 0});
    if (!length.isKnown())
        return {};
    const QString time = formatAboutSeconds(static_cast<double>(length.rounds) * alone.roundS);
    const QString text =
        length.isMost
            ? tr("at most about %1 ± %2 % for the whole job on this computer alone (rounds: %3; without evaluations)")
            : tr("about %1 ± %2 % for the whole job on this computer alone (rounds: %3; without evaluations)");
    return text.arg(time, formatCount(std::lround(100 * roundError(alone.relativeError))), formatCount(length.rounds));
}

}  // namespace hearth
