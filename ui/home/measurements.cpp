#include "ui/home/measurements.h"

#include <QDateTime>
#include <QLocale>
#include <algorithm>
#include <cmath>

#include "core/model/import/open_model.h"
#include "ui/base/home_source.h"
#include "ui/run/run_model.h"
#include "ui/words/format.h"
#include "ui/words/moment.h"

namespace hearth {

Measurements::Measurements(HomeSource &home, const RunModel &run, QObject *parent)
    : QObject(parent), m_home(home), m_run(run) {
    MeasureControl &control = home.measuring();
    connect(&control, &MeasureControl::changed, this, &Measurements::changed);
    connect(&control, &MeasureControl::ended, this, &Measurements::reload);
    connect(&control, &MeasureControl::failed, this, &Measurements::failed);
    connect(&home, &HomeSource::demoChanged, this, [this] {
        m_found = {};
        Q_EMIT changed();
        reload();
    });
    connect(&home, &HomeSource::devicesChanged, this, &Measurements::devicesChanged);
    // A run has measured what was not known, and all links, by the time it has a plan.
    connect(&run, &RunModel::planChanged, this, &Measurements::reload);
    connect(&run, &RunModel::stateChanged, this, &Measurements::changed);
    devicesChanged();
}

void Measurements::setJob(const Job &job, bool isValid) {
    const bool another = !haveSameNetwork(job, m_job) || job.precision != m_job.precision;
    m_job = job;
    if (isValid != std::exchange(m_isJobValid, isValid))
        Q_EMIT changed();
    if (another)
        reload();
}

void Measurements::look() {
    if (!std::exchange(m_isLookedAt, true))
        reload();
}

void Measurements::devicesChanged() {
    m_self = m_home.ownDevice().value_or(DeviceInfo()).id;
    if (threads() != m_threads)
        reload();
    else
        Q_EMIT changed();
}

QMap<QString, int> Measurements::threads() const {
    QMap<QString, int> threads;
    for (const DeviceInfo &device : m_home.devices())
        threads[device.id] = device.threads;
    return threads;
}

void Measurements::reload() {
    if (!m_isLookedAt)
        return;
    m_again = m_reading != nullptr;
    if (m_again)
        return;
    m_threads = threads();
    const QString folder = m_home.stateDir();
    const MeasurementChoice choice{{}, precisionName(m_job.precision), m_threads};
    m_reading = std::make_unique<BackgroundTask>();
    const auto over = [this] {
        m_reading.reset();
        if (std::exchange(m_again, false))
            reload();
    };
    m_reading->start<Read>(
        this,
        [folder, choice, job = m_job]() -> Result<Read> {
            Read read;
            MeasurementChoice wanted = choice;
            if (const auto opened = openModel(job.model)) {
                if (const auto network = networkOf(job, opened->model))
                    read.jobModel = wanted.modelSha256 = QString::fromLatin1(network->sha256());
            }
            if (!folder.isEmpty()) {
                const ProfileStore store(folder + QStringLiteral("/profiles"));
                read.found = chooseMeasurements(store.profiles(), store.links(), wanted);
                read.found.sharing = store.sharing();
            }
            return read;
        },
        [this, over](const Read &now) {
            m_found = now.found;
            m_jobModel = now.jobModel;
            Q_EMIT changed();
            if (!m_again)
                Q_EMIT this->read();
            over();
        },
        [over](const Error &) { over(); });
}

QString Measurements::ratioText(const QString &device) const {
    const double ratio = device == m_self ? 0 : m_found.ratio(device, m_self);
    if (ratio <= 0)
        return {};
    // Two figures: nobody compares computers more closely.
    if (ratio < 0.995)
        return tr("%1 % of this computer").arg(formatCount(std::max<qint64>(1, std::llround(100 * ratio))));
    return tr("%1 × this computer").arg(QLocale().toString(ratio, 'f', ratio < 9.95 ? 1 : 0));
}

QString Measurements::speedText(const QString &device) const {
    const MeasuredDevice *known = m_found.device(device);
    if (known == nullptr || known->samplesPerSecond <= 0)
        return {};
    const QString speed = tr("%1 samples/s").arg(formatNumber(known->samplesPerSecond));
    const QString ratio = ratioText(device);
    return ratio.isEmpty() ? speed : tr("%1 · %2").arg(speed, ratio);
}

QString Measurements::sourceText(const QString &device) const {
    const MeasuredDevice *known = m_found.device(device);
    if (known == nullptr)
        return {};
    const QString threads = tr("%n thread(s)", nullptr, known->threads);
    const QString source = tr("%1, %2, %3, %4 samples at a time. Measured %5.")
                               .arg(m_found.model, m_found.precision, threads, formatCount(m_found.batch),
                                    formatMoment(QDateTime::fromMSecsSinceEpoch(known->measured)));
    if (known->relativeError <= 0)
        return source;
    return tr("%1 Not all of it: the rest is predicted, ± %2 %.")
        .arg(source, formatCount(std::lround(100 * known->relativeError)));
}

MeasureStatus Measurements::status() const {
    return m_home.measuring().status();
}

std::optional<std::pair<int, int>> Measurements::progressOf(const DeviceInfo &device) const {
    return measuringProgress(status(), device, m_run);
}

std::optional<std::pair<int, int>> measuringProgress(const MeasureStatus &now, const DeviceInfo &device,
                                                     const RunModel &run) {
    if (!now.isOn)
        return std::nullopt;
    if (const auto at = now.progress.constFind(device.id); at != now.progress.constEnd())
        return *at;
    // Whoever is at work, and not for a run, is there for the links.
    if (device.state == DeviceState::Training && !run.isLive())
        return std::pair(0, 0);
    return std::nullopt;
}

QString Measurements::progressText() const {
    const MeasureStatus now = status();
    if (!now.isOn)
        return {};
    if (now.isEnding)
        return tr("Stopping the measurement …");
    int done = 0, all = 0;
    for (const auto &[one, of] : now.progress) {
        done += one;
        all += of;
    }
    if (all == 0)
        return tr("Starting the measurement …");
    return done < all ? measuringText(done, all, now.end) : tr("Measuring the links …");
}

bool Measurements::isMeasured(const QString &device) const {
    return !m_jobModel.isEmpty() && m_found.modelSha256 == m_jobModel &&
           m_found.precision == precisionName(m_job.precision) && m_found.device(device) != nullptr;
}

bool Measurements::areAllMeasured() const {
    const std::vector<DeviceInfo> devices = m_home.devices();
    return std::ranges::any_of(devices, [](const DeviceInfo &each) { return takesWork(each.state); }) &&
           std::ranges::all_of(
               devices, [this](const DeviceInfo &each) { return !takesWork(each.state) || isMeasured(each.id); });
}

QString Measurements::whyNot(const QString &device) const {
    if (!m_home.waitingFor().isEmpty())
        return m_home.waitingFor();
    if (m_run.isLive())
        return tr("A run is under way; measured now, devices would look slower than they are.");
    const std::vector<DeviceInfo> devices = m_home.devices();
    bool anyReady = false;
    for (const DeviceInfo &each : devices) {
        const bool ready = each.state == DeviceState::Ready;
        anyReady |= ready;
        if (each.id != device || ready)
            continue;
        return each.state == DeviceState::Training
                   ? tr("It is training; measured now, it would look slower than it is.")
                   : tr("It takes no work now.");
    }
    if (!anyReady)
        return tr("No device is ready.");
    return m_isJobValid ? QString() : tr("The job has values that cannot be used; correct them first.");
}

void Measurements::measure(const QStringList &devices, bool again) {
    QStringList wanted = devices;
    const std::vector<DeviceInfo> all = m_home.devices();
    // One that is at work is the far end of links, and not measured itself.
    if (devices.isEmpty() &&
        std::ranges::any_of(all, [](const DeviceInfo &each) { return each.state == DeviceState::Training; })) {
        for (const DeviceInfo &each : all) {
            if (each.state == DeviceState::Ready)
                wanted << each.id;
        }
    }
    m_home.measuring().start({m_job, wanted, again});
}

void Measurements::cancel() {
    m_home.measuring().cancel();
}

}  // namespace hearth
