#include "ui/job/model_list.h"

#include <QButtonGroup>
#include <QFileInfo>
#include <QGridLayout>
#include <QRadioButton>
#include <QResizeEvent>
#include <algorithm>
#include <utility>

#include "core/base/background_task.h"
#include "core/model/catalogue.h"
#include "core/model/model_name.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/job/model_families.h"
#include "ui/job/part_of_job.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int nameColumn = 0, parametersColumn = 1, allColumn = 2, loraColumn = 3, headColumn = 4, columns = 5;

/// Says as much of its text as fits; the whole is its accessible name and its tool tip.
class ElidedRadio : public QRadioButton {
  public:
    explicit ElidedRadio(const QString &whole) : m_whole(whole), m_shown(whole) {
        setAccessibleName(m_whole);
        setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        setMinimumWidth(12 * grid);
        setText(withAmpersands(m_shown));
    }
    void setWhole(const QString &whole) {
        m_whole = whole;
        setAccessibleName(whole);
        elide(width());
    }

  protected:
    void resizeEvent(QResizeEvent *event) override {
        QRadioButton::resizeEvent(event);
        elide(event->size().width());
    }

  private:
    void elide(int room) {
        const int besides = sizeHint().width() - fontMetrics().horizontalAdvance(m_shown);
        const QString shown = fontMetrics().elidedText(m_whole, Qt::ElideMiddle, std::max(0, room - besides));
        if (shown != std::exchange(m_shown, shown))
            setText(withAmpersands(shown));
    }
    QString m_whole, m_shown;
};

QString shownName(const QString &base) {
    const QString file = QFileInfo(base).fileName();
    return base.contains(QLatin1Char('/')) && !file.isEmpty() ? file : base;
}

QLabel *numberLabel(const char *what, const QString &base) {
    auto *label = makeLabel({}, "small");
    label->setObjectName(QLatin1String(what) + shownName(base));
    label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return label;
}

}  // namespace

ModelList::ModelList(JobDraft &draft, const HomeSource &home, QWidget *parent)
    : QWidget(parent), m_draft(draft), m_home(home), m_group(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("modelList"));
    setAccessibleName(tr("Model"));
    connect(&m_reader, &ModelReader::told, this, [this](const QString &name) {
        refresh();
        if (name == m_draft.choices().model) {
            ++m_readings;
            Q_EMIT loaded();
            estimate();
        }
    });
    connect(&draft, &JobDraft::changed, this, &ModelList::follow);
    connect(&home, &HomeSource::devicesChanged, this, [this] {
        if (isVisible() && question() != m_asked)
            estimate();
    });
    rebuild();
    refresh();
}

ModelList::~ModelList() = default;

const Model *ModelList::modelOf(const QString &name) const {
    const ModelFacts *facts = m_reader.facts(name);
    return facts != nullptr && facts->model ? &*facts->model : nullptr;
}

const ModelFacts *ModelList::chosenFacts() const {
    return m_reader.facts(m_draft.choices().model);
}

QString ModelList::nameOf(const QString &base) const {
    const QString &chosen = m_draft.choices().model;
    return ModelName::written(chosen).base == base ? chosen : m_variants.value(base, base);
}

std::vector<ModelList::Group> ModelList::groups() const {
    QStringList opened = m_draft.openedModels();
    const QString chosen = ModelName::written(m_draft.choices().model).base;
    if (!isBuiltinModel(chosen) && !opened.contains(chosen))
        opened.prepend(chosen);
    std::vector<Group> groups;
    if (!opened.isEmpty())
        groups.push_back({tr("Opened by you"), {}, opened});
    for (const ModelFamily &family : modelFamilies())
        groups.push_back({family.name, family.what, family.models});
    return groups;
}

void ModelList::follow() {
    const QString &model = m_draft.choices().model;
    const QString base = ModelName::written(model).base;
    if (model == base)
        m_variants.remove(base);
    else
        m_variants[base] = model;
    if (groups() != m_groups)
        rebuild();
    refresh();
    if (!isVisible())
        return;
    read();
    if (question() != m_asked)
        estimate();
}

void ModelList::reload() {
    read();
    m_reader.lookAgain();
    estimate();
}

