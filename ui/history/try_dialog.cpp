#include "ui/history/try_dialog.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QMimeData>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableWidget>

#include "core/base/background_task.h"
#include "core/inference/answer_table.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/home_source.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int pictureSide = 6 * grid;
constexpr std::size_t mostNamed = 3;
enum Column { PictureColumn, AnswerColumn, CertaintyColumn, OthersColumn, Columns };

/// How certain an answer is, as a bar behind its number.
class CertaintyBar : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        if (const QVariant part = index.data(Qt::UserRole); part.isValid()) {
            constexpr double half = 0.5 * grid;
            QRectF bar = QRectF(option.rect).adjusted(half, 2 * grid, -half, -2 * grid);
            bar.setWidth(bar.width() * part.toDouble());
            QColor fill = ThemeManager::instance().theme().accent;
            fill.setAlphaF(0.3F);
            painter->fillRect(bar, fill);
        }
        QStyledItemDelegate::paint(painter, option, index);
    }
};

QStringList pathsOf(const QMimeData *data) {
    QStringList paths;
    for (const QUrl &url : data->urls()) {
        if (url.isLocalFile())
            paths << url.toLocalFile();
    }
    return paths;
}

}  // namespace

TryDialog::TryDialog(Questions &questions, const QString &name, const QString &runFolder, QWidget *parent)
    : QDialog(parent),
      m_questions(questions),
      m_told(makeLabel({}, "secondary")),
      m_table(makeTable()),
      m_file(makeButton(QStringLiteral("tryFile"), tr("Picture …"), "")),
      m_folder(makeButton(QStringLiteral("tryFolder"), tr("Folder …"), "")),
      m_save(makeButton(QStringLiteral("trySave"), tr("Save table …"), "")) {
    setObjectName(QStringLiteral("tryDialog"));
    setWindowTitle(tr("Try %1").arg(name));
    m_told->setObjectName(QStringLiteral("tryTold"));
    m_told->setWordWrap(true);
    auto *close = makeButton(QStringLiteral("tryClose"), tr("Close"), "");
    auto *layout = makeDialogLayout(this);
    layout->addWidget(m_told);
    layout->addWidget(m_table, 1);
    layout->addLayout(makeButtonRow({m_file, m_folder, m_save, close}));
    resize(90 * grid, 64 * grid);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_file, &QPushButton::clicked, this, [this] {
        if (const QString path = m_questions.askOpenFile(this, tr("Choose a picture"), tr("All files (*)"));
            !path.isEmpty())
            look({path});
    });
    connect(m_folder, &QPushButton::clicked, this, [this] {
        if (const QString path = m_questions.askOpenFolder(this, tr("Choose a folder of pictures")); !path.isEmpty())
            look({path});
    });
    connect(m_save, &QPushButton::clicked, this, &TryDialog::save);
    if (auto opened = AskedRun::open(runFolder)) {
        m_inference = std::make_unique<RunInference>(std::move(*opened));
        connect(m_inference.get(), &RunInference::answered, this, &TryDialog::take);
        connect(m_inference.get(), &RunInference::finished, this, &TryDialog::tellProgress);
        connect(m_inference.get(), &RunInference::failed, this, [this](const Error &error) {
            tell(errorText(error), true);
            refresh();
        });
        tell(tr("Drop pictures here, or a folder of them. This computer answers; nothing leaves it."), false);
    } else {
        tell(errorText(opened.error()), true);
    }
    refresh();
}

TryDialog::~TryDialog() = default;

QTableWidget *TryDialog::makeTable() {
    auto *table = new QTableWidget(0, Columns, this);
    table->setObjectName(QStringLiteral("tryAnswers"));
    table->setAccessibleName(tr("Answers"));
    table->setHorizontalHeaderLabels({tr("Picture"), tr("Answer"), tr("Certainty"), tr("Otherwise")});
    table->setItemDelegateForColumn(CertaintyColumn, new CertaintyBar(table));
    table->setIconSize(QSize(pictureSide, pictureSide));
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setShowGrid(false);
    table->setWordWrap(true);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(pictureSide + grid);
    table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(OthersColumn, QHeaderView::Stretch);
    table->setColumnWidth(PictureColumn, 28 * grid);
    table->setColumnWidth(AnswerColumn, 16 * grid);
    table->setColumnWidth(CertaintyColumn, 12 * grid);
    return table;
}

