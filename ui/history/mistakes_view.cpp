#include "ui/history/mistakes_view.h"

#include <QButtonGroup>
#include <QFileInfo>
#include <QListWidget>
#include <QScrollArea>
#include <cmath>

#include "core/base/background_task.h"
#include "ui/base/icons.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int pictureSide = 8 * grid, leastMatrix = 22 * grid;
constexpr qsizetype mostLetters = 200;
constexpr std::size_t mostSteps = 6;

QString onOneLine(const QStringList &fields) {
    return fields.join(QStringLiteral(" · ")).simplified().left(mostLetters);
}

}  // namespace

MistakesView::MistakesView(QWidget *parent)
    : QWidget(parent),
      m_told(makeLabel({}, "secondary")),
      m_hardest(makeButton(QStringLiteral("mistakesHardest"), tr("Hardest"), "segment")),
      m_followed(makeButton(QStringLiteral("mistakesFollowed"), tr("Followed"), "segment")),
      m_body(new QWidget),
      m_matrix(new ConfusionMatrix),
      m_scroll(new QScrollArea),
      m_caption(makeLabel({}, "small")),
      m_list(new QListWidget) {
    setObjectName(QStringLiteral("mistakesView"));
    m_told->setObjectName(QStringLiteral("mistakesTold"));
    m_told->setWordWrap(true);
    m_told->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_caption->setObjectName(QStringLiteral("mistakesCaption"));
    m_caption->setWordWrap(true);
    m_list->setObjectName(QStringLiteral("mistakesSamples"));
    m_list->setAccessibleName(tr("Samples"));
    m_list->setIconSize(QSize(pictureSide, pictureSide));
    m_list->setWordWrap(true);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_hardest->setToolTip(tr("The samples with the highest loss"));
    m_followed->setToolTip(tr("What the network said of the same samples, evaluation by evaluation"));
    auto *chosen = new QButtonGroup(this);
    for (QPushButton *button : {m_hardest, m_followed}) {
        button->setCheckable(true);
        chosen->addButton(button);
    }
    connect(m_hardest, &QPushButton::clicked, this, &MistakesView::showHardest);
    connect(m_followed, &QPushButton::clicked, this, &MistakesView::showFollowed);
    connect(m_matrix, &ConfusionMatrix::chosen, this, &MistakesView::showCell);
    m_scroll->setObjectName(QStringLiteral("mistakesScroll"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setWidgetResizable(true);
    // The matrix takes the focus, and its keys move what is seen.
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setMinimumSize(leastMatrix, leastMatrix);
    m_scroll->setWidget(m_matrix);

    auto *head = new QHBoxLayout;
    head->setSpacing(grid);
    head->addWidget(m_hardest);
    head->addWidget(m_followed);
    head->addWidget(m_caption, 1);
    auto *samples = new QWidget;
    auto *samplesLayout = new QVBoxLayout(samples);
    samplesLayout->setContentsMargins(grid, 0, 0, 0);
    samplesLayout->setSpacing(grid);
    samplesLayout->addLayout(head);
    samplesLayout->addWidget(m_list, 1);
    auto *body = new QHBoxLayout(m_body);
    body->setContentsMargins(0, 0, 0, 0);
    body->addWidget(m_scroll, 1);
    body->addWidget(samples, 1);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid);
    layout->addWidget(m_told);
    layout->addWidget(m_body, 1);
}

MistakesView::~MistakesView() = default;

void MistakesView::show(const QString &runFolder) {
    if (runFolder != m_folder) {
        m_loading.reset();
        m_reading.reset();
        m_results.reset();
        m_read.reset();
        tell({}, false);
        m_body->hide();
    }
    m_folder = runFolder;
    if (isVisible())
        load();
}

void MistakesView::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    load();
}

