#include "ui/home/assistant_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QScrollArea>
#include <algorithm>

#include "ui/base/dialog_parts.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"

namespace hearth {
namespace {

struct VerdictLook {
    QString word;
    QString iconName;
    ThemeColour colour;
};

struct VerdictWords {
    Q_DECLARE_TR_FUNCTIONS(VerdictWords)
};

/// Never colour alone.
VerdictLook lookOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::Pending:
            return {VerdictWords::tr("Looking …"), QStringLiteral("clock"), &Theme::secondary};
        case Verdict::Ok:
            return {VerdictWords::tr("All right"), QStringLiteral("check"), &Theme::good};
        case Verdict::Warn:
            return {VerdictWords::tr("May be the reason"), QStringLiteral("warning"), &Theme::slow};
        case Verdict::Bad:
            return {VerdictWords::tr("Problem"), QStringLiteral("error"), &Theme::bad};
        case Verdict::Unknown:
            break;
    }
    return {VerdictWords::tr("Not known"), QStringLiteral("info"), &Theme::secondary};
}

QLabel *makeText(const char *role) {
    QLabel *label = makeLabel({}, role);
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

}  // namespace

class AssistantDialog::Row : public QWidget {
  public:
    Row()
        : m_icon(new IconLabel(QStringLiteral("clock"), &Theme::secondary, 2 * grid)),
          m_subject(makeText("strong")),
          m_verdict(makeLabel({}, "small")),
          m_finding(makeText("")),
          m_cure(makeText("secondary")),
          m_commandRow(new QWidget),
          m_command(new QLineEdit) {
        auto *copy = makeButton({}, {}, "");
        copy->setAccessibleName(AssistantDialog::tr("Copy the command"));
        copy->setToolTip(AssistantDialog::tr("Copy the command"));
        setThemedIcon(copy, QStringLiteral("copy"), &Theme::text);
        connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_command->text()); });
        m_command->setReadOnly(true);
        m_command->setAccessibleName(AssistantDialog::tr("Command for a terminal"));
        auto *command = new QHBoxLayout(m_commandRow);
        command->setContentsMargins(0, 0, 0, 0);
        command->setSpacing(grid / 2);
        command->addWidget(m_command, 1);
        command->addWidget(copy);

        auto *head = new QHBoxLayout;
        head->setSpacing(grid);
        head->addWidget(m_subject, 1);
        head->addWidget(m_verdict);
        auto *texts = new QVBoxLayout;
        texts->setSpacing(2);
        texts->addLayout(head);
        texts->addWidget(m_finding);
        texts->addWidget(m_cure);
        texts->addWidget(m_commandRow);
        auto *layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, grid / 2, grid, grid / 2);
        layout->setSpacing(grid);
        layout->addWidget(m_icon, 0, Qt::AlignTop);
        layout->addLayout(texts, 1);
    }

    void show(const Finding &finding) {
        m_told = finding;
        const VerdictLook look = lookOf(finding.verdict);
        setObjectName(QStringLiteral("finding-") + finding.id);
        m_icon->setIcon(look.iconName, look.colour);
        m_verdict->setText(look.word);
        for (const auto &[label, text] : {std::pair(m_subject, finding.subject), std::pair(m_finding, finding.finding),
                                          std::pair(m_cure, finding.cure)}) {
            label->setText(coreText(text));
            label->setVisible(!text.isEmpty());
        }
        m_command->setText(finding.command);
        m_command->setCursorPosition(0);
        m_commandRow->setVisible(!finding.command.isEmpty());
    }
    const Finding &told() const { return m_told; }
    QString details() const {
        QString text = QStringLiteral("%1 (%2): %3").arg(m_subject->text(), m_verdict->text(), m_finding->text());
        if (!m_told.cure.isEmpty())
            text += QLatin1Char(' ') + m_cure->text();
        if (!m_told.command.isEmpty())
            text += QStringLiteral("\n    ") + m_told.command;
        return text;
    }

  private:
    Finding m_told;
    IconLabel *m_icon;
    QLabel *m_subject, *m_verdict, *m_finding, *m_cure;
    QWidget *m_commandRow;
    QLineEdit *m_command;
};

