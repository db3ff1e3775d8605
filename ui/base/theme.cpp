#include "ui/base/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QLabel>
#include <QPointer>
#include <QRegularExpression>
#include <QStyleFactory>
#include <QWidget>
#include <array>

namespace hearth {

namespace {

QColor rgb(const char *hex) {
    return QColor(QLatin1String(hex));
}

Theme makeLight() {
    Theme t;
    t.kind = ThemeKind::Light;
    t.window = rgb("#faf7f4");
    t.rail = rgb("#f3eee9");
    t.surface = rgb("#ffffff");
    t.raised = rgb("#ffffff");
    t.border = rgb("#e6ded6");
    t.controlBorder = rgb("#8f857c");
    t.hover = rgb("#efe8e1");
    t.selected = rgb("#fbe7da");
    t.scroll = rgb("#c9beb4");
    t.text = rgb("#1f1a17");
    t.secondary = rgb("#5c534c");
    t.disabled = rgb("#766c64");
    t.disabledFill = rgb("#ebe4dd");
    t.accent = rgb("#bf4510");
    t.accentHover = rgb("#a53a0c");
    t.onAccent = rgb("#ffffff");
    t.accentText = rgb("#a53a0c");
    t.focus = rgb("#1d5fbf");
    t.good = rgb("#197239");
    t.slow = rgb("#8a5a00");
    t.bad = rgb("#b3261e");
    t.badSurface = rgb("#fdecea");
    t.info = rgb("#1d5fbf");
    t.gridLine = rgb("#eee7e0");
    return t;
}

Theme makeDark() {
    Theme t;
    t.kind = ThemeKind::Dark;
    t.window = rgb("#191614");
    t.rail = rgb("#141210");
    t.surface = rgb("#221e1b");
    t.raised = rgb("#2c2723");
    t.border = rgb("#3a332d");
    t.controlBorder = rgb("#8a7f75");
    t.hover = rgb("#2c2723");
    t.selected = rgb("#44291a");
    t.scroll = rgb("#544a42");
    t.text = rgb("#f4efea");
    t.secondary = rgb("#bdb2a8");
    t.disabled = rgb("#968b81");
    t.disabledFill = rgb("#2c2723");
    t.accent = rgb("#f58a4b");
    t.accentHover = rgb("#ffa269");
    t.onAccent = rgb("#221208");
    t.accentText = rgb("#ff9d63");
    t.focus = rgb("#7fb2ff");
    t.good = rgb("#62c985");
    t.slow = rgb("#e0b04c");
    t.bad = rgb("#ff8f85");
    t.badSurface = rgb("#3d1f1c");
    t.info = rgb("#7fb2ff");
    t.gridLine = rgb("#2f2925");
    return t;
}

QFont scaledFont(qreal factor) {
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * factor);
    return font;
}

constexpr qreal smallFactor = 0.9;
constexpr qreal titleFactor = 1.6;

QString loadSheet(const Theme &theme) {
    QFile file(QStringLiteral(":/hearth/styles/window.qss"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    const QHash<QString, QString> tokens{
        {QStringLiteral("kind"), theme.kind == ThemeKind::Dark ? QStringLiteral("dark") : QStringLiteral("light")},
        {QStringLiteral("window"), theme.window.name()},
        {QStringLiteral("rail"), theme.rail.name()},
        {QStringLiteral("surface"), theme.surface.name()},
        {QStringLiteral("raised"), theme.raised.name()},
        {QStringLiteral("border"), theme.border.name()},
        {QStringLiteral("controlBorder"), theme.controlBorder.name()},
        {QStringLiteral("hover"), theme.hover.name()},
        {QStringLiteral("selected"), theme.selected.name()},
        {QStringLiteral("scroll"), theme.scroll.name()},
        {QStringLiteral("text"), theme.text.name()},
        {QStringLiteral("secondary"), theme.secondary.name()},
        {QStringLiteral("disabled"), theme.disabled.name()},
        {QStringLiteral("disabledFill"), theme.disabledFill.name()},
        {QStringLiteral("accent"), theme.accent.name()},
        {QStringLiteral("accentHover"), theme.accentHover.name()},
        {QStringLiteral("onAccent"), theme.onAccent.name()},
        {QStringLiteral("accentText"), theme.accentText.name()},
        {QStringLiteral("focus"), theme.focus.name()},
        {QStringLiteral("bad"), theme.bad.name()},
        {QStringLiteral("badSurface"), theme.badSurface.name()},
        {QStringLiteral("bodyPt"), QStringLiteral("%1pt").arg(bodyFont().pointSizeF())},
        {QStringLiteral("smallPt"), QStringLiteral("%1pt").arg(smallFont().pointSizeF())},
        {QStringLiteral("titlePt"), QStringLiteral("%1pt").arg(titleFont().pointSizeF())},
    };
    const QString source = QString::fromUtf8(file.readAll());
    static const QRegularExpression token(QStringLiteral("@([A-Za-z]+)"));
    QString sheet;
    qsizetype from = 0;
    auto matches = token.globalMatch(source);
    while (matches.hasNext()) {
        const QRegularExpressionMatch match = matches.next();
        sheet += QStringView(source).mid(from, match.capturedStart() - from);
        const auto value = tokens.constFind(match.captured(1));
        sheet += value == tokens.constEnd() ? match.captured(0) : *value;
        from = match.capturedEnd();
    }
    sheet += QStringView(source).mid(from);
    return sheet;
}

ThemeKind systemKind() {
    const QPalette system = QGuiApplication::palette();
    const bool dark = system.color(QPalette::Window).lightnessF() < system.color(QPalette::WindowText).lightnessF();
    return dark ? ThemeKind::Dark : ThemeKind::Light;
}

}  // namespace

const Theme &Theme::of(ThemeKind kind) {
    static const Theme light = makeLight();
    static const Theme dark = makeDark();
    return kind == ThemeKind::Dark ? dark : light;
}

QColor Theme::stageFill(int index) const {
    static const std::array<QColor, 8> light{rgb("#b5430f"), rgb("#0f6b63"), rgb("#4548b8"), rgb("#80610a"),
                                             rgb("#a8265f"), rgb("#3f6212"), rgb("#1d5fa8"), rgb("#7a3fa0")};
    static const std::array<QColor, 8> dark{rgb("#f0935b"), rgb("#4cc2b4"), rgb("#9da2ff"), rgb("#dcb64f"),
                                            rgb("#f28bb4"), rgb("#a3cc5c"), rgb("#74b6f5"), rgb("#cf9bec")};
    const auto &fills = kind == ThemeKind::Dark ? dark : light;
    return fills[static_cast<std::size_t>(index) % fills.size()];
}

QColor Theme::onStage() const {
    return kind == ThemeKind::Dark ? rgb("#191614") : rgb("#ffffff");
}

QColor Theme::line(int index) const {
    using Lines = std::array<QColor, lineColours>;
    static const Lines light{rgb("#bf4510"), rgb("#1d5fbf"), rgb("#197239"), rgb("#8a5a00"),
                             rgb("#8f1d50"), rgb("#0a8f96"), rgb("#7a3fa0"), rgb("#3a3532"),
                             rgb("#e0559a"), rgb("#6f9400"), rgb("#3b90e2"), rgb("#d97600")};
    static const Lines dark{rgb("#f58a4b"), rgb("#7fb2ff"), rgb("#62c985"), rgb("#e8c25a"),
                            rgb("#f28bb4"), rgb("#3fb8ae"), rgb("#b58cf0"), rgb("#e8e2dc"),
                            rgb("#e0486a"), rgb("#a9d14a"), rgb("#3672c4"), rgb("#a8622a")};
    const Lines &lines = kind == ThemeKind::Dark ? dark : light;
    return lines[static_cast<std::size_t>(index) % lines.size()];
}

QPalette Theme::palette() const {
    QPalette p;
    p.setColor(QPalette::Window, window);
    p.setColor(QPalette::WindowText, text);
    p.setColor(QPalette::Base, surface);
    p.setColor(QPalette::AlternateBase, raised);
    p.setColor(QPalette::Text, text);
    p.setColor(QPalette::PlaceholderText, secondary);
    p.setColor(QPalette::Button, surface);
    p.setColor(QPalette::ButtonText, text);
    p.setColor(QPalette::ToolTipBase, raised);
    p.setColor(QPalette::ToolTipText, text);
    p.setColor(QPalette::Highlight, accent);
    p.setColor(QPalette::HighlightedText, onAccent);
    p.setColor(QPalette::Link, accentText);
    p.setColor(QPalette::LinkVisited, accentText);
    p.setColor(QPalette::Disabled, QPalette::Text, disabled);
    p.setColor(QPalette::Disabled, QPalette::WindowText, disabled);
    p.setColor(QPalette::Disabled, QPalette::ButtonText, disabled);
    return p;
}

QFont bodyFont() {
    return QApplication::font();
}

QFont smallFont() {
    return scaledFont(smallFactor);
}

QFont titleFont() {
    QFont font = scaledFont(titleFactor);
    font.setWeight(QFont::DemiBold);
    return font;
}

ThemeManager::ThemeManager() : m_kind(systemKind()), m_sheet(loadSheet(Theme::of(m_kind))) {
    // Fusion draws the same everywhere and honours every palette role; native styles ignore half of a style sheet.
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    setParent(qApp);
    qApp->installEventFilter(this);
}

ThemeManager &ThemeManager::instance() {
    // Dies with the application object: a test may make several applications in one process.
    static QPointer<ThemeManager> manager;
    if (manager.isNull()) {
        manager = new ThemeManager;
    }
    return *manager;
}

void ThemeManager::setChoice(ThemeChoice choice) {
    m_choice = choice;
    refresh();
}

void ThemeManager::attach(QWidget *window) {
    style(window);
    connect(this, &ThemeManager::changed, window, [this, window] { style(window); });
}

bool ThemeManager::eventFilter(QObject *watched, QEvent *event) {
    if (watched == qApp && event->type() == QEvent::ApplicationPaletteChange) {
        refresh();
    }
    // Labels and tips (which are labels of Qt's own) take for markup what looks like it; what a device or a file calls
    // itself stays what it is. Polishing comes before a label is measured.
    if (event->type() == QEvent::Polish) {
        if (auto *label = qobject_cast<QLabel *>(watched); label && label->textFormat() == Qt::AutoText)
            label->setTextFormat(Qt::PlainText);
    }
    return QObject::eventFilter(watched, event);
}

void ThemeManager::refresh() {
    const ThemeKind kind = m_choice == ThemeChoice::System
                               ? systemKind()
                               : (m_choice == ThemeChoice::Dark ? ThemeKind::Dark : ThemeKind::Light);
    if (kind == m_kind) {
        return;
    }
    m_kind = kind;
    m_sheet = loadSheet(theme());
    Q_EMIT changed();
}

void ThemeManager::style(QWidget *window) const {
    window->setPalette(theme().palette());
    window->setStyleSheet(m_sheet);
}

}  // namespace hearth
