#include "ui/history/try_form.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <QScrollArea>

#include "core/data/preparation.h"
#include "core/inference/asked_run.h"
#include "ui/base/widgets.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

/// More of them scroll.
constexpr int shownFields = 6, fieldHeight = 5 * grid;

}  // namespace

TryForm::TryForm(const AskedRun &run, QWidget *parent) : QWidget(parent) {
    auto *fields = new QWidget;
    auto *rows = new QGridLayout(fields);
    rows->setContentsMargins(0, 0, grid, 0);
    rows->setSpacing(grid);
    const std::vector<TableColumn> &columns = run.preparation->tableColumns();
    for (qsizetype i = 0; i < run.columns().size(); ++i) {
        Field field{run.columns()[i]};
        const TableColumn *column = columns.empty() ? nullptr : &columns[static_cast<std::size_t>(i)];
        QWidget *widget = nullptr;
        if (column && !column->isNumber()) {
            widget = field.choice = new QComboBox;
            field.choice->addItems(QStringList{QString()} + column->categories);
        } else {
            widget = field.text = new QLineEdit;
            field.isNumber = column != nullptr;
            if (column)
                field.text->setPlaceholderText(tr("a number, on average %1").arg(formatNumber(column->mean)));
            connect(field.text, &QLineEdit::returnPressed, this, &TryForm::ask);
        }
        widget->setObjectName(QStringLiteral("tryField-%1").arg(field.name));
        widget->setAccessibleName(field.name);
        auto *label = makeLabel(withAmpersands(field.name), "");
        label->setBuddy(widget);
        if (i == 0)
            setFocusProxy(widget);
        rows->addWidget(label, static_cast<int>(i), 0);
        rows->addWidget(widget, static_cast<int>(i), 1);
        m_fields.push_back(field);
    }
    rows->setColumnStretch(1, 1);
    auto *scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    // The fields take the focus, and scroll into sight when they get it.
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(fields);
    scroll->setFixedHeight(fieldHeight * std::min(shownFields, static_cast<int>(m_fields.size())));
    auto *ask = makeButton(QStringLiteral("tryAsk"), tr("Ask"), "primary");
    connect(ask, &QPushButton::clicked, this, &TryForm::ask);
    auto *layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2 * grid);
    layout->addWidget(scroll, 1);
    layout->addWidget(ask, 0, Qt::AlignBottom);
}

void TryForm::ask() {
    QStringList typed;
    for (const Field &field : m_fields) {
        QString text = field.choice ? field.choice->currentText() : field.text->text();
        if (field.isNumber && !isMissing(text)) {
            const auto number = typedFraction(text, QLocale());
            if (!number) {
                field.text->setFocus();
                Q_EMIT refused(
                    tr("\"%1\" is not a number. Leave the field empty if you do not know the value.").arg(text));
                return;
            }
            text = QString::number(*number, 'g', 17);
        }
        typed << text;
    }
    Q_EMIT asked(typed);
}

}  // namespace hearth
