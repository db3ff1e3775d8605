#include "ui/base/widgets.h"

#include <QApplication>
#include <QClipboard>
#include <QEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QResizeEvent>
#include <QScrollArea>
#include <QStyle>
#include <utility>

#include "ui/base/focus_ring.h"
#include "ui/base/icons.h"
#include "ui/words/core_words.h"

namespace hearth {

namespace {

/// The default button of a dialog is what Return presses there; where the focus is on a button, Return means that one,
/// in a window that has no default button, too.
class Button : public QPushButton {
  public:
    using QPushButton::QPushButton;

  protected:
    void mousePressEvent(QMouseEvent *event) override {
        finishTyping(this);
        QPushButton::mousePressEvent(event);
    }
    void keyPressEvent(QKeyEvent *event) override {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else
            QPushButton::keyPressEvent(event);
    }
};

}  // namespace

void setThemedIcon(QAbstractButton *button, const QString &name, ThemeColour colour, ThemeColour checked) {
    const auto apply = [button, name, colour, checked] {
        const Theme &theme = ThemeManager::instance().theme();
        button->setIcon(icon(name, theme.*colour, checked != nullptr ? theme.*checked : QColor()));
    };
    // A button may change its icon (play, pause): only the last one follows the theme.
    const char *slot = "hearthThemedIcon";
    if (auto *previous = button->findChild<QObject *>(QLatin1String(slot), Qt::FindDirectChildrenOnly)) {
        delete previous;
    }
    auto *follower = new QObject(button);
    follower->setObjectName(QLatin1String(slot));
    QObject::connect(&ThemeManager::instance(), &ThemeManager::changed, follower, apply);
    apply();
}

QLabel *makeLabel(const QString &text, const char *role, QWidget *parent) {
    auto *label = new QLabel(text, parent);
    label->setProperty("role", QLatin1String(role));
    label->setTextFormat(Qt::PlainText);
    return label;
}

void setRole(QWidget *widget, const char *role) {
    if (widget->property("role").toString() == QLatin1String(role))
        return;
    widget->setProperty("role", QLatin1String(role));
    // The style looks at properties once.
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
}

QPushButton *makeButton(const QString &objectName, const QString &text, const char *role, QWidget *parent) {
    auto *button = new Button(text, parent);
    button->setObjectName(objectName);
    if (*role != '\0') {
        button->setProperty("role", QLatin1String(role));
    }
    button->setAutoDefault(false);
    // As in the rail: the focus ring belongs to the keyboard.
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

QScrollArea *makeScroll(const QString &objectName, QWidget *body, Qt::FocusPolicy focus) {
    auto *scroll = new QScrollArea;
    scroll->setObjectName(objectName);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(focus);
    if (focus != Qt::NoFocus)
        new FocusRing(scroll);
    scroll->setStyleSheet(QStringLiteral("QScrollArea, QScrollArea > QWidget > QWidget { background: transparent }"));
    scroll->setWidget(body);
    return scroll;
}

QAction *addNamed(QMenu &menu, const char *objectName, const QString &text) {
    QAction *action = menu.addAction(text);
    action->setObjectName(QLatin1String(objectName));
    return action;
}

void finishTyping(const QWidget *widget) {
    if (auto *field = qobject_cast<QLineEdit *>(widget->window()->focusWidget()))
        field->clearFocus();
}

ElidedLabel::ElidedLabel(QWidget *parent) : QLabel(parent) {
    setTextFormat(Qt::PlainText);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void ElidedLabel::setFullText(const QString &text) {
    if (text == m_full) {
        return;
    }
    m_full = text;
    setToolTip(text);
    setAccessibleName(text);
    elide();
    updateGeometry();
}

QSize ElidedLabel::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 4, QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
    return {fontMetrics().horizontalAdvance(m_full), QLabel::sizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent *event) {
    QLabel::resizeEvent(event);
    elide();
}

void ElidedLabel::changeEvent(QEvent *event) {
    QLabel::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        elide();
    }
}

void ElidedLabel::elide() {
    setText(fontMetrics().elidedText(m_full, Qt::ElideRight, contentsRect().width()));
}

IconLabel::IconLabel(const QString &name, ThemeColour colour, int size, QWidget *parent)
    : QLabel(parent), m_name(name), m_colour(colour), m_size(size) {
    setFixedSize(size, size);
    connect(&ThemeManager::instance(), &ThemeManager::changed, this, &IconLabel::refresh);
    refresh();
}

void IconLabel::setIcon(const QString &name, ThemeColour colour) {
    m_name = name;
    m_colour = colour;
    refresh();
}

void IconLabel::refresh() {
    setPixmap(iconPixmap(m_name, ThemeManager::instance().theme().*m_colour, m_size, devicePixelRatioF()));
}

namespace {

QLabel *makeFigureLabel(Figure::Holds holds) {
    if (holds == Figure::Holds::Number)
        return makeLabel({}, "figure");
    auto *label = new ElidedLabel;
    label->setProperty("role", QLatin1String("figure"));
    return label;
}

void setWholeText(QLabel *label, const QString &text) {
    if (auto *elided = qobject_cast<ElidedLabel *>(label))
        elided->setFullText(text);
    else
        label->setText(text);
}

QString wholeText(const QLabel *label) {
    const auto *elided = qobject_cast<const ElidedLabel *>(label);
    return elided ? elided->fullText() : label->text();
}

}  // namespace

Figure::Figure(const QString &objectName, const QString &caption, Holds holds, QWidget *parent)
    : QFrame(parent),
      m_value(makeFigureLabel(holds)),
      m_note(new ElidedLabel),
      m_lines(new QBoxLayout(QBoxLayout::TopToBottom)) {
    setObjectName(objectName);
    setProperty("role", QStringLiteral("card"));
    setRole(m_note, "small");
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, 2 * grid, grid);
    layout->setSpacing(0);
    layout->addWidget(makeLabel(caption, "small"));
    layout->addLayout(m_lines);
    m_lines->setSpacing(0);
    m_lines->addWidget(m_value);
    m_lines->addWidget(m_note, 1);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setValue(QStringLiteral("–"));
}

void Figure::setValue(const QString &value, const QString &note) {
    setWholeText(m_value, value);
    m_note->setFullText(note);
}

void Figure::setCompact(bool compact) {
    const auto direction = compact ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    if (m_lines->direction() == direction)
        return;
    m_lines->setDirection(direction);
    m_lines->setSpacing(compact ? grid : 0);
    setRole(m_value, compact ? "strong" : "figure");
    // Of a row of figures one whose note is longer gets more room than the others: half a number reads as another one.
    m_note->setSizePolicy(compact ? QSizePolicy::Preferred : QSizePolicy::Ignored, QSizePolicy::Preferred);
    const int side = compact ? grid : 2 * grid, room = compact ? grid / 2 : grid;
    layout()->setContentsMargins(side, room, side, room);
}

QString Figure::value() const {
    return wholeText(m_value);
}

QString Figure::note() const {
    return m_note->fullText();
}

ErrorPanel::ErrorPanel(In where, QWidget *parent)
    : QWidget(parent), m_what(makeLabel({}, "strong")), m_why(makeLabel({}, "secondary")) {
    setObjectName(QStringLiteral("errorPanel"));
    auto *card = new QFrame;
    card->setProperty("role", QStringLiteral("error"));
    auto *room = new QVBoxLayout(this);
    if (where == In::Window)
        room->setContentsMargins(3 * grid, 0, 3 * grid, 2 * grid);
    else
        room->setContentsMargins(0, 0, 0, 0);
    room->addWidget(card);
    m_what->setObjectName(QStringLiteral("errorWhat"));
    m_why->setObjectName(QStringLiteral("errorWhy"));
    for (QLabel *label : {m_what, m_why}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    }
    auto *copy = makeButton(QStringLiteral("copyErrorDetails"), tr("Copy details"), "");
    setThemedIcon(copy, QStringLiteral("copy"), &Theme::text);
    connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(details()); });

    auto *text = new QVBoxLayout;
    text->setSpacing(grid / 2);
    text->addWidget(m_what);
    text->addWidget(m_why);
    auto *layout = new QHBoxLayout(card);
    layout->setContentsMargins(2 * grid, 3 * grid / 2, 2 * grid, 3 * grid / 2);
    layout->setSpacing(grid * 3 / 2);
    layout->addWidget(new IconLabel(QStringLiteral("error"), &Theme::bad, 24), 0, Qt::AlignTop);
    layout->addLayout(text, 1);
    layout->addWidget(copy, 0, Qt::AlignTop);
    if (where == In::Window) {
        auto *close = makeButton(QStringLiteral("closeError"), tr("Close"), "");
        connect(close, &QPushButton::clicked, this, &QWidget::hide);
        layout->addWidget(close, 0, Qt::AlignTop);
    }
    hide();
}

void ErrorPanel::showError(const Error &error) {
    m_error = error;
    const Error told = coreText(error);
    m_what->setText(told.what);
    m_why->setText(QStringList{told.cause, told.advice}.join(QLatin1Char(' ')).trimmed());
    m_why->setVisible(!m_why->text().isEmpty());
    setAccessibleName(told.toString());
    show();
}

QString ErrorPanel::details() const {
    return QStringLiteral("%1\n%2\n%3\n(%4, Hearth %5)")
        .arg(m_error.what, m_error.cause, m_error.advice, m_error.code, QCoreApplication::applicationVersion());
}

}  // namespace hearth
