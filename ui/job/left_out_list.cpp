#include "ui/job/left_out_list.h"

#include <QFont>
#include <algorithm>

#include "ui/words/core_words.h"

namespace hearth {
namespace {

/// More than anybody reads; the command line names them all.
constexpr int mostLeftOut = 1000;

}  // namespace

QString onOneLine(QString name) {
    for (QChar &letter : name) {
        if (!letter.isPrint())
            letter = QChar::ReplacementCharacter;
    }
    return name;
}

LeftOutList::LeftOutList(const QString &objectName, QWidget *parent) : QListWidget(parent) {
    setObjectName(objectName);
    setAccessibleName(tr("What is left out or doubtful"));
    setWordWrap(true);
    hide();
}

void LeftOutList::tell(const std::vector<BrokenFile> &broken) {
    clear();
    add(broken, BrokenFile::Fate::LeftOut);
    if (std::ranges::find(broken, BrokenFile::Fate::Doubtful, &BrokenFile::fate) != broken.end()) {
        auto *heading = new QListWidgetItem(tr("Used, but doubtful:"), this);
        heading->setFlags(Qt::ItemIsEnabled);
        QFont bold = font();
        bold.setBold(true);
        heading->setFont(bold);
        add(broken, BrokenFile::Fate::Doubtful);
    }
    setVisible(!broken.empty());
}

void LeftOutList::add(const std::vector<BrokenFile> &broken, BrokenFile::Fate fate) {
    int added = 0;
    for (const BrokenFile &each : broken) {
        if (each.fate == fate && ++added <= mostLeftOut)
            addItem(tr("%1: %2").arg(onOneLine(each.file), coreText(each.cause)));
    }
}

}  // namespace hearth
