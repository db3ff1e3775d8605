#include "ui/job/known_data.h"

#include <QListWidget>
#include <algorithm>

#include "core/base/background_task.h"
#include "core/data/data_registry.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/job/left_out_list.h"
#include "ui/job/look_progress.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

KnownDataDialog::KnownDataDialog(Questions &questions, const QString &selected, QWidget *parent)
    : QDialog(parent),
      m_questions(questions),
      m_names(new QListWidget),
      m_told(makeLabel({}, "secondary")),
      m_progress(new LookProgress(QStringLiteral("knownDataProgress"))),
      m_leftOut(new LeftOutList(QStringLiteral("knownDataLeftOut"))),
      m_check(makeButton(QStringLiteral("knownDataCheck"), tr("Check again"), "primary")),
      m_remove(makeButton(QStringLiteral("knownDataRemove"), tr("Remove"), "")) {
    setObjectName(QStringLiteral("knownDataDialog"));
    setWindowTitle(tr("Your data"));
    auto *intro =
        makeLabel(tr("“Check again” finds what was added, changed or deleted since. “Remove” takes a name off "
                     "this list; the files stay where they are."),
                  "secondary");
    m_names->setObjectName(QStringLiteral("knownDataNames"));
    m_names->setAccessibleName(tr("Your data"));
    m_names->addItems(registeredDatasets());
    m_told->setObjectName(QStringLiteral("knownDataTold"));
    for (QLabel *label : {intro, m_told})
        label->setWordWrap(true);
    auto *close = makeButton(QStringLiteral("knownDataClose"), tr("Close"), "");
    auto *layout = makeDialogLayout(this);
    layout->addWidget(intro);
    layout->addWidget(m_names, 1);
    layout->addWidget(m_told);
    layout->addWidget(m_progress);
    layout->addWidget(m_leftOut, 1);
    layout->addLayout(makeButtonRow({close, m_remove, m_check}));
    resize(72 * grid, 48 * grid);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_check, &QPushButton::clicked, this, &KnownDataDialog::check);
    connect(m_remove, &QPushButton::clicked, this, &KnownDataDialog::remove);
    connect(m_names, &QListWidget::currentRowChanged, this, &KnownDataDialog::refresh);
    m_names->setCurrentRow(std::max(0, static_cast<int>(registeredDatasets().indexOf(selected))));
    m_check->setDefault(true);
    refresh();
}

KnownDataDialog::~KnownDataDialog() = default;

void KnownDataDialog::done(int result) {
    if (m_looking)
        m_looking->giveUp();
    keepUntilOver(this, m_looking.get());
    QDialog::done(result);
}

QString KnownDataDialog::chosen() const {
    const QListWidgetItem *item = m_names->currentItem();
    return item != nullptr ? item->text() : QString();
}

void KnownDataDialog::check() {
    const QString name = chosen();
    m_leftOut->tell({});
    tell(tr("Looking at %1 …").arg(name), false);
    m_looking = std::make_unique<BackgroundTask>();
    m_looking->start<std::shared_ptr<const Dataset>>(
        this, [name, progress = m_progress->begin(m_looking->cancelled())] { return checkDataset(name, progress); },
        [this, name](const std::shared_ptr<const Dataset> &set) {
            take(name, set);
            endLooking();
        },
        [this](const Error &error) {
            tell(errorText(error), true);
            endLooking();
        });
    refresh();
}

void KnownDataDialog::endLooking() {
    m_progress->hide();
    refresh();
    if (isHidden())
        deleteLater();
}

void KnownDataDialog::take(const QString &name, const std::shared_ptr<const Dataset> &set) {
    const QString counts = tr("%1 was checked: %2 samples to train and %3 to test.")
                               .arg(name, formatCount(set->count(Split::Train)), formatCount(set->count(Split::Test)));
    const bool isAllUsed = set->countBroken(BrokenFile::Fate::LeftOut) == 0;
    tell(isAllUsed ? counts : counts + QLatin1Char(' ') + tr("Left out:"), false);
    m_leftOut->tell(set->broken());
    m_checked = {name, set};
    Q_EMIT changed();
}

void KnownDataDialog::remove() {
    const QString name = chosen();
    if (!m_questions.askRemoveData(this, name))
        return;
    m_leftOut->tell({});
    if (const auto removed = unregisterDataset(name); !removed) {
        tell(errorText(removed.error()), true);
        return;
    }
    delete m_names->takeItem(m_names->currentRow());
    // Nothing that is pressed once more removes the next one.
    m_names->setCurrentRow(-1);
    tell(tr("%1 was removed from the list. Its files are where they were.").arg(name), false);
    refresh();
    m_checked = {};
    Q_EMIT changed();
}

void KnownDataDialog::tell(const QString &text, bool wrong) {
    m_told->setText(breakable(text));
    setRole(m_told, wrong ? "wrong" : "secondary");
}

void KnownDataDialog::refresh() {
    const bool isLooking = m_looking && m_looking->isRunning();
    m_names->setEnabled(!isLooking);
    for (QPushButton *button : {m_check, m_remove})
        button->setEnabled(!isLooking && !chosen().isEmpty());
}

}  // namespace hearth
