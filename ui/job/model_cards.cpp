#include "ui/job/model_cards.h"

#include <QButtonGroup>
#include <QFileInfo>
#include <QRadioButton>
#include <algorithm>
#include <utility>

#include "core/base/background_task.h"
#include "core/model/catalogue.h"
#include "core/model/import/open_model.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/job/job_draft.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

ModelCards::ModelCards(JobDraft &draft, const HomeSource &home, QWidget *parent)
    : QWidget(parent), m_draft(draft), m_home(home), m_list(new QVBoxLayout(this)), m_group(new QButtonGroup(this)) {
    setObjectName(QStringLiteral("modelCards"));
    setAccessibleName(tr("Model"));
    m_list->setContentsMargins(0, 0, 0, 0);
    m_list->setSpacing(grid);
    rebuild();
    const auto askAgain = [this] {
        if (isVisible() && question() != m_asked)
            reload();
    };
    connect(&draft, &JobDraft::changed, this, [this, askAgain] {
        const QString model = m_draft.choices().model;
        if (!builtinModels().contains(model) && model != m_ownModel) {
            m_ownModel = model;
            rebuild();
        }
        refresh();
        askAgain();
    });
    connect(&home, &HomeSource::devicesChanged, this, askAgain);
}

ModelCards::~ModelCards() = default;

ModelCards::Question ModelCards::question() const {
    Question asked;
    asked.models = builtinModels();
    if (!m_ownModel.isEmpty())
        asked.models << m_ownModel;
    asked.stateDir = m_home.stateDir();
    for (const DeviceInfo &device : m_home.devices()) {
        if (device.self) {
            asked.self.emplace();
            asked.self->id = device.id;
            asked.self->threads = device.threads;
        }
    }
    const Job &job = m_draft.job();
    asked.job.batch = job.batch;
    asked.job.microBatch = job.microBatch;
    asked.job.precision = job.precision;
    asked.job.optimizer = job.optimizer;
    return asked;
}

std::vector<ModelCards::Facts> ModelCards::answer(const Question &asked) {
    const std::vector<ModelProfile> profiles = storedProfiles(asked.stateDir);
    const std::optional<qint64> runtime =
        asked.self ? storedRuntimeBytes(asked.stateDir, asked.self->id) : std::nullopt;
    std::vector<Facts> all;
    for (const QString &name : asked.models) {
        Facts facts;
        facts.name = name;
        if (const Result<ImportedModel> opened = openModel(name); !opened) {
            facts.error = errorText(opened.error());
        } else {
            const Model *model = &opened->model;
            facts.notes = opened->notes;
            const qint64 runtimeBytes = runtime.value_or(usualRuntimeBytes);
            facts.model = *model;
            facts.leastBytes = leastBytes(*model, asked.job, runtimeBytes);
            if (asked.self)
                facts.estimate = estimateAlone(asked.job, *model, *asked.self, runtimeBytes, profiles);
            facts.knowsRuntime = runtime.has_value();
        }
        all.push_back(std::move(facts));
    }
    return all;
}

void ModelCards::reload() {
    if (m_loading && m_loading->isRunning()) {
        m_again = true;
        return;
    }
    m_asked = question();
    m_loading = std::make_unique<BackgroundTask>();
    m_loading->start<std::vector<Facts>>(
        this, [asked = m_asked]() -> Result<std::vector<Facts>> { return answer(asked); },
        [this](const std::vector<Facts> &facts) {
            m_facts = facts;
            refresh();
            Q_EMIT loaded();
            if (std::exchange(m_again, false))
                QMetaObject::invokeMethod(this, &ModelCards::reload, Qt::QueuedConnection);
        },
        [](const Error &) {});
}

const Model *ModelCards::modelOf(const QString &name) const {
    const auto facts = std::ranges::find(m_facts, name, &Facts::name);
    return facts != m_facts.end() && facts->model ? &*facts->model : nullptr;
}

