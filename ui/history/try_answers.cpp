#include "ui/history/try_answers.h"

#include <QFileInfo>
#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/base/icons.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int pictureSide = 6 * grid, lineHeight = 4 * grid;
constexpr std::size_t mostNamed = 3, mostInOrder = 16;

/// How certain an answer is, as a bar behind its number.
class CertaintyBar : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override {
        if (const QVariant part = index.data(Qt::UserRole); part.isValid()) {
            constexpr double half = 0.5 * grid;
            const double above = std::max(half, option.rect.height() / 2.0 - 1.5 * grid);
            QRectF bar = QRectF(option.rect).adjusted(half, above, -half, -above);
            bar.setWidth(bar.width() * part.toDouble());
            QColor fill = ThemeManager::instance().theme().accent;
            fill.setAlphaF(0.3F);
            painter->fillRect(bar, fill);
        }
        QStyledItemDelegate::paint(painter, option, index);
    }
};

}  // namespace

TryAnswers::TryAnswers(QWidget *parent) : QTableWidget(0, Columns, parent) {
    setObjectName(QStringLiteral("tryAnswers"));
    setAccessibleName(tr("Answers"));
    setItemDelegateForColumn(CertaintyColumn, new CertaintyBar(this));
    setIconSize(QSize(pictureSide, pictureSide));
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setShowGrid(false);
    setWordWrap(true);
    verticalHeader()->hide();
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(OthersColumn, QHeaderView::Stretch);
    setColumnWidth(AnswerColumn, 15 * grid);
    setColumnWidth(CertaintyColumn, 12 * grid);
    setColumnWidth(LabelColumn, 15 * grid);
    setColumnHidden(LabelColumn, true);
}

void TryAnswers::setRun(const AskedRun &run) {
    m_run = run;
    const bool arePictures = run.takes == AskedRun::Takes::Pictures;
    setHorizontalHeaderLabels({arePictures                           ? tr("Picture")
                               : run.takes == AskedRun::Takes::Texts ? tr("Text")
                                                                     : tr("Row"),
                               tr("Answer"), tr("Certainty"), run.isChoice() ? tr("Otherwise") : QString(),
                               tr("Label", "what the row itself says")});
    setColumnHidden(CertaintyColumn, !run.isChoice());
    setColumnWidth(NameColumn, (run.takes == AskedRun::Takes::Rows ? 20 : 28) * grid);
    verticalHeader()->setDefaultSectionSize(arePictures ? pictureSide + grid : lineHeight);
}

QTableWidgetItem *TryAnswers::set(int row, Column column, const QString &text) {
    auto *item = new QTableWidgetItem(text);
    item->setToolTip(text);
    setItem(row, column, item);
    return item;
}

void TryAnswers::add(const Answer &answer) {
    if (rowCount() >= mostShown)
        return;
    const int row = rowCount();
    insertRow(row);
    const bool isPicture = m_run.takes == AskedRun::Takes::Pictures;
    const bool isText = m_run.takes == AskedRun::Takes::Texts && !answer.broken;
    auto *name = set(row, NameColumn,
                     isPicture ? QFileInfo(answer.name).fileName()
                     : isText  ? answer.text
                               : answer.name);
    name->setToolTip(isPicture || isText || answer.broken ? answer.name : answer.text);
    if (answer.label) {
        set(row, LabelColumn, *answer.label);
        setColumnHidden(LabelColumn, false);
    }
    if (answer.broken) {
        set(row, AnswerColumn, QStringLiteral("–"));
        set(row, CertaintyColumn, {});
        set(row, OthersColumn, coreText(*answer.broken));
        return;
    }
    if (isPicture)
        name->setIcon(thumbnail(answer.picture, pictureSide, devicePixelRatioF()));
    setValues(row, answer);
}

QString TryAnswers::outputName(std::size_t output) const {
    if (m_run.answers == LossFacts::Answers::YesOrNo && m_run.isChoice())
        return output == 1 ? tr("yes") : tr("no");
    return m_run.outputName(output);
}

void TryAnswers::setValues(int row, const Answer &answer) {
    QStringList words;
    for (const std::size_t output : answer.told(m_run, mostNamed, mostInOrder)) {
        const double value = answer.values[output];
        words << (m_run.answers == LossFacts::Answers::Numbers
                      ? formatNumber(value)
                      : tr("%1 %2", "a class and how likely it is").arg(outputName(output), formatPercent(value)));
    }
    const QString first = words.takeFirst();
    if (m_run.isChoice()) {
        const std::size_t best = answer.likeliest(1).front();
        const double certainty = answer.values[best];
        set(row, AnswerColumn, outputName(best));
        set(row, CertaintyColumn, formatPercent(certainty))->setData(Qt::UserRole, certainty);
    } else {
        set(row, AnswerColumn, first);
        if (answer.values.size() > mostInOrder)
            words << QStringLiteral("…");
    }
    set(row, OthersColumn, words.join(QStringLiteral(" · ")));
}

}  // namespace hearth