void TryDialog::dragEnterEvent(QDragEnterEvent *event) {
    if (pathsOf(event->mimeData()).isEmpty())
        return;
    event->acceptProposedAction();
    setRole(m_table, "drop");
}

void TryDialog::dragLeaveEvent(QDragLeaveEvent *) {
    setRole(m_table, "");
}

void TryDialog::dropEvent(QDropEvent *event) {
    setRole(m_table, "");
    event->acceptProposedAction();
    look(pathsOf(event->mimeData()));
}

void TryDialog::look(const QStringList &paths) {
    tell(tr("Looking for pictures …"), false);
    m_looking = std::make_unique<BackgroundTask>();
    m_looking->start<std::shared_ptr<SampleSource>>(
        this, [paths, run = m_inference->run()] { return run.files(paths); },
        [this](const std::shared_ptr<SampleSource> &source) {
            m_inference->ask(source);
            refresh();
        },
        [this](const Error &error) {
            tell(errorText(error), true);
            refresh();
        });
    refresh();
}

void TryDialog::take(const Answer &prediction) {
    const int row = m_table->rowCount();
    m_table->insertRow(row);
    const auto set = [&](Column column, const QString &text) {
        auto *item = new QTableWidgetItem(text);
        item->setToolTip(column == PictureColumn ? prediction.name : text);
        m_table->setItem(row, column, item);
        return item;
    };
    auto *file = set(PictureColumn, QFileInfo(prediction.name).fileName());
    if (prediction.broken) {
        set(AnswerColumn, QStringLiteral("–"));
        set(CertaintyColumn, {});
        set(OthersColumn, coreText(*prediction.broken));
    } else {
        file->setIcon(QPixmap::fromImage(prediction.picture)
                          .scaled(pictureSide, pictureSide, Qt::KeepAspectRatio, Qt::SmoothTransformation));
        const bool numbers = m_inference->run().answers == LossFacts::Answers::Numbers;
        QStringList others;
        for (const std::size_t output : prediction.likeliest(mostNamed)) {
            const double value = prediction.values[output];
            const QString name = m_inference->run().outputName(output),
                          text = numbers ? formatNumber(value) : formatPercent(value);
            if (m_table->item(row, AnswerColumn)) {
                others << tr("%1 %2", "a class and how likely it is").arg(name, text);
                continue;
            }
            set(AnswerColumn, name);
            auto *certainty = set(CertaintyColumn, text);
            if (!numbers)
                certainty->setData(Qt::UserRole, value);
        }
        set(OthersColumn, others.join(QStringLiteral(" · ")));
    }
    m_answers.push_back(prediction);
    m_answers.back().picture = {};
    refresh();
}

void TryDialog::tell(const QString &text, bool wrong) {
    m_told->setText(breakable(text));
    setRole(m_told, wrong ? "wrong" : "secondary");
}

void TryDialog::tellProgress() {
    tell(tr("%n picture(s) answered, as the network sees them.", nullptr, static_cast<int>(m_answers.size())), false);
}

void TryDialog::save() {
    const QString path = m_questions.askSaveFile(this, tr("Save the answers"), tr("Tables (*.csv)"));
    if (path.isEmpty())
        return;
    AnswerTable table(m_inference->run(), path);
    auto written = table.begin({});
    for (const Answer &answer : m_answers) {
        if (written)
            written = table.add(answer);
    }
    if (written)
        written = table.finish();
    if (!written)
        tell(errorText(written.error()), true);
    else
        tell(tr("The answers are in %1.").arg(path), false);
}

void TryDialog::refresh() {
    const bool isLooking = m_looking && m_looking->isRunning();
    setAcceptDrops(m_inference && !m_inference->isOver() && !isLooking);
    for (QPushButton *button : {m_file, m_folder})
        button->setEnabled(acceptDrops());
    m_save->setEnabled(!m_answers.empty());
}

}  // namespace hearth
