#include "ui/home/home_page.h"

#include <QButtonGroup>
#include <QHeaderView>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "ui/base/home_source.h"
#include "ui/base/pairing_control.h"
#include "ui/base/questions.h"
#include "ui/base/rail.h"
#include "ui/base/widgets.h"
#include "ui/home/add_devices.h"
#include "ui/home/assistant_dialog.h"
#include "ui/home/device_detail.h"
#include "ui/home/device_table_model.h"
#include "ui/home/first_measurement.h"
#include "ui/home/home_view.h"
#include "ui/home/ignored_dialog.h"
#include "ui/home/install_dialog.h"
#include "ui/home/measurements.h"
#include "ui/home/nearby_view.h"
#include "ui/home/pairing_dialog.h"
#include "ui/home/pairing_entry.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"

namespace hearth {

HomePage::HomePage(HomeSource &home, const RunModel &run, Questions &questions, QWidget *parent)
    : Page(QStringLiteral("homePage"), tr("Home"), parent),
      m_home(home),
      m_questions(questions),
      m_run(run),
      m_start(makePrimary(QStringLiteral("homeStart"), tr("Start training"))),
      m_views(new QStackedWidget),
      m_measurements(new Measurements(home, run, this)),
      m_view(new HomeView(home, run, *m_measurements)),
      m_nearby(new NearbyView(home)),
      m_table(new QTableView),
      m_detail(new DeviceDetail(home, run, *m_measurements)),
      m_add(new AddDevices(home, questions)),
      m_addButton(makeButton(QStringLiteral("homeAdd"), tr("Add a device …"), "")),
      m_measure(makeButton(QStringLiteral("homeMeasure"), tr("Measure"), "")) {
    addAction(m_addButton);
    addAction(m_measure);
    connect(m_measure, &QPushButton::clicked, this, &HomePage::measureOrCancel);
    connect(m_measurements, &Measurements::changed, this, &HomePage::refresh);
    connect(m_measurements, &Measurements::failed, &home, &HomeSource::failed);
    connect(m_addButton, &QPushButton::clicked, this, &HomePage::showAddDevices);
    connect(m_add, &AddDevices::closed, m_add, &QWidget::hide);
    connect(m_add, &AddDevices::installWanted, this, [this] { install({}); });
    connect(m_detail, &DeviceDetail::installWanted, this, &HomePage::install);
    connect(m_add, &AddDevices::pairingWanted, this, [this](const QStringList &addresses) { pairWith(addresses, {}); });
    connect(m_detail, &DeviceDetail::forgetWanted, this, &HomePage::forget);
    auto *wantsToPair = new PairingEntry(home);
    connect(wantsToPair, &PairingEntry::accepted, this, &HomePage::showPairing);
    // While a dialog is open it tells itself what goes wrong.
    connect(&home.pairing(), &PairingControl::failed, this, [this](const Error &error) {
        if (!m_pairing || !m_pairing->isVisible())
            Q_EMIT m_home.failed(error);
    });
    auto *picture = makeButton(QStringLiteral("showPicture"), tr("Picture"), "segment");
    auto *list = makeButton(QStringLiteral("showList"), tr("List"), "segment");
    setThemedIcon(picture, QStringLiteral("picture"), &Theme::secondary, &Theme::accentText);
    setThemedIcon(list, QStringLiteral("table"), &Theme::secondary, &Theme::accentText);
    auto *kinds = new QButtonGroup(this);
    for (QPushButton *button : {picture, list}) {
        button->setCheckable(true);
        kinds->addButton(button);
        addAction(button);
    }
    picture->setChecked(true);
    connect(picture, &QPushButton::clicked, this, [this] { m_views->setCurrentWidget(m_view); });
    connect(list, &QPushButton::clicked, this, [this] { m_views->setCurrentWidget(m_table); });
    connect(m_start, &QPushButton::clicked, this, &HomePage::startWanted);

    buildTable();
    m_views->addWidget(m_view);
    m_views->addWidget(m_table);
    auto *content = new QWidget;
    auto *rows = new QVBoxLayout(content);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(2 * grid);
    auto *layout = new QHBoxLayout;
    layout->setSpacing(2 * grid);
    auto *devices = new QVBoxLayout;
    devices->setSpacing(2 * grid);
    devices->addWidget(m_views, 1);
    devices->addWidget(m_nearby);
    layout->addLayout(devices, 1);
    layout->addWidget(m_detail);
    layout->addWidget(m_add);
    rows->addLayout(layout, 1);
    setContent(content);
    addFloating(wantsToPair);
    QPushButton *begin =
        setEmptyState(QStringLiteral("home"), tr("No devices yet"),
                      tr("Devices of your home appear here as soon as the agent on this computer answers."),
                      tr("Ways to get started"), -1);
    connect(begin, &QPushButton::clicked, this, &HomePage::gettingStartedWanted);

    m_nearby->offer(NearbyView::Actions(NearbyView::Pair) | NearbyView::Ignore);
    connect(m_nearby, &NearbyView::ignoreRequested, this,
            [this](const QString &prefix) { m_home.pairing().ignore(prefix); });
    connect(m_nearby, &NearbyView::ignoredRequested, this, [this] {
        auto *ignored = new IgnoredDialog(m_home, window());
        ignored->setAttribute(Qt::WA_DeleteOnClose);
        ignored->open();
    });
    connect(m_nearby, &NearbyView::pairRequested, this, &HomePage::pairWithNearby);
    connect(m_nearby, &NearbyView::installRequested, this, [this] { install({}); });
    connect(m_nearby, &NearbyView::assistantRequested, this, &HomePage::openAssistant);
    connect(m_view, &HomeView::deviceChosen, this, &HomePage::choose);
    connect(m_detail, &DeviceDetail::closed, this, [this] { choose({}); });
    connect(&home, &HomeSource::devicesChanged, this, &HomePage::refresh);
    connect(&home, &HomeSource::waitingChanged, this, &HomePage::refresh);
    connect(&run, &RunModel::stateChanged, this, &HomePage::refresh);
    connect(&run, &RunModel::cleared, this, &HomePage::refresh);
    refresh();
}

void HomePage::buildTable() {
    auto *sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(new DeviceTableModel(m_home, m_run, *m_measurements, this));
    sorted->setSortRole(DeviceTableModel::SortRole);
    sorted->setSortLocaleAware(true);
    m_table->setObjectName(QStringLiteral("deviceTable"));
    m_table->setAccessibleName(tr("Devices of the home"));
    m_table->setModel(sorted);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(-1, Qt::AscendingOrder);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setShowGrid(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(5 * grid);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_table->horizontalHeader()->setStretchLastSection(true);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->horizontalHeader()->setHighlightSections(false);
    // A device came or went.
    connect(sorted, &QAbstractItemModel::modelReset, this, &HomePage::markInTable);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex &current) { choose(current.data(DeviceTableModel::IdRole).toString()); });
}