AssistantDialog::AssistantDialog(HomeSource &home, QWidget *parent)
    : QDialog(parent),
      m_home(home),
      m_said(makeLabel({}, "")),
      m_again(makeButton(QStringLiteral("lookAgain"), tr("Look again"), "")) {
    setObjectName(QStringLiteral("assistantDialog"));
    setWindowTitle(tr("Why can’t I see my device?"));
    m_said->setObjectName(QStringLiteral("assistantSaid"));
    m_said->setWordWrap(true);
    auto *body = new QWidget;
    m_layout = new QVBoxLayout(body);
    // The ring of the focus lies around them, not over them.
    m_layout->setContentsMargins(grid, grid / 2, 0, grid / 2);
    m_layout->setSpacing(grid);
    m_layout->addStretch(1);
    m_scroll = makeScroll(QStringLiteral("assistantScroll"), body, Qt::StrongFocus);
    m_scroll->setAccessibleName(tr("What was looked at"));

    auto *copy = makeButton(QStringLiteral("copyFindings"), tr("Copy details"), "");
    auto *close = makeButton(QStringLiteral("closeAssistant"), tr("Close"), "primary");
    connect(m_again, &QPushButton::clicked, this, &AssistantDialog::look);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(details()); });
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    auto *buttons = new QHBoxLayout;
    buttons->addWidget(copy);
    buttons->addStretch(1);
    buttons->addWidget(m_again);
    buttons->addWidget(close);
    auto *layout = makeDialogLayout(this, grid * 3 / 2);
    layout->addWidget(m_said);
    layout->addWidget(m_scroll, 1);
    layout->addLayout(buttons);
    resize(80 * grid, 70 * grid);

    connect(&home, &HomeSource::finding, this, &AssistantDialog::take);
    connect(&home, &HomeSource::diagnosed, this, [this] {
        end(summary());
        showWorst();
    });
    connect(&home, &HomeSource::failed, this, [this](const Error &error) {
        if (m_isLooking)
            end(errorText(error));
    });
    look();
}

void AssistantDialog::look() {
    qDeleteAll(m_rows);
    m_rows.clear();
    m_isLooking = true;
    m_again->setEnabled(false);
    m_said->setText(tr("Looking at this computer and its network …"));
    m_home.diagnose();
}

void AssistantDialog::take(const Finding &finding) {
    const auto at = std::ranges::find_if(m_rows, [&](const Row *row) { return row->told().id == finding.id; });
    if (at != m_rows.end()) {
        (*at)->show(finding);
        return;
    }
    auto *row = new Row;
    row->show(finding);
    m_layout->insertWidget(static_cast<int>(m_rows.size()), row);
    m_rows.append(row);
}

void AssistantDialog::end(const QString &said) {
    m_isLooking = false;
    m_again->setEnabled(true);
    m_said->setText(said);
}

void AssistantDialog::showWorst() {
    for (const Verdict verdict : {Verdict::Bad, Verdict::Warn}) {
        const auto at = std::ranges::find_if(m_rows, [&](const Row *row) { return row->told().verdict == verdict; });
        if (at != m_rows.end()) {
            m_scroll->ensureWidgetVisible(*at, 0, 2 * grid);
            return;
        }
    }
}

QString AssistantDialog::summary() const {
    const auto count = [this](Verdict verdict) {
        return static_cast<int>(
            std::ranges::count_if(m_rows, [verdict](const Row *row) { return row->told().verdict == verdict; }));
    };
    if (const int bad = count(Verdict::Bad); bad > 0)
        return tr("%n problem(s) found. Each has a fix below.", nullptr, bad);
    if (const int odd = count(Verdict::Warn); odd > 0)
        return tr("No clear problem found. %n note(s) below may explain it.", nullptr, odd);
    return tr("No problems found on this computer. Check the other device, too: hearth devices --diagnose");
}

QString AssistantDialog::details() const {
    QStringList lines{m_said->text()};
    for (const Row *row : m_rows)
        lines << row->details();
    return lines.join(QLatin1Char('\n'));
}

}  // namespace hearth
