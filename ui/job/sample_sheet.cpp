#include "ui/job/sample_sheet.h"

#include <QFileInfo>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>
#include <utility>

#include "core/base/background_task.h"
#include "core/base/one_line.h"
#include "core/base/post_to.h"
#include "core/data/data_registry.h"
#include "core/data/dataset.h"
#include "ui/base/widgets.h"
#include "ui/job/part_of_job.h"
#include "ui/job/sample_words.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr int side = sampleSide;
constexpr int gap = grid / 2;
constexpr qsizetype mostClassLetters = 200;
constexpr qsizetype mostClasses = 20;  // that are named

/// Of several sets the first that is here.
QString shownOf(const Job &job) {
    const auto sources = job.dataSources();
    const auto here = std::ranges::find_if(sources, &DataSource::isHere);
    return here != sources.end() ? here->name : job.dataText();
}

}  // namespace

SampleSheet::SampleSheet(QWidget *parent) : QWidget(parent) {
    setObjectName(QStringLiteral("sampleSheet"));
    setAccessibleName(tr("Samples of the data"));
    QSizePolicy policy(QSizePolicy::Expanding, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

SampleSheet::~SampleSheet() = default;

SampleSheet::Wanted SampleSheet::Wanted::of(const Job &job, const Model *model) {
    Wanted wanted;
    wanted.job = partOf(job, &Job::data, &Job::input, &Job::fit, &Job::augment, &Job::validation);
    // Nothing else is random.
    if (job.validation > 0 || !job.augment.isNone())
        wanted.job.seed = job.seed;
    if (model != nullptr)
        wanted.inputs = model->inputs;
    return wanted;
}

void SampleSheet::load(const Job &job, const Model *model) {
    Wanted wanted = Wanted::of(job, model);
    if (wanted != m_wanted) {
        if (model != nullptr)
            wanted.model = std::make_shared<Model>(*model);
        m_wanted = std::move(wanted);
    }
    loadWanted();
}

CountedSamples SampleSheet::countedFor(const Job &job, const Model *model) const {
    return Wanted::of(job, model) == m_shown ? m_counted : CountedSamples();
}

void SampleSheet::loadWanted() {
    const QString name = shownOf(m_wanted.job);
    if (m_loading && m_loading->isRunning()) {
        // Another way to see the same set needs what is being read.
        if (name != shownOf(m_shown.job))
            m_loading->giveUp();
        return;
    }
    const auto [readName, read] = std::exchange(m_read, {});
    const bool isRead = read && readName == name;
    const bool isNew = m_wanted != m_shown || !m_isKnown || isRead;
    if (!std::exchange(m_looksAgain, false) && !isNew)
        return;
    if (isRead)
        m_data = read;
    else if (name != shownOf(m_shown.job) || !m_isKnown)
        m_data.reset();
    m_shown = m_wanted;
    m_isKnown = true;
    if (isNew)
        beginReading();
    m_loading = std::make_unique<BackgroundTask>();
    m_loading->start<DataGlance>(
        this,
        [this, asked = Look{m_shown, m_data, isRead ? std::nullopt : std::optional(m_times), isNew},
         cancelled = m_loading->cancelled()] {
            return look(asked, [&cancelled](qint64, qint64) { return !*cancelled; });
        },
        [this](const DataGlance &glance) {
            if (glance.data) {
                // A list of files or rows takes little room; pixels would stay in memory.
                const bool isList = glance.data->hasOwnSizes() || !glance.data->columns().isEmpty();
                m_data = isList ? glance.data : nullptr;
                if (m_wanted == m_shown)
                    take(glance);
            }
            goOn();
        },
        [this](const Error &error) {
            m_data.reset();
            if (*m_loading->cancelled()) {
                // It may be wanted after all by now.
                m_isKnown = false;
            } else if (m_wanted == m_shown) {
                m_wrong = true;
                take({});
                Q_EMIT told(errorText(error), true);
            }
            goOn();
        });
}

Result<DataGlance> SampleSheet::look(const Look &asked, const CheckProgress &progress) {
    const Wanted &shown = asked.wanted;
    const QString name = shownOf(shown.job);
    const FileTimes times = timesOf(name);
    const bool isSame = times == asked.times.value_or(times) && !(asked.known && asked.known->hasChanged());
    if (isSame && !asked.isNew)
        return DataGlance();
    postTo(this, [this, times, isNew = asked.isNew] {
        m_times = times;
        if (!isNew)
            beginReading();
    });
    if (isSame && asked.known)
        return glanceAt(shown.job, shown.model.get(), asked.known, progress);
    if (const auto first = firstGlance(name, progress)) {
        postTo(this, [this, shown, first = *first] {
            if (m_wanted == shown)
                take(first);
        });
    }
    return loadDataset(name, progress)
        .and_then([&progress](const std::shared_ptr<const Dataset> &loaded) { return withoutGone(loaded, progress); })
        .and_then([&](const std::shared_ptr<const Dataset> &loaded) {
            return glanceAt(shown.job, shown.model.get(), loaded, progress);
        });
}

void SampleSheet::beginReading() {
    m_wrong = false;
    m_shape.reset();
    m_counted = {};
    Q_EMIT told(tr("Reading the data …"), false);
}

void SampleSheet::goOn() {
    QMetaObject::invokeMethod(
        this, [this] { loadWanted(); }, Qt::QueuedConnection);
}

void SampleSheet::lookAgain() {
    // What is not known is read anyway.
    if (!m_isKnown)
        return;
    m_looksAgain = true;
    loadWanted();
}

SampleSheet::FileTimes SampleSheet::timesOf(const QString &nameOrPath) {
    const QFileInfo file(builtinDatasets().contains(nameOrPath) ? datasetFolder(nameOrPath)
                                                                : pathOfDataset(nameOrPath).value_or(nameOrPath));
    return {file.lastModified(), QFileInfo(file.path()).lastModified()};
}

void SampleSheet::showEvent(QShowEvent *event) {
    QWidget::showEvent(event);
    // What was wrong may lie where no time tells of it.
    if (m_wrong)
        m_isKnown = false;
    lookAgain();
}

void SampleSheet::take(const DataGlance &glance) {
    m_pictures = glance.samples;
    m_labels = glance.labels;
    m_rows = glance.rows;
    if (!m_rows.isEmpty())
        m_rows.prepend(glance.columns);
    setAccessibleDescription(m_rows.isEmpty() ? picturesInWords(m_labels) : rowsInWords(m_rows));
    updateGeometry();
    update();
    m_counted = glance.counted;
    m_shape.reset();
    if (glance.training > 0)
        m_shape = glance.shape;
    if (glance.training > 0)
        Q_EMIT told(factsOf(glance), false);
}

QString SampleSheet::factsOf(const DataGlance &glance) {
    const QString training = formatCount(glance.training), test = formatCount(glance.test);
    QStringList classes = glance.classes;
    if (classes.size() > mostClasses)
        classes = classes.first(mostClasses) << QStringLiteral("…");
    const QString named = oneLine(classes.join(QStringLiteral(", ")), mostClassLetters);
    if (!glance.columns.isEmpty() && glance.classes.isEmpty())
        return tr("%1 rows to train, %2 to test, with a quantity to learn").arg(training, test);
    if (!glance.columns.isEmpty()) {
        return tr("%1 rows to train, %2 to test, in %n class(es): %3", nullptr, static_cast<int>(glance.classes.size()))
            .arg(training, test, named);
    }
    if (!glance.pictures) {
        QStringList parts;
        for (const DataPart &part : glance.shape.parts)
            parts << part.name;
        return tr("%1 samples to train, %2 to test, of %3").arg(training, test, parts.join(QStringLiteral(", ")));
    }
    const QString size =
        glance.shape.ownSizes
            ? tr("of any size")
            : tr("%1×%2 pixels").arg(formatCount(glance.shape.sample[2]), formatCount(glance.shape.sample[1]));
    QStringList facts{tr("%1 pictures to train, %2 to test, %3, in %n class(es): %4", nullptr,
                         static_cast<int>(glance.classes.size()))
                          .arg(training, test, size, named)};
    if (glance.leftOut > 0 || glance.gone > 0)
        facts.front() += QLatin1Char('.');
    if (glance.leftOut > 0)
        facts << tr("%n file(s) are left out. “Check again” names them (“Your data …” → “Check or remove …”).", nullptr,
                    static_cast<int>(glance.leftOut));
    if (glance.gone > 0)
        facts << tr(
            "%n file(s) are gone. “Check again” removes them from the list (“Your data …” → “Check or remove "
            "…”).",
            nullptr, static_cast<int>(glance.gone));
    return facts.join(QLatin1Char(' '));
}

int SampleSheet::columns(int width) const {
    return std::max(1, (width + gap) / (side + gap));
}

QSize SampleSheet::sizeHint() const {
    constexpr int usual = 10;
    return {usual * (side + gap) - gap, heightForWidth(usual * (side + gap) - gap)};
}

int SampleSheet::heightForWidth(int width) const {
    if (!m_rows.isEmpty())
        return static_cast<int>(m_rows.size()) * fontMetrics().lineSpacing();
    const int count = static_cast<int>(m_pictures.size());
    const int rows = (std::max(count, 1) + columns(width) - 1) / columns(width);
    return rows * (side + gap) - gap;
}

void SampleSheet::paintRows(QPainter &painter) {
    const int cell = width() / static_cast<int>(shownFields(m_rows.front()).size());
    const int line = fontMetrics().lineSpacing();
    for (qsizetype row = 0; row < m_rows.size(); ++row) {
        painter.setPen(palette().color(row == 0 ? QPalette::PlaceholderText : QPalette::Text));
        const QStringList fields = shownFields(m_rows[row]);
        for (qsizetype i = 0; i < fields.size(); ++i) {
            const QRect place(static_cast<int>(i) * cell, static_cast<int>(row) * line, cell - gap, line);
            painter.drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                             fontMetrics().elidedText(fields[i], Qt::ElideRight, place.width()));
        }
    }
}

void SampleSheet::paintEvent(QPaintEvent *) {
    QPainter painter(this);
    if (!m_rows.isEmpty()) {
        paintRows(painter);
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform);
    const int perRow = columns(width());
    for (std::size_t i = 0; i < m_pictures.size(); ++i) {
        const int at = static_cast<int>(i);
        QRect cell((at % perRow) * (side + gap), (at / perRow) * (side + gap), side, side);
        const QPoint centre = cell.center();
        cell.setSize(m_pictures[i].size().scaled(cell.size(), Qt::KeepAspectRatio));
        cell.moveCenter(centre);
        painter.drawImage(cell, m_pictures[i]);
    }
}

bool SampleSheet::event(QEvent *event) {
    if (event->type() == QEvent::ToolTip) {
        const auto *help = static_cast<QHelpEvent *>(event);
        const int at = help->pos().y() / (side + gap) * columns(width()) + help->pos().x() / (side + gap);
        if (at >= 0 && at < m_labels.size())
            QToolTip::showText(help->globalPos(), m_labels[at], this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace hearth