void HomePage::showEvent(QShowEvent *event) {
    Page::showEvent(event);
    m_measurements->look();
}

void HomePage::setJob(const Job &job, bool isValid) {
    m_measurements->setJob(job, isValid);
}

void HomePage::measureOrCancel() {
    if (m_measurements->status().isOn)
        m_measurements->cancel();
    else
        m_measurements->measure({}, m_measurements->areAllMeasured());
}

void HomePage::resizeEvent(QResizeEvent *event) {
    Page::resizeEvent(event);
    // In a low window the picture above needs the room.
    m_nearby->setVisibleRows(height() < 90 * grid ? 2 : 3);
}

void HomePage::openAssistant() {
    auto *assistant = new AssistantDialog(m_home, window());
    assistant->setAttribute(Qt::WA_DeleteOnClose);
    assistant->open();
}

void HomePage::showAddDevices() {
    choose({});
    m_add->show();
    m_add->nextInFocusChain()->setFocus();
}

void HomePage::pairWith(const QStringList &addresses, const QString &prefix) {
    // Its end would cancel what begins now.
    if (m_pairing)
        m_pairing->close();
    m_home.pairing().start(addresses, prefix);
    showPairing();
}

void HomePage::pairWithNearby(const QString &prefix) {
    for (const NearbyDevice &device : m_home.nearby().devices) {
        if (device.prefix == prefix)
            pairWith(device.addresses, prefix);
    }
}

