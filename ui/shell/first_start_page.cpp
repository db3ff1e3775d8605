#include "ui/shell/first_start_page.h"

#include <QProgressBar>
#include <QScrollArea>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/shell/demo_start.h"

namespace hearth {

FirstStartPage::FirstStartPage(const HomeSource &home, DemoStart &demo, QWidget *parent)
    : Page(QStringLiteral("firstStartPage"), tr("Welcome to Hearth"), parent),
      m_home(home),
      m_demo(demo),
      m_try(makeButton(QStringLiteral("tryDemo"), tr("Try it now"), "primary")),
      m_cancel(makeButton(QStringLiteral("cancelDemo"), tr("Cancel"), "")),
      m_progress(new QProgressBar),
      m_waiting(makeLabel({}, "small")) {
    setSubtitle(tr("Train a neural network on the devices that you already own. Three ways to begin:"));
    connect(m_try, &QPushButton::clicked, &demo, &DemoStart::begin);
    connect(m_cancel, &QPushButton::clicked, &demo, &DemoStart::cancel);
    m_progress->setObjectName(QStringLiteral("demoProgress"));
    m_progress->setAccessibleName(tr("The demo home is starting"));
    m_progress->setRange(0, 0);
    m_progress->setTextVisible(false);
    m_waiting->setObjectName(QStringLiteral("demoWaiting"));
    m_waiting->setWordWrap(true);

    auto *add = makeButton(QStringLiteral("addDevices"), tr("Add my devices"), "");
    auto *file = makeButton(QStringLiteral("openRunFile"), tr("Open a run …"), "");
    auto *folder = makeButton(QStringLiteral("openRunFolder"), tr("Choose its folder instead …"), "link");
    connect(add, &QPushButton::clicked, this, &FirstStartPage::addWanted);
    connect(file, &QPushButton::clicked, this, &FirstStartPage::openFileWanted);
    connect(folder, &QPushButton::clicked, this, &FirstStartPage::openFolderWanted);

    auto *ways = new QWidget;
    auto *row = new QHBoxLayout(ways);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2 * grid);
    row->addWidget(makeWay(QStringLiteral("play"), tr("Try it now"),
                           tr("Three small devices inside this computer share the training of one network."),
                           {tr("Real training: pictures of clothes, ten classes."),
                            tr("Unplug a device during the run and watch training continue."),
                            tr("Nothing leaves this computer; the demo ends with this window.")},
                           {m_waiting, m_progress, m_cancel, m_try}),
                   1);
    row->addWidget(makeWay(QStringLiteral("home"), tr("Add my devices"),
                           tr("Your laptop and the small computers of your home train together."),
                           {tr("Devices that you trust, and no others, take part."),
                            tr("Hearth measures them and works out who computes what."),
                            tr("Training continues when a device goes away.")},
                           {add}),
                   1);
    row->addWidget(makeWay(QStringLiteral("open"), tr("Open a run"),
                           tr("Replay a run that was recorded here or elsewhere, as it looked live."),
                           {tr("Choose the file events.jsonl, or the folder of the run."),
                            tr("Read only: nothing is changed or started.")},
                           {folder, file}),
                   1);
    auto *scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("firstStartScroll"));
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(ways);
    setContent(scroll);

    connect(&demo, &DemoStart::changed, this, &FirstStartPage::refresh);
    connect(&home, &HomeSource::waitingChanged, this, &FirstStartPage::refresh);
    connect(&home, &HomeSource::demoChanged, this, &FirstStartPage::refresh);
    refresh();
}

QFrame *FirstStartPage::makeWay(const QString &iconName, const QString &heading, const QString &text,
                                const QStringList &points, const QList<QWidget *> &controls) {
    auto *card = new QFrame;
    card->setProperty("role", QStringLiteral("card"));
    card->setMaximumHeight(64 * grid);
    auto *layout = new QVBoxLayout(card);
    layout->setContentsMargins(3 * grid, 3 * grid, 3 * grid, 3 * grid);
    layout->setSpacing(grid * 3 / 2);
    layout->addWidget(new IconLabel(iconName, &Theme::accentText, 5 * grid));
    auto *headingLabel = makeLabel(heading, "title");
    headingLabel->setWordWrap(true);
    layout->addWidget(headingLabel);
    auto *textLabel = makeLabel(text, "");
    textLabel->setWordWrap(true);
    layout->addWidget(textLabel);
    for (const QString &point : points) {
        auto *line = new QHBoxLayout;
        line->setSpacing(grid);
        line->addWidget(new IconLabel(QStringLiteral("check"), &Theme::secondary, 2 * grid), 0, Qt::AlignTop);
        auto *label = makeLabel(point, "secondary");
        label->setWordWrap(true);
        line->addWidget(label, 1);
        layout->addLayout(line);
    }
    layout->addStretch(1);
    for (QWidget *control : controls)
        layout->addWidget(control);
    return card;
}

void FirstStartPage::refresh() {
    const bool underWay = m_demo.isUnderWay(), hadFocus = window()->focusWidget() == m_try;
    m_waiting->setText(m_home.waitingFor());
    for (QWidget *widget :
         {static_cast<QWidget *>(m_waiting), static_cast<QWidget *>(m_progress), static_cast<QWidget *>(m_cancel)})
        widget->setVisible(underWay);
    m_try->setVisible(!underWay);
    // Whoever pressed the button with a key can press the one in its place.
    if (underWay && hadFocus)
        m_cancel->setFocus();
}

}  // namespace hearth
