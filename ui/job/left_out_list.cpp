#include "ui/job/left_out_list.h"

#include <algorithm>

#include "ui/words/core_words.h"

namespace hearth {
namespace {

/// More than anybody reads; the command line names them all.
constexpr std::size_t mostLeftOut = 1000;

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
    setAccessibleName(tr("Files that are left out"));
    setWordWrap(true);
    hide();
}

void LeftOutList::tell(const std::vector<BrokenFile> &broken) {
    clear();
    for (std::size_t i = 0; i < std::min(broken.size(), mostLeftOut); ++i)
        addItem(tr("%1: %2").arg(onOneLine(broken[i].file), coreText(broken[i].cause)));
    setVisible(!broken.empty());
}

}  // namespace hearth
