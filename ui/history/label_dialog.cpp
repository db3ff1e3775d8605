#include "ui/history/label_dialog.h"

#include <QCheckBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <algorithm>

#include "ui/base/dialog_parts.h"

namespace hearth {
namespace {

QStringList tagsOfAll(const std::vector<RunLabel> &labels) {
    QStringList tags = labels.front().tags;
    tags.removeIf([&](const QString &tag) {
        return !std::ranges::all_of(labels, [&tag](const RunLabel &label) { return label.hasTag(tag); });
    });
    return tags;
}

Qt::CheckState starOfAll(const std::vector<RunLabel> &labels) {
    const auto starred = std::ranges::count_if(labels, &RunLabel::starred);
    return starred == 0                                       ? Qt::Unchecked
           : starred == static_cast<qsizetype>(labels.size()) ? Qt::Checked
                                                              : Qt::PartiallyChecked;
}

}  // namespace

LabelDialog::LabelDialog(const std::vector<RunLabel> &labels, QWidget *parent)
    : QDialog(parent),
      m_labels(labels),
      m_tagsOfAll(tagsOfAll(labels)),
      m_name(new QLineEdit(labels.front().name)),
      m_tags(new QLineEdit(m_tagsOfAll.join(QStringLiteral(", ")))),
      m_note(new QPlainTextEdit(labels.front().note)),
      m_star(new QCheckBox(tr("Starred"))) {
    const bool one = labels.size() == 1;
    setObjectName(QStringLiteral("labelDialog"));
    setWindowTitle(one ? tr("Label the run") : tr("Label %n run(s)", nullptr, static_cast<int>(labels.size())));
    m_name->setObjectName(QStringLiteral("labelName"));
    m_tags->setObjectName(QStringLiteral("labelTags"));
    m_tags->setPlaceholderText(tr("Words, with commas between"));
    m_note->setObjectName(QStringLiteral("labelNote"));
    m_note->setTabChangesFocus(true);
    m_star->setObjectName(QStringLiteral("labelStar"));
    m_star->setTristate(starOfAll(labels) == Qt::PartiallyChecked);
    m_star->setCheckState(starOfAll(labels));
    auto *form = new QFormLayout;
    form->setSpacing(grid);
    if (one)
        form->addRow(tr("Name"), m_name);
    form->addRow(one ? tr("Tags") : tr("Tags of all"), m_tags);
    if (one)
        form->addRow(tr("Note"), m_note);
    form->addRow(QString(), m_star);
    if (!one) {
        delete std::exchange(m_name, nullptr);
        delete std::exchange(m_note, nullptr);
    }
    auto *save = makeButton(QStringLiteral("labelSave"), tr("Save"), "primary");
    auto *cancel = makeButton(QStringLiteral("labelCancel"), tr("Cancel"), "");
    save->setDefault(true);
    auto *layout = makeDialogLayout(this);
    layout->addLayout(form, 1);
    layout->addLayout(makeButtonRow({cancel, save}));
    resize(60 * grid, one ? 40 * grid : layout->sizeHint().height());
    connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
    connect(save, &QPushButton::clicked, this, [this] {
        Q_EMIT decided(change());
        accept();
    });
}

LabelChange LabelDialog::change() const {
    LabelChange change = tagsTyped(m_tagsOfAll, m_tags->text());
    if (m_name != nullptr && m_name->text() != m_labels.front().name)
        change.name = m_name->text();
    if (m_note != nullptr && m_note->toPlainText() != m_labels.front().note)
        change.note = m_note->toPlainText();
    if (m_star->checkState() != starOfAll(m_labels))
        change.starred = m_star->isChecked();
    return change;
}

}  // namespace hearth