void MistakesView::load() {
    const QDateTime written = QFileInfo(m_folder + QLatin1Char('/') + EvaluationDetails::fileName()).lastModified();
    if (m_folder.isEmpty() || m_read == written || (m_loading && m_loading->isRunning()))
        return;
    m_read = written;
    if (!m_results)
        tell(tr("Reading the results …"), false);
    m_loading = std::make_unique<BackgroundTask>();
    m_loading->start<RunResults>(
        this, [folder = m_folder] { return RunResults::load(folder); },
        [this](const RunResults &results) {
            take(results);
            load();  // there may be new ones by now
        },
        [this](const Error &error) {
            m_body->hide();
            tell(errorText(error), error.code != QLatin1String("run.no-evaluation"));
        });
}

void MistakesView::tell(const QString &text, bool wrong) {
    m_told->setText(text);
    setRole(m_told, wrong ? "wrong" : "secondary");
}

void MistakesView::take(const RunResults &results) {
    const bool isNew = !m_results || m_results->details.round != results.details.round;
    m_results = results;
    const EvaluationDetails &details = m_results->details;
    const QString round = formatCount(details.round), samples = formatCount(details.samples);
    QString text = details.split == QLatin1String("validation")
                       ? tr("After round %1, of %2 samples of the validation set.").arg(round, samples)
                       : tr("After round %1, of %2 samples of the test set.").arg(round, samples);
    if (m_results->unseen)
        text +=
            QLatin1Char(' ') + tr("The samples cannot be shown:") + QLatin1Char(' ') + errorText(*m_results->unseen);
    else if (details.classes.size() > ConfusionMatrix::mostClasses)
        text +=
            QLatin1Char(' ') + tr("The %1 classes with the most mistakes are shown.").arg(ConfusionMatrix::mostClasses);
    tell(text, m_results->unseen.has_value());
    if (!isNew)
        return;
    QStringList names;
    for (const auto &[number, each] : details.classes) {
        names.resize(std::max(names.size(), qsizetype{number} + 1));
        names[number] = className(number);
    }
    m_matrix->show(details, names);
    m_scroll->setVisible(m_results->answers == LossFacts::Answers::Classes && m_matrix->shownClasses() > 1);
    m_followed->setVisible(!details.watched.empty());
    m_body->show();
    m_followed->isChecked() && m_followed->isVisibleTo(this) ? showFollowed() : showHardest();
}

QString MistakesView::className(int number) const {
    if (m_results->answers == LossFacts::Answers::YesOrNo)
        return number == 1 ? tr("yes") : tr("no");
    return m_results->className(number);
}

QString MistakesView::said(double value) const {
    return m_results->answers == LossFacts::Answers::Numbers ? formatNumber(value) : className(static_cast<int>(value));
}

QString MistakesView::textOf(const JudgedSample &one) const {
    QString loss = tr("loss %1").arg(formatLoss(one.loss));
    if (!one.hasAnswer())
        return loss;
    if (m_results->answers == LossFacts::Answers::Numbers)
        return tr("%1 instead of %2", "two numbers").arg(said(one.answer), said(one.label)) + QStringLiteral(" · ") +
               loss;
    const QString certainty = formatPercent(one.certainty);
    return (one.isWrong ? tr("%1, taken for %2 (%3)", "two classes, how certain")
                              .arg(said(one.label), said(one.answer), certainty)
                        : tr("%1, right (%2)", "a class, how certain").arg(said(one.label), certainty)) +
           QStringLiteral(" · ") + loss;
}

QString MistakesView::followedText(qint64 sample) const {
    QStringList steps;
    QString label;
    const auto &watched = m_results->details.watched;
    for (std::size_t i = watched.size() - std::min(watched.size(), mostSteps); i < watched.size(); ++i) {
        const auto found = std::ranges::find(watched[i].samples, sample, &JudgedSample::sample);
        if (found == watched[i].samples.end())
            continue;
        if (found->hasAnswer())
            label = said(found->label);
        const QString answer = found->hasAnswer() ? said(found->answer) : formatLoss(found->loss);
        steps << (std::isfinite(found->certainty)
                      ? tr("%1 %2", "a class and how likely it is").arg(answer, formatPercent(found->certainty))
                      : answer);
    }
    const QString said = steps.join(QStringLiteral(" → "));
    return label.isEmpty() ? said : tr("%1: %2", "a class, and what was answered").arg(label, said);
}

