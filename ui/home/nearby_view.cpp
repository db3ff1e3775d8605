#include "ui/home/nearby_view.h"

#include <QScrollArea>
#include <algorithm>

#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/home/computer_look.h"
#include "ui/home/nearby_list.h"
#include "ui/words/format.h"

namespace hearth {
namespace {

constexpr int rowHeight = 5 * grid;

}  // namespace

class NearbyView::Row : public QWidget {
  public:
    explicit Row(NearbyView &view)
        : m_icon(new IconLabel(QStringLiteral("found"), &Theme::accentText, 2 * grid)),
          m_name(new ElidedLabel),
          m_key(makeLabel({}, "mono")),
          m_note(new ElidedLabel),
          m_ignore(makeButton({}, tr("Ignore"), "link")),
          m_pair(makeButton({}, tr("Pair …"), "")) {
        m_name->setProperty("role", QStringLiteral("strong"));
        m_note->setProperty("role", QStringLiteral("small"));
        auto *layout = new QHBoxLayout(this);
        layout->setContentsMargins(0, 0, grid, 0);
        layout->setSpacing(grid);
        layout->addWidget(m_icon);
        layout->addWidget(m_name, 3);
        layout->addWidget(m_key);
        layout->addWidget(m_note, 4);
        layout->addWidget(m_ignore);
        layout->addWidget(m_pair);
        setFixedHeight(rowHeight);
        connect(m_pair, &QPushButton::clicked, &view, [this, &view] { Q_EMIT view.pairRequested(m_prefix); });
        connect(m_ignore, &QPushButton::clicked, &view, [this, &view] { Q_EMIT view.ignoreRequested(m_prefix); });
    }

    void show(const QModelIndex &device, bool isOdd, Actions actions) {
        m_prefix = device.data(NearbyList::PrefixRole).toString();
        const QString name = device.data().toString();
        m_icon->setIcon(isOdd ? QStringLiteral("warning") : QStringLiteral("found"),
                        isOdd ? &Theme::slow : &Theme::accentText);
        m_name->setFullText(name);
        m_key->setText(formatFingerprint(m_prefix));
        m_key->setAccessibleName(tr("First digits of its key: %1").arg(m_key->text()));
        m_key->setToolTip(m_key->accessibleName());
        m_note->setFullText(device.data(NearbyList::NoteRole).toString());
        m_pair->setObjectName(QStringLiteral("pairNearby-") + m_prefix);
        m_pair->setAccessibleName(tr("Pair %1").arg(name));
        m_pair->setVisible(actions.testFlag(Pair));
        m_ignore->setObjectName(QStringLiteral("ignoreNearby-") + m_prefix);
        m_ignore->setAccessibleName(tr("Ignore %1").arg(name));
        m_ignore->setToolTip(tr("Hidden from now on; “Ignored devices” shows it again"));
        m_ignore->setVisible(actions.testFlag(Ignore));
    }

  private:
    static QString tr(const char *text) { return NearbyView::tr(text); }

