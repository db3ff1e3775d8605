#include "ui/run/facts_view.h"

#include <QAction>
#include <QClipboard>
#include <QGridLayout>
#include <QGuiApplication>
#include <QKeyEvent>

#include "ui/base/widgets.h"
#include "ui/words/format.h"

namespace hearth {

namespace {

constexpr qsizetype longText = 60;

/// Gives out what it shows without the places where it may wrap: a run's id is typed into a terminal.
class ValueLabel : public QLabel {
  public:
    ValueLabel() {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setAlignment(Qt::AlignLeft | Qt::AlignTop);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        auto *copy = new QAction(FactsView::tr("Copy"), this);
        connect(copy, &QAction::triggered, this, [this] { giveOut(QClipboard::Clipboard); });
        addAction(copy);
        setContextMenuPolicy(Qt::ActionsContextMenu);
    }

  protected:
    void keyPressEvent(QKeyEvent *event) override {
        if (event->matches(QKeySequence::Copy))
            giveOut(QClipboard::Clipboard);
        else
            QLabel::keyPressEvent(event);
    }
    void mouseReleaseEvent(QMouseEvent *event) override {
        QLabel::mouseReleaseEvent(event);
        giveOut(QClipboard::Selection);
    }

  private:
    void giveOut(QClipboard::Mode mode) const {
        if (hasSelectedText() && (mode == QClipboard::Clipboard || QGuiApplication::clipboard()->supportsSelection()))
            QGuiApplication::clipboard()->setText(selectedText().remove(zeroWidthSpace), mode);
    }
};

bool sameShape(const std::vector<FactSection> &a, const std::vector<FactSection> &b) {
    const auto sameFact = [](const Fact &one, const Fact &other) {
        return one.label == other.label && one.values.size() == other.values.size();
    };
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](const FactSection &one, const FactSection &other) {
        return one.title == other.title &&
               std::equal(one.facts.begin(), one.facts.end(), other.facts.begin(), other.facts.end(), sameFact);
    });
}

}  // namespace

FactsView::FactsView(QWidget *parent) : QScrollArea(parent) {
    setObjectName(QStringLiteral("historyFacts"));
    setAccessibleName(tr("Facts about the run"));
    setWidgetResizable(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setFocusPolicy(Qt::StrongFocus);
}

void FactsView::show(const std::vector<FactSection> &sections) {
    const bool same = m_body != nullptr && sameShape(m_sections, sections);
    m_sections = sections;
    if (!same)
        rebuild();
    fill();
}

void FactsView::rebuild() {
    m_values.clear();
    m_body = new QWidget;
    auto *layout = new QGridLayout(m_body);
    layout->setContentsMargins(0, 0, grid * 3 / 2, grid);
    layout->setHorizontalSpacing(2 * grid);
    layout->setVerticalSpacing(grid / 2);
    int row = 0, columns = 1;
    for (const FactSection &section : m_sections) {
        if (section.facts.empty())
            continue;
        auto *title = makeLabel(section.title, "strong");
        title->setContentsMargins(0, row > 0 ? grid : 0, 0, 0);
        layout->addWidget(title, row++, 0, 1, -1);
        for (const Fact &fact : section.facts) {
            // Long texts get the whole width, under their label.
            const bool wide = fact.values.size() == 1 && fact.values.constFirst().size() > longText;
            if (!fact.label.isEmpty()) {
                auto *label = makeLabel(fact.label, "small");
                label->setAlignment(Qt::AlignLeft | Qt::AlignTop);
                label->setWordWrap(true);
                layout->addWidget(label, row, 0, 1, wide ? -1 : 1);
                row += wide ? 1 : 0;
            }
            for (qsizetype i = 0; i < fact.values.size(); ++i) {
                auto *value = new ValueLabel;
                layout->addWidget(value, row, wide ? 0 : 1 + static_cast<int>(i), 1, wide ? -1 : 1);
                m_values.push_back(value);
            }
            columns = std::max(columns, static_cast<int>(fact.values.size()));
            ++row;
        }
    }
    layout->setRowStretch(row, 1);
    layout->setColumnStretch(0, 2);
    for (int i = 1; i <= columns; ++i)
        layout->setColumnStretch(i, 3);
    m_body->setFixedWidth(viewport()->width());
    setWidget(m_body);
}

void FactsView::resizeEvent(QResizeEvent *event) {
    QScrollArea::resizeEvent(event);
    // Whatever words want: there is no scrolling sideways.
    if (m_body != nullptr)
        m_body->setFixedWidth(viewport()->width());
}

void FactsView::fill() {
    std::size_t at = 0;
    for (const FactSection &section : m_sections) {
        for (const Fact &fact : section.facts) {
            for (const QString &text : fact.values) {
                QLabel *value = m_values[at++];
                value->setText(breakable(text));
                value->setAccessibleName(fact.label.isEmpty() ? text : QStringLiteral("%1: %2").arg(fact.label, text));
                setRole(value, fact.differs() ? "strong" : "");
            }
        }
    }
}

QStringList FactsView::valuesOf(const QString &label) const {
    std::size_t at = 0;
    for (const FactSection &section : m_sections) {
        for (const Fact &fact : section.facts) {
            QStringList texts;
            for (qsizetype i = 0; i < fact.values.size(); ++i)
                texts << m_values[at++]->text().remove(zeroWidthSpace);
            if (fact.label == label)
                return texts;
        }
    }
    return {};
}

}  // namespace hearth
