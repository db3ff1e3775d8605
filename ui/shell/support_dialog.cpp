#include "ui/shell/support_dialog.h"

#include <QHeaderView>
#include <QProgressBar>
#include <QTreeWidget>

#include "core/base/background_task.h"
#include "ui/base/dialog_parts.h"
#include "ui/base/questions.h"
#include "ui/base/widgets.h"
#include "ui/words/core_words.h"
#include "ui/words/format.h"

namespace hearth {

SupportDialog::SupportDialog(const SupportSources &sources, Questions &questions, QWidget *parent)
    : QDialog(parent),
      m_questions(questions),
      m_list(new QTreeWidget),
      m_said(makeLabel({}, "small")),
      m_progress(new QProgressBar),
      m_save(makeButton(QStringLiteral("saveSupport"), tr("Save …"), "primary")),
      m_collecting(std::make_unique<BackgroundTask>()) {
    setObjectName(QStringLiteral("supportDialog"));
    setWindowTitle(tr("Save support bundle"));
    auto *intro =
        makeLabel(tr("These files help to find out what went wrong. You decide whom you give them to: nothing "
                     "is sent."),
                  "");
    auto *leftOut =
        makeLabel(tr("Never in it: keys, certificates, passwords, weights, and your user name. Your home folder "
                     "is written as ~. Names and addresses of your devices are in it."),
                  "secondary");
    for (QLabel *label : {intro, leftOut, m_said})
        label->setWordWrap(true);
    m_said->setObjectName(QStringLiteral("supportSaid"));
    m_list->setObjectName(QStringLiteral("supportFiles"));
    m_list->setAccessibleName(tr("Files of the bundle"));
    m_list->setHeaderLabels({tr("File"), tr("Size")});
    m_list->headerItem()->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    m_list->setRootIsDecorated(false);
    m_list->header()->setStretchLastSection(false);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the support bundle"));

    auto *close = makeButton(QStringLiteral("closeSupport"), tr("Close"), "");
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    connect(m_save, &QPushButton::clicked, this, &SupportDialog::save);
    auto *layout = makeDialogLayout(this, grid * 3 / 2);
    layout->addWidget(intro);
    layout->addWidget(m_list, 1);
    layout->addWidget(leftOut);
    layout->addWidget(m_progress);
    layout->addWidget(m_said);
    layout->addLayout(makeButtonRow({close, m_save}));
    resize(72 * grid, 64 * grid);

    setBusy(tr("Collecting …"));
    const auto cancelled = m_collecting->cancelled();
    m_collecting->start<std::vector<SupportFile>>(
        this,
        [sources, cancelled]() -> Result<std::vector<SupportFile>> {
            return collectSupport(sources, [cancelled] { return cancelled->load(); });
        },
        [this](const std::vector<SupportFile> &files) { show(files); }, [](const Error &) {});
}

SupportDialog::~SupportDialog() = default;

void SupportDialog::setBusy(const QString &doing) {
    m_progress->setVisible(!doing.isEmpty());
    m_save->setEnabled(doing.isEmpty());
    if (!doing.isEmpty())
        m_said->setText(doing);
}

void SupportDialog::show(const std::vector<SupportFile> &files) {
    m_files = files;
    qint64 bytes = 0;
    for (const SupportFile &file : files) {
        bytes += file.content.size();
        auto *item = new QTreeWidgetItem({file.shortened ? tr("%1 (without its middle)").arg(file.name) : file.name,
                                          formatBytes(file.content.size())});
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        m_list->addTopLevelItem(item);
    }
    setBusy({});
    m_said->setText(
        tr("%n file(s), %1 before they are packed", nullptr, static_cast<int>(files.size())).arg(formatBytes(bytes)));
    m_save->setFocus();
}

void SupportDialog::save() {
    const QString path = m_questions.askSaveFile(this, windowTitle(), tr("Support bundles (*.tar.gz)"));
    if (path.isEmpty())
        return;
    setBusy(tr("Saving …"));
    m_saving = std::make_unique<BackgroundTask>();
    m_saving->start<bool>(
        this, [path, files = m_files]() -> Result<bool> { return saveSupport(path, files).map([] { return true; }); },
        [this, path](bool) {
            if (isHidden())
                Q_EMIT saved(path);
            endSaving(tr("Saved as %1").arg(path));
        },
        [this](const Error &error) {
            if (isHidden())
                Q_EMIT failed(error);
            endSaving(errorText(error));
        });
}

void SupportDialog::endSaving(const QString &said) {
    setBusy({});
    m_said->setText(said);
    if (isHidden())
        deleteLater();
}

void SupportDialog::done(int result) {
    keepUntilOver(this, m_saving.get());
    QDialog::done(result);
}

}  // namespace hearth