void ModelList::read() {
    // The chosen one first.
    QStringList names{m_draft.choices().model};
    for (const Row &row : m_rows) {
        if (const QString name = nameOf(row.base); !names.contains(name))
            names << name;
    }
    m_reader.read(names, dtypeOf(m_draft.job().precision));
    refresh();
}

ModelList::Question ModelList::question() const {
    Question asked{m_home.stateDir(), {}, {}};
    for (const DeviceInfo &device : m_home.devices()) {
        if (device.self) {
            asked.self.emplace();
            asked.self->id = device.id;
            asked.self->threads = device.threads;
        }
    }
    asked.job = partOf(m_draft.written(), &Job::model, &Job::adapters, &Job::freeze, &Job::batch, &Job::microBatch,
                       &Job::localSteps, &Job::precision, &Job::optimizer);
    return asked;
}

void ModelList::estimate() {
    m_again = m_estimating && m_estimating->isRunning();
    if (m_again)
        return;
    m_asked = question();
    const Model *model = modelOf(m_asked.job.model);
    m_estimating = std::make_unique<BackgroundTask>();
    m_estimating->start<Alone>(
        this,
        [asked = m_asked, model = model != nullptr ? std::optional(*model) : std::nullopt]() -> Result<Alone> {
            Alone alone;
            alone.job = asked.job;
            if (asked.self)
                alone.runtime = storedRuntimeBytes(asked.stateDir, asked.self->id);
            const auto network = model ? std::optional(networkOf(asked.job, *model)) : std::nullopt;
            if (network && !*network)
                alone.refusal = network->error();
            if (!network || !*network)
                return alone;
            alone.trained = {(*network)->elements(TensorRole::Trainable),
                             trainingMemory(**network, dtypeOf(asked.job.precision))};
            if (asked.self) {
                alone.estimate =
                    estimateAlone(asked.job, **network, *asked.self, alone.runtime.value_or(usualRuntimeBytes),
                                  storedTimes(asked.stateDir, asked.job.precision));
            }
            return alone;
        },
        [this](const Alone &alone) {
            m_alone = alone;
            refresh();
            Q_EMIT loaded();
            if (std::exchange(m_again, false))
                QMetaObject::invokeMethod(this, &ModelList::estimate, Qt::QueuedConnection);
        },
        [](const Error &) {});
}

const ModelList::Alone &ModelList::ofChosen() const {
    static const Alone nothing;
    return haveSameNetwork(m_alone.job, m_draft.written()) ? m_alone : nothing;
}

void ModelList::rebuild() {
    // Who is clicked lives on until its event is over.
    if (layout() != nullptr) {
        const QList<QWidget *> before = findChildren<QWidget *>(Qt::FindDirectChildrenOnly);
        for (QWidget *widget : before) {
            widget->hide();
            widget->setObjectName({});
            widget->deleteLater();
        }
        for (const Row &row : m_rows)
            m_group->removeButton(row.choice);
        delete layout();
    }
    m_rows.clear();
    m_groups = groups();
    auto *table = new QGridLayout(this);
    table->setContentsMargins(0, 0, 0, 0);
    table->setHorizontalSpacing(grid * 3 / 2);
    table->setVerticalSpacing(grid / 4);
    table->setColumnStretch(nameColumn, 1);
    addHeader();
    int row = 2;
    for (const Group &group : m_groups)
        row = addGroup(group, row);
}

void ModelList::addHeader() {
    auto *table = static_cast<QGridLayout *>(layout());
    auto *memory = makeLabel(tr("Memory to train, at least"), "small");
    memory->setAlignment(Qt::AlignRight);
    memory->setToolTip(tr("For one device that trains the model alone, one sample at a time"));
    table->addWidget(memory, 0, parametersColumn, 1, columns - parametersColumn);
    const auto add = [&](const QString &text, int column, const QString &toolTip) {
        auto *label = makeLabel(text, "small");
        label->setAlignment(Qt::AlignRight | Qt::AlignBottom);
        label->setToolTip(toolTip);
        // Numbers come one after another: their columns keep their widths.
        label->setMinimumWidth(QFontMetrics(smallFont()).horizontalAdvance(formatBytes(qint64{888} << 20)));
        table->addWidget(label, 1, column);
    };
    add(tr("Parameters"), parametersColumn, {});
    add(tr("All"), allColumn, tr("All weights are trained"));
    add(tr("LoRA"), loraColumn, tr("Small matrices beside those of attention are trained, of rank 8"));
    add(tr("Head"), headColumn, tr("The last layer alone is trained"));
}

