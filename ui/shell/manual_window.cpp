#include "ui/shell/manual_window.h"

#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QShortcut>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>

#include "ui/base/widgets.h"

namespace hearth {

namespace {

const QString folder = QStringLiteral("qrc:/hearth/manual/");
const QString suffix = QStringLiteral(".md");
constexpr int listWidth = 26 * grid;
constexpr int widestPicture = 80 * grid;

/// The first line of a page, without its "# ".
QString titleOf(const QString &page) {
    QFile file(QStringLiteral(":/hearth/manual/") + page + suffix);
    if (!file.open(QIODevice::ReadOnly))
        return page;
    return QString::fromUtf8(file.readLine()).mid(2).trimmed();
}

/// Pictures no wider than a page.
class ManualText : public QTextBrowser {
  public:
    using QTextBrowser::QTextBrowser;
    QVariant loadResource(int type, const QUrl &name) override {
        QVariant loaded = QTextBrowser::loadResource(type, name);
        if (type != QTextDocument::ImageResource)
            return loaded;
        QImage picture = QImage::fromData(loaded.toByteArray());
        if (picture.width() > widestPicture)
            picture = picture.scaledToWidth(widestPicture, Qt::SmoothTransformation);
        return picture;
    }
};

}  // namespace

QStringList ManualWindow::pages() {
    return {QStringLiteral("window"),
            QStringLiteral("pairing-and-installing"),
            QStringLiteral("models-and-data"),
            QStringLiteral("planning"),
            QStringLiteral("running"),
            QStringLiteral("recovery"),
            QStringLiteral("security"),
            QStringLiteral("limits"),
            QStringLiteral("command-line"),
            QStringLiteral("agent"),
            QStringLiteral("job"),
            QStringLiteral("model"),
            QStringLiteral("plan"),
            QStringLiteral("events"),
            QStringLiteral("measurements"),
            QStringLiteral("lab"),
            QStringLiteral("building")};
}

QString ManualWindow::anchorOf(const QString &heading) {
    QString anchor;
    for (const QChar letter : heading.toLower()) {
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-'))
            anchor += letter;
        else if (letter.isSpace())
            anchor += QLatin1Char('-');
    }
    return anchor;
}

ManualWindow::ManualWindow(QWidget *parent)
    : QDialog(parent, Qt::Window), m_pages(new QListWidget), m_text(new ManualText), m_search(new QLineEdit) {
    setObjectName(QStringLiteral("manualWindow"));
    setWindowTitle(tr("Hearth: manual"));
    m_pages->setObjectName(QStringLiteral("manualPages"));
    m_pages->setAccessibleName(tr("Pages of the manual"));
    for (const QString &page : pages()) {
        auto *item = new QListWidgetItem(titleOf(page), m_pages);
        item->setData(Qt::UserRole, page);
    }
    m_text->setObjectName(QStringLiteral("manualText"));
    m_text->setAccessibleName(tr("Page of the manual"));
    m_text->setOpenExternalLinks(true);
    m_text->document()->setDocumentMargin(2 * grid);
    m_search->setObjectName(QStringLiteral("manualSearch"));
    m_search->setPlaceholderText(tr("Find in this page (Return: next)"));
    m_search->setClearButtonEnabled(true);

    auto *back = makeButton(QStringLiteral("manualBack"), tr("Back"), "");
    back->setEnabled(false);
    connect(m_text, &QTextBrowser::backwardAvailable, back, &QWidget::setEnabled);
    connect(back, &QPushButton::clicked, m_text, &QTextBrowser::backward);
    connect(m_text, &QTextBrowser::sourceChanged, this, &ManualWindow::followSource);
    connect(m_pages, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem *item) { showPage(item->data(Qt::UserRole).toString()); });
    connect(m_pages, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem *item) { showPage(item->data(Qt::UserRole).toString()); });
    connect(m_search, &QLineEdit::returnPressed, this, &ManualWindow::find);
    connect(new QShortcut(QKeySequence::Find, this), &QShortcut::activated, m_search, [this] { m_search->setFocus(); });

    auto *bar = new QHBoxLayout;
    bar->addWidget(back);
    bar->addStretch(1);
    bar->addWidget(m_search, 1);
    auto *right = new QWidget;
    auto *page = new QVBoxLayout(right);
    page->setContentsMargins(grid, 0, 0, 0);
    page->addLayout(bar);
    page->addWidget(m_text, 1);
    auto *both = new QSplitter;
    both->addWidget(m_pages);
    both->addWidget(right);
    both->setStretchFactor(1, 1);
    both->setSizes({listWidth, 4 * listWidth});
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, 2 * grid, 2 * grid, 2 * grid);
    layout->addWidget(both);
    resize(120 * grid, 88 * grid);
}

void ManualWindow::showPage(const QString &page, const QString &heading) {
    QUrl url(folder + page + suffix);
    if (!heading.isEmpty())
        url.setFragment(heading);
    // The same place again: somebody has scrolled away from it.
    if (m_text->source() == url)
        followSource(url);
    else
        m_text->setSource(url);
}

void ManualWindow::followSource(const QUrl &url) {
    const QString page = url.fileName().chopped(suffix.size());
    for (int row = 0; row < m_pages->count(); ++row) {
        if (m_pages->item(row)->data(Qt::UserRole).toString() == page)
            m_pages->setCurrentRow(row);
    }
    goToHeading(url.fragment());
}

/// Qt gives the headings of Markdown no anchors.
void ManualWindow::goToHeading(const QString &heading) {
    for (QTextBlock block = m_text->document()->begin(); block.isValid() && !heading.isEmpty(); block = block.next()) {
        if (block.blockFormat().headingLevel() == 0 || anchorOf(block.text()) != heading)
            continue;
        m_text->setTextCursor(QTextCursor(block));
        // The heading at the top, not just in sight.
        m_text->verticalScrollBar()->setValue(m_text->verticalScrollBar()->value() + m_text->cursorRect().top());
        return;
    }
}

void ManualWindow::find() {
    if (m_text->find(m_search->text()))
        return;
    m_text->moveCursor(QTextCursor::Start);
    m_text->find(m_search->text());
}

}  // namespace hearth