void ModelCards::rebuild() {
    for (const Card &card : m_cards) {
        m_group->removeButton(card.choice);
        delete card.choice->parentWidget();
    }
    m_cards.clear();
    for (QLabel *heading : std::exchange(m_headings, {}))
        delete heading;
    QStringList pictures, texts;
    for (const QString &name : builtinModels())
        (isBuiltinTextModel(name) ? texts : pictures) << name;
    addGroup(tr("For pictures"), pictures);
    addGroup(tr("For texts"), texts);
    if (!m_ownModel.isEmpty())
        addGroup(tr("Yours"), {m_ownModel});
    refresh();
}

void ModelCards::addGroup(const QString &heading, const QStringList &names) {
    m_headings.push_back(makeLabel(heading, "small"));
    m_list->addWidget(m_headings.back());
    for (const QString &name : names)
        m_list->addWidget(makeCard(name));
}

QWidget *ModelCards::makeCard(const QString &name) {
    auto *frame = new QFrame;
    frame->setProperty("role", QStringLiteral("choice"));
    const QString shown = name.startsWith(QLatin1Char('/')) ? QFileInfo(name).fileName() : name;
    constexpr int mostWidth = 40 * grid;
    auto *choice = new QRadioButton(QFontMetrics(bodyFont()).elidedText(shown, Qt::ElideMiddle, mostWidth));
    choice->setAccessibleName(shown);
    choice->setObjectName(QStringLiteral("model-") + shown);
    choice->setToolTip(name);
    auto *facts = makeLabel(tr("Reading …"), "small");
    facts->setObjectName(QStringLiteral("modelFacts-") + shown);
    facts->setWordWrap(true);
    facts->setContentsMargins(3 * grid, 0, 0, 0);
    // Room for what will be said is kept, so that nothing jumps when it comes.
    constexpr int lines = 3;
    facts->setMinimumHeight(lines * QFontMetrics(smallFont()).lineSpacing());
    facts->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    auto *layout = new QVBoxLayout(frame);
    layout->setContentsMargins(grid * 3 / 2, grid, grid * 3 / 2, grid);
    layout->setSpacing(grid / 2);
    layout->addWidget(choice);
    layout->addWidget(facts);
    layout->addStretch(1);
    connect(choice, &QRadioButton::clicked, this, [this, name] { m_draft.setModel(name); });
    m_group->addButton(choice);
    m_cards.push_back({name, choice, facts});
    return frame;
}

void ModelCards::refresh() {
    for (const Card &card : m_cards) {
        if (card.name == m_draft.choices().model)
            card.choice->setChecked(true);
        const auto facts = std::ranges::find(m_facts, card.name, &Facts::name);
        if (facts != m_facts.end()) {
            card.facts->setText(textOf(*facts));
            setRole(card.facts, facts->error.isEmpty() ? "small" : "wrong");
        }
        card.choice->setAccessibleDescription(card.facts->text());
    }
}

QString ModelCards::textOf(const Facts &facts) {
    if (!facts.error.isEmpty())
        return breakable(facts.error);
    QStringList lines{tr("%1, %2 parameters")
                          .arg(tr("%n layer(s)", nullptr, static_cast<int>(facts.model->layers.size())),
                               formatCount(facts.model->parameterCount()))};
    if (facts.estimate) {
        const QString memory = formatBytes(facts.estimate->memoryBytes);
        lines << (facts.knowsRuntime ? tr("%1 of memory to train on this computer alone").arg(memory)
                                     : tr("about %1 of memory to train on this computer alone").arg(memory));
        lines << tr("about %1 for one round on this computer alone").arg(formatSeconds(facts.estimate->roundS));
    } else {
        lines << tr("at least %1 of memory to train").arg(formatBytes(facts.leastBytes));
        lines << tr("Time for one round: not measured here yet");
    }
    for (const Sentence &note : facts.notes)
        lines << breakable(coreText(note));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace hearth
