#include "ui/home/computer_picker.h"

#include <QListWidget>
#include <QScrollBar>

#include "core/install/ssh_host.h"
#include "ui/base/home_source.h"
#include "ui/base/widgets.h"
#include "ui/home/nearby_view.h"

namespace hearth {
namespace {

constexpr int computerHeight = 7 * grid / 2;
constexpr int inSight = 4;  // the others scroll
// With its frame. As high without a list: what stands below is not to move away from under a hand.
constexpr int listHeight = inSight * computerHeight + grid / 2;
constexpr quint16 usualSshPort = 22;

enum ComputerRole { HostRole = Qt::UserRole, PlaceRole };

QString sshPlaceOf(const FoundComputer &computer) {
    SshTarget target;
    target.host = computer.addresses.value(0);
    target.port = computer.sshPort == usualSshPort ? quint16(0) : computer.sshPort;
    return target.toString();
}

QString computerHost(const QListWidgetItem *item) {
    return item != nullptr ? item->data(HostRole).toString() : QString();
}

QString computerLine(const FoundComputer &computer) {
    const QString place = sshPlaceOf(computer);
    const QString line = computer.name.isEmpty() ? place : QStringLiteral("%1 · %2").arg(computer.name, place);
    if (computer.hasHearth)
        return ComputerPicker::tr("%1 · has Hearth").arg(line);
    return computer.sshPort == 0 ? ComputerPicker::tr("%1 · does not announce SSH").arg(line) : line;
}

}  // namespace

ComputerPicker::ComputerPicker(const HomeSource &home, QWidget *parent)
    : QWidget(parent), m_home(home), m_list(new QListWidget), m_empty(makeLabel({}, "secondary")) {
    m_list->setObjectName(QStringLiteral("foundComputers"));
    m_list->setAccessibleName(tr("Computers found in this network"));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideMiddle);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_empty->setObjectName(QStringLiteral("foundNoComputers"));
    m_empty->setWordWrap(true);
    m_empty->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_list->setFixedHeight(listHeight);
    m_empty->setFixedHeight(listHeight);
    auto *layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(grid / 2);
    layout->addWidget(makeLabel(tr("Found in this network"), "strong"));
    layout->addWidget(m_list);
    layout->addWidget(m_empty);
    connect(m_list, &QListWidget::itemClicked, this, &ComputerPicker::choose);
    connect(m_list, &QListWidget::itemActivated, this, &ComputerPicker::choose);
    connect(m_list, &QListWidget::itemSelectionChanged, this, [this] {
        // A list that was filled anew marks the one again that was chosen before.
        const QList<QListWidgetItem *> selected = m_list->selectedItems();
        if (!selected.isEmpty() && computerHost(selected.first()) != m_chosen)
            choose(selected.first());
    });
    connect(&home, &HomeSource::nearbyChanged, this, &ComputerPicker::refresh);
    connect(&home, &HomeSource::demoChanged, this, &ComputerPicker::refresh);
    fill();
    refresh();
}

void ComputerPicker::refresh() {
    const Nearby nearby = m_home.nearby();
    if (nearby.computers != m_computers) {
        m_computers = nearby.computers;
        fill();
    }
    const QString blind = NearbyView::whyBlind(nearby.status.state);
    m_empty->setText(blind.isEmpty() ? emptyText() : blind);
}

QString ComputerPicker::emptyText() const {
    switch (m_home.computerSearch()) {
        case ComputerSearch::Looking:
            return tr("Looking for computers …");
        case ComputerSearch::Looked:
            return tr("No computer here announces SSH. Type its address below.");
        case ComputerSearch::Impossible:
            break;
    }
    return tr("Type its address below.");
}

void ComputerPicker::fill() {
    const QString current = computerHost(m_list->currentItem());
    const int scrolled = m_list->verticalScrollBar()->value();
    m_list->clear();
    m_list->setCurrentIndex({});  // else the focus makes the first line current, and the first arrow key skips it
    for (const FoundComputer &computer : m_computers) {
        auto *item = new QListWidgetItem(computerLine(computer), m_list);
        item->setData(HostRole, computer.host);
        item->setData(PlaceRole, sshPlaceOf(computer));
        item->setSizeHint({0, computerHeight});
        if (computer.host == current)
            m_list->setCurrentItem(item, QItemSelectionModel::NoUpdate);
        if (computer.host == m_chosen)
            item->setSelected(true);
    }
    m_list->doItemsLayout();  // else it cannot be scrolled yet
    m_list->verticalScrollBar()->setValue(scrolled);
    m_list->setVisible(!m_computers.empty());
    m_empty->setVisible(m_computers.empty());
}

void ComputerPicker::choose(const QListWidgetItem *item) {
    m_chosen = computerHost(item);
    Q_EMIT chosen(item->data(PlaceRole).toString());
}

}  // namespace hearth