    QString m_prefix;
    IconLabel *m_icon;
    ElidedLabel *m_name;
    QLabel *m_key;
    ElidedLabel *m_note;
    QPushButton *m_ignore, *m_pair;
};

NearbyView::NearbyView(HomeSource &home, QWidget *parent)
    : QFrame(parent),
      m_home(home),
      m_list(new NearbyList(home, this)),
      m_ignored(makeButton(QStringLiteral("openIgnored"), {}, "link")),
      m_empty(makeLabel({}, "secondary")),
      m_computers(new ElidedLabel),
      m_install(makeInstallRow()) {
    setObjectName(QStringLiteral("nearbyView"));
    setProperty("role", QStringLiteral("card"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    auto *why = makeButton(QStringLiteral("openAssistant"), tr("Why can’t I see my device?"), "link");
    connect(why, &QPushButton::clicked, this, &NearbyView::assistantRequested);
    auto *head = new QHBoxLayout;
    head->addWidget(makeLabel(tr("Found nearby"), "strong"), 1);
    head->addWidget(m_ignored);
    connect(m_ignored, &QPushButton::clicked, this, &NearbyView::ignoredRequested);
    head->addWidget(why);
    m_empty->setObjectName(QStringLiteral("nearbyEmpty"));
    m_empty->setWordWrap(true);

    auto *body = new QWidget;
    m_layout = new QVBoxLayout(body);
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(0);
    m_layout->addWidget(m_install);
    m_layout->addStretch(1);
    m_scroll = makeScroll(QStringLiteral("nearbyScroll"), body, Qt::NoFocus);
    m_scroll->setAccessibleName(tr("Devices found nearby"));

    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * grid, grid, grid, grid);
    layout->setSpacing(grid / 2);
    layout->addLayout(head);
    layout->addWidget(m_empty);
    layout->addWidget(m_scroll);

    connect(m_list, &QAbstractItemModel::rowsInserted, this,
            [this](const QModelIndex &, int first, int last) { insertRows(first, last); });
    connect(m_list, &QAbstractItemModel::rowsRemoved, this,
            [this](const QModelIndex &, int first, int last) { removeRows(first, last); });
    connect(m_list, &QAbstractItemModel::rowsMoved, this, [this] { refreshRows(0, m_list->rowCount() - 1); });
    connect(m_list, &QAbstractItemModel::dataChanged, this,
            [this](const QModelIndex &first, const QModelIndex &last) { refreshRows(first.row(), last.row()); });
    connect(&home, &HomeSource::nearbyChanged, this, &NearbyView::refresh);
    connect(&home, &HomeSource::demoChanged, this, &NearbyView::refresh);
    new ComputerLook(home, this);
    insertRows(0, m_list->rowCount() - 1);
    refresh();
}

QWidget *NearbyView::makeInstallRow() {
    m_computers->setObjectName(QStringLiteral("nearbyComputers"));
    auto *go = makeButton(QStringLiteral("installNearby"), tr("Install …"), "");
    go->setAccessibleName(tr("Install Hearth on a computer of this network"));
    connect(go, &QPushButton::clicked, this, &NearbyView::installRequested);
    auto *row = new QWidget;
    row->setFixedHeight(rowHeight);
    auto *layout = new QHBoxLayout(row);
    layout->setContentsMargins(0, 0, grid, 0);
    layout->setSpacing(grid);
    layout->addWidget(new IconLabel(QStringLiteral("computer"), &Theme::secondary, 2 * grid));
    layout->addWidget(m_computers, 1);
    layout->addWidget(go);
    return row;
}

QString NearbyView::whyBlind(DiscoveryState state) {
    switch (state) {
        case DiscoveryState::Off:
            return tr("Not looking for devices: discovery is turned off in the agent of this computer.");
        case DiscoveryState::Absent:
            return tr("Can't look for devices: network discovery (Avahi) is off.");
        case DiscoveryState::Failed:
            return tr("Can't look for devices: network discovery (Avahi) refuses.");
        case DiscoveryState::Starting:
        case DiscoveryState::Running:
            break;
    }
    return {};
}

void NearbyView::offer(Actions actions) {
    m_actions = actions;
    refreshRows(0, m_list->rowCount() - 1);
}

void NearbyView::setVisibleRows(int rows) {
    if (rows != m_visibleRows) {
        m_visibleRows = rows;
        refresh();
    }
}

void NearbyView::insertRows(int first, int last) {
    for (int row = first; row <= last; ++row) {
        m_rows.insert(row, new Row(*this));
        m_layout->insertWidget(row, m_rows[row]);
    }
    refreshRows(first, last);
    refresh();
}

void NearbyView::removeRows(int first, int last) {
    // A button of it may be what is being pressed.
    for (int row = last; row >= first; --row) {
        Row *gone = m_rows.takeAt(row);
        m_layout->removeWidget(gone);
        gone->hide();
        gone->deleteLater();
    }
    refresh();
}

void NearbyView::refreshRows(int first, int last) {
    for (int row = first; row <= last; ++row)
        m_rows[row]->show(m_list->index(row), m_list->isOdd(row), m_actions);
}

void NearbyView::refresh() {
    const Nearby nearby = m_home.nearby();
    const auto ignored = static_cast<int>(nearby.ignored.size());
    m_ignored->setText(tr("Ignored devices (%n) …", nullptr, ignored));
    m_ignored->setVisible(ignored > 0);
    // One line for all of them: in a house of flats there may be many.
    const auto computers = static_cast<int>(std::ranges::count_if(
        nearby.computers, [](const FoundComputer &computer) { return computer.sshPort != 0 && !computer.hasHearth; }));
    m_computers->setFullText(tr("%n computer(s) in this network offer(s) SSH", nullptr, computers));
    m_install->setVisible(computers > 0);
    const int rows = static_cast<int>(m_rows.size()) + (computers > 0 ? 1 : 0);
    m_empty->setVisible(m_rows.isEmpty());
    m_scroll->setVisible(rows > 0);
    m_scroll->setFixedHeight(rowHeight * std::min(m_visibleRows, rows));
    const QString blind = whyBlind(nearby.status.state);
    m_empty->setText(blind.isEmpty() ? tr("No devices yet. They appear here as soon as Hearth runs on them.") : blind);
}

}  // namespace hearth