void HomePage::showPairing() {
    if (m_pairing)
        m_pairing->close();
    m_pairing = new PairingDialog(m_home.pairing(), new FirstMeasurement(m_home, *m_measurements), window());
    m_pairing->setAttribute(Qt::WA_DeleteOnClose);
    m_pairing->show();
}

void HomePage::install(const QString &host) {
    auto *dialog = new InstallDialog(m_home, m_questions, m_measurements, window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setHost(host);
    dialog->open();
}

void HomePage::forget(const QString &device, const QString &name) {
    if (m_questions.askForget(window(), name))
        m_home.pairing().forget(device);
}

void HomePage::choose(const QString &device) {
    m_chosen = device;
    // One panel at a time: there is no room for two beside the picture.
    if (!device.isEmpty())
        m_add->hide();
    m_detail->show(device);
    // Picture and list mark the same one: what is marked already would not open its details again.
    {
        const QSignalBlocker quiet(m_view);
        m_view->select(device);
    }
    markInTable();
}

void HomePage::markInTable() {
    const auto idOf = [](const QModelIndex &index) { return index.data(DeviceTableModel::IdRole).toString(); };
    if (idOf(m_table->currentIndex()) == m_chosen)
        return;
    const QAbstractItemModel *rows = m_table->model();
    for (int row = 0; row < rows->rowCount(); ++row) {
        if (idOf(rows->index(row, 0)) == m_chosen)
            return m_table->setCurrentIndex(rows->index(row, 0));
    }
    m_table->clearSelection();
    m_table->setCurrentIndex({});
}

void HomePage::setWhyNotStart(const QString &why) {
    m_whyNotStart = why;
    refresh();
}

void HomePage::refresh() {
    const std::vector<DeviceInfo> devices = m_home.devices();
    const QString waiting = m_home.waitingFor();
    showEmpty(devices.empty());
    // A demo home is whole as it is.
    m_addButton->setVisible(!m_home.isDemo());
    m_nearby->setVisible(!m_home.isDemo());
    m_addButton->setEnabled(!devices.empty());
    m_addButton->setToolTip(devices.empty() ? tr("The agent of this computer has to answer first.") : QString());
    if (m_home.isDemo())
        m_add->hide();
    m_start->setText(m_run.isTraining() ? tr("Watch training") : tr("Start training"));
    m_start->setEnabled(m_run.isTraining() || m_whyNotStart.isEmpty());
    m_start->setToolTip(m_start->isEnabled() ? QString() : m_whyNotStart);
    setSubtitle(waiting.isEmpty() ? subtitleOf(devices.size()) : waiting);
    refreshMeasure();
}

QString HomePage::subtitleOf(std::size_t devices) const {
    if (const QString progress = m_measurements->progressText(); !progress.isEmpty())
        return progress;
    const int count = static_cast<int>(devices);
    const QString who =
        m_home.isDemo()
            ? tr("A demo home of %n device(s) inside this computer. It ends with this window.", nullptr, count)
        : devices == 0 ? QString()
        : devices == 1 ? tr("Only this computer so far")
                       : tr("%n device(s) that trust each other", nullptr, count);
    const QString &model = m_measurements->found().model;
    return who.isEmpty() || model.isEmpty() ? who : tr("%1 · speeds with %2").arg(who, model);
}

void HomePage::refreshMeasure() {
    const bool isOn = m_measurements->status().isOn;
    const QString whyNot = isOn ? QString() : m_measurements->whyNot();
    m_measure->setText(isOn                               ? tr("Cancel measuring")
                       : m_measurements->areAllMeasured() ? tr("Measure again")
                                                          : tr("Measure"));
    m_measure->setEnabled(whyNot.isEmpty() && !m_measurements->status().isEnding);
    m_measure->setToolTip(!whyNot.isEmpty() ? whyNot
                          : isOn            ? tr("Measurements so far are kept.")
                                 : tr("How fast the devices and their links are, with the model of the job."));
}

}  // namespace hearth