void MistakesView::showHardest() {
    m_hardest->setChecked(true);
    m_matrix->choose({});
    QStringList texts;
    for (const JudgedSample &one : m_results->details.hardest)
        texts << textOf(one);
    list(tr("The highest losses"), m_results->details.hardest, texts);
}

void MistakesView::showFollowed() {
    m_followed->setChecked(true);
    m_matrix->choose({});
    const std::vector<JudgedSample> &last = m_results->details.watched.back().samples;
    QStringList texts;
    for (const JudgedSample &one : last)
        texts << followedText(one.sample);
    list(tr("The last %n evaluation(s)", nullptr,
            static_cast<int>(std::min(mostSteps, m_results->details.watched.size()))),
         last, texts);
}

void MistakesView::showCell(const ConfusionMatrix::Cell &cell) {
    const QRect place = m_matrix->rectOf(cell);
    m_scroll->ensureVisible(place.center().x(), place.center().y(), place.width(), place.height());
    auto *group = m_hardest->group();
    group->setExclusive(false);
    m_hardest->setChecked(false);
    m_followed->setChecked(false);
    group->setExclusive(true);
    const auto found = m_results->details.confused.find({cell.label, cell.answer});
    if (cell.label == cell.answer || found == m_results->details.confused.end()) {
        const qint64 right = cell.label == cell.answer ? m_results->details.classes.at(cell.label).right : 0;
        list(cell.label == cell.answer
                 ? tr("%1: %2 are right", "a class, a count").arg(className(cell.label), formatCount(right))
                 : tr("%1 is never taken for %2", "two classes").arg(className(cell.label), className(cell.answer)),
             {}, {});
        return;
    }
    QStringList texts;
    for (const JudgedSample &one : found->second.examples)
        texts << textOf(one);
    list(tr("%1, taken for %2: %3 of them", "two classes, a count")
             .arg(className(cell.label), className(cell.answer), formatCount(found->second.count)),
         found->second.examples, texts);
}

void MistakesView::list(const QString &caption, const std::vector<JudgedSample> &samples, const QStringList &texts) {
    m_reading.reset();
    m_caption->setText(caption);
    m_list->clear();
    m_list->addItems(texts);
    if (samples.empty() || !m_results->samples)
        return;
    m_reading = std::make_unique<BackgroundTask>();
    using Seen = std::vector<Result<SeenSample>>;
    m_reading->start<Seen>(
        this,
        [samples, from = m_results->samples, cancelled = m_reading->cancelled(),
         side = static_cast<int>(pictureSide * devicePixelRatioF())]() -> Result<Seen> {
            Seen seen;
            for (const JudgedSample &one : samples) {
                if (!cancelled->load())
                    seen.push_back(from->read(one.sample, side));
            }
            return seen;
        },
        [this](const Seen &seen) {
            for (std::size_t i = 0; i < seen.size(); ++i) {
                QListWidgetItem *item = m_list->item(static_cast<int>(i));
                if (!seen[i]) {
                    item->setText(item->text() + QLatin1Char('\n') + errorText(seen[i].error()));
                    continue;
                }
                if (!seen[i]->picture.isNull())
                    item->setIcon(thumbnail(seen[i]->picture, pictureSide, devicePixelRatioF()));
                if (!seen[i]->fields.isEmpty())
                    item->setText(item->text() + QLatin1Char('\n') + onOneLine(seen[i]->fields));
                item->setToolTip(seen[i]->file);
            }
        },
        [](const Error &) {});
}

}  // namespace hearth