int ModelList::addGroup(const Group &group, int row) {
    auto *table = static_cast<QGridLayout *>(layout());
    auto *heading = new QWidget;
    auto *line = new QHBoxLayout(heading);
    line->setContentsMargins(0, grid, 0, 0);
    line->setSpacing(grid);
    line->addWidget(makeLabel(group.title, "strong"));
    auto *what = new ElidedLabel;
    what->setProperty("role", QStringLiteral("small"));
    what->setFullText(group.what);
    line->addWidget(what, 1);
    table->addWidget(heading, row++, 0, 1, columns);
    for (const QString &base : group.bases)
        addRow(base, row++);
    return row;
}

int ModelList::addRow(const QString &base, int row) {
    auto *table = static_cast<QGridLayout *>(layout());
    const QString shown = shownName(base);
    Row made{base,
             new ElidedRadio(shown),
             numberLabel("modelParameters-", base),
             numberLabel("modelAll-", base),
             numberLabel("modelLora-", base),
             numberLabel("modelHead-", base)};
    made.choice->setObjectName(QStringLiteral("model-") + shown);
    connect(made.choice, &QRadioButton::clicked, this, [this, base] { m_draft.setModel(nameOf(base)); });
    m_group->addButton(made.choice);
    table->addWidget(made.choice, row, nameColumn);
    table->addWidget(made.parameters, row, parametersColumn);
    table->addWidget(made.all, row, allColumn);
    table->addWidget(made.lora, row, loraColumn);
    table->addWidget(made.head, row, headColumn);
    m_rows.push_back(made);
    return row;
}

void ModelList::refresh() {
    for (const Row &row : m_rows)
        refreshRow(row);
}

void ModelList::refreshRow(const Row &row) {
    const QString name = nameOf(row.base);
    const ModelFacts *facts = m_reader.facts(name);
    if (name == m_draft.choices().model)
        row.choice->setChecked(true);
    row.choice->setToolTip(name);
    const QString options = name.mid(row.base.size() + 1);
    const QString shown = shownName(row.base);
    static_cast<ElidedRadio *>(row.choice)->setWhole(options.isEmpty() ? shown : tr("%1, %2").arg(shown, options));
    const bool wrong = facts != nullptr && facts->error;
    setRole(row.parameters, wrong ? "wrong" : "small");
    row.parameters->setText(facts == nullptr ? QStringLiteral("…")
                            : facts->isGone  ? tr("Not there")
                            : wrong          ? tr("Not usable")
                                             : formatShortCount(facts->model->parameterCount()));
    row.parameters->setToolTip(
        facts == nullptr || wrong ? QString() : tr("%1 parameters").arg(formatCount(facts->model->parameterCount())));
    QStringList spoken{row.parameters->toolTip().isEmpty() ? row.parameters->text() : row.parameters->toolTip()};
    const bool chosen = name == m_draft.choices().model;
    const auto show = [&](QLabel *label, TrainedPart which, const QString &words) {
        label->setToolTip({});
        if (facts == nullptr || wrong) {
            label->setText({});
            return;
        }
        const ModelFacts::Part &part = facts->part(which);
        // Of the chosen one what the job says, of others what is usual.
        const auto mine = chosen && which == trainedPartOf(m_draft.choices()) ? trained() : std::nullopt;
        const std::optional<TrainingMemory> memory = mine ? std::optional(mine->memory) : part.memory;
        label->setText(memory ? formatBytes(leastBytes(*memory, m_draft.job().state(), runtimeBytes()))
                              : QStringLiteral("–"));
        if (memory)
            spoken << words.arg(label->text());
        else
            label->setToolTip(breakable(errorText(part.why)));
    };
    show(row.all, TrainedPart::All, tr("at least %1 of memory to train"));
    show(row.lora, TrainedPart::Lora, tr("%1 with LoRA"));
    show(row.head, TrainedPart::Head, tr("%1 for its head alone"));
    row.choice->setAccessibleDescription(spoken.join(QStringLiteral(", ")));
}

}  // namespace hearth
