#include "core/run/measure_links.h"

#include <QDateTime>
#include <QHostAddress>
#include <algorithm>
#include <cmath>

#include "core/base/median.h"
#include "core/profile/profile_limits.h"
#include "core/run/fitting_plan.h"

namespace hearth {
namespace {

struct BurstEffort {
    std::size_t times;     // of each direction
    double alone, atOnce;  // seconds of a burst
    qint64 mostBytes;
};
/// Before a run the time to its first round counts.
constexpr BurstEffort briefBursts{1, 0.2, 0.1, 16 << 20}, wholeBursts{3, 0.3, 0.3, 64 << 20};
/// Of the burst that tells how large the next one has to be: quick on a home's slowest link.
constexpr qint64 firstBurstBytes = 256 << 10;
/// Less is over before it says anything.
constexpr qint64 leastAtOnceBytes = 64 << 10;
/// Where a link looked slower than it is.
constexpr int mostSmallBursts = 2;
/// In which a connection is made: bursts at once begin together then.
constexpr std::chrono::milliseconds burstLead{100};
/// A device that does not answer must not hold up a run.
constexpr std::chrono::milliseconds atOnceDeadline{10'000};
constexpr qint64 sharingValidMs = qint64{24} * 3600 * 1000;
/// A link that changed by more is another one, for instance Wi-Fi instead of a cable.
constexpr double mostRateChange = 1.5;

qint64 burstBytes(double seconds, double bytesPerSecond, qint64 most) {
    const double bytes = std::min(seconds * bytesPerSecond, static_cast<double>(most));
    return std::max<qint64>(1, std::llround(bytes));
}

const BurstEffort &burstEffortOf(const LinkScope &scope) {
    return scope.whole ? wholeBursts : briefBursts;
}

}  // namespace

MeasureLinks::MeasureLinks(const std::vector<WorkerSession *> &workers, const LinkScope &scope,
                           const ProfileStore &store, const RunDeadlines &deadlines, QObject *parent)
    : QObject(parent),
      m_workers(workers),
      m_scope(scope),
      m_store(store),
      m_deadlines(deadlines),
      m_isTaken(workers.size()) {
    for (const WorkerSession *worker : workers)
        m_ids << worker->id();
    const auto isWanted = [this](std::size_t index) {
        return m_scope.any && (m_scope.of.isEmpty() || m_scope.of.contains(m_workers[index]->id()));
    };
    for (std::size_t from = 0; from < workers.size(); ++from) {
        for (std::size_t to = 0; to < workers.size(); ++to) {
            if (from != to && (isWanted(from) || isWanted(to)))
                m_left.emplace_back(from, to);
        }
    }
}

void MeasureLinks::take(std::size_t index) {
    m_isTaken[index] = true;
    next();
}

void MeasureLinks::next() {
    if (m_over || m_isMeasuring)
        return;
    const auto direction = std::ranges::find_if(
        m_left, [this](const Direction &each) { return m_isTaken[each.first] && m_isTaken[each.second]; });
    if (direction != m_left.end()) {
        const Direction chosen = *direction;
        m_left.erase(direction);
        m_isMeasuring = true;
        m_bursts.clear();
        m_tries = 0;
        measure(chosen, firstBurstBytes);
    } else if (std::find(m_isTaken.begin(), m_isTaken.end(), false) == m_isTaken.end()) {
        findSharing();
    }
}

void MeasureLinks::measure(const Direction &direction, qint64 bytes) {
    burst(direction, bytes, std::chrono::milliseconds(0), m_deadlines.linkProbe,
          [this, direction, bytes](const Result<Burst> &told) {
              if (told)
                  takeBurst(direction, *told, bytes);
              else if (isMemoryError(told.error()))
                  Q_EMIT failed(told.error());
              else
                  takeUnreachable(direction, told.error());
          });
}

void MeasureLinks::takeBurst(const Direction &direction, const Burst &burst, qint64 bytes) {
    const BurstEffort &effort = burstEffortOf(m_scope);
    const qint64 wanted = burstBytes(effort.alone, burst.bytesPerSecond, effort.mostBytes);
    if (2 * bytes < wanted && m_tries < mostSmallBursts) {
        ++m_tries;
        measure(direction, wanted);
        return;
    }
    m_bursts.push_back(burst);
    if (m_bursts.size() < effort.times) {
        measure(direction, bytes);
        return;
    }
    std::vector<double> rates, latencies;
    for (const Burst &each : m_bursts) {
        rates.push_back(each.bytesPerSecond);
        latencies.push_back(each.latencySeconds);
    }
    m_links.pairs.push_back({m_workers[direction.first]->id(), m_workers[direction.second]->id(),
                             medianOf(std::move(rates)), medianOf(std::move(latencies))});
    m_isMeasuring = false;
    next();
}

/// Plans do without this direction; others may go round.
void MeasureLinks::takeUnreachable(const Direction &direction, const Error &why) {
    const WorkerSession &from = *m_workers[direction.first], &to = *m_workers[direction.second];
    m_links.pairs.push_back({from.id(), to.id(), 0, 0});
    Q_EMIT warning({QStringLiteral("run.unreachable"),
                    sentence("%1 does not reach %2.").arg(from.device().name, to.device().name), why.toSentence(),
                    sentence("Check the network between the two. The run goes on with a plan that does not need "
                             "this connection.")});
    m_isMeasuring = false;
    next();
}

/// A worker of an older version does not know `wait_ms`: then bursts begin as soon as they can.
void MeasureLinks::burst(const Direction &direction, qint64 bytes, std::chrono::milliseconds wait,
                         std::chrono::milliseconds deadline, Told told) {
    WorkerSession *from = m_workers[direction.first];
    const WorkerSession *to = m_workers[direction.second];
    QCborMap args{{QStringLiteral("fingerprint"), to->address().fingerprint.toHex()},
                  {QStringLiteral("address"), from->placeOf(*to)},
                  {QStringLiteral("port"), to->address().port},
                  {QStringLiteral("bytes"), bytes}};
    if (wait.count() > 0)
        args[QStringLiteral("wait_ms")] = qint64{wait.count()};
    from->call(QStringLiteral("link.probe"), args, deadline, this,
               [this, told = std::move(told)](const Result<QCborMap> &reply) {
                   if (!m_over)
                       told(reply.and_then([](const QCborMap &map) { return read(map); }));
               });
}

Result<MeasureLinks::Burst> MeasureLinks::read(const QCborMap &reply) {
    const Burst burst{reply[QStringLiteral("bytes_per_s")].toDouble(), reply[QStringLiteral("latency_s")].toDouble()};
    const bool isRate = burst.bytesPerSecond >= ProfileLimits::leastBytesPerSecond &&
                        burst.bytesPerSecond <= ProfileLimits::bytesPerSecond;
    if (!isRate || !(burst.latencySeconds >= 0 && burst.latencySeconds <= ProfileLimits::latencySeconds))
        return fail(QStringLiteral("run.bad-probe"), sentence("The measurement gave no sensible rate."));
    return burst;
}

bool MeasureLinks::areAsFastAsBefore() const {
    const std::vector<LinkProfile::Pair> before = m_store.links();
    return std::ranges::all_of(m_links.pairs, [&](const LinkProfile::Pair &link) {
        // Whoever was not reached has no rate to be kept, nor one to change.
        return link.bytesPerSecond <= 0 || std::ranges::any_of(before, [&](const LinkProfile::Pair &old) {
                   return old.from == link.from && old.to == link.to &&
                          link.bytesPerSecond <= old.bytesPerSecond * mostRateChange &&
                          old.bytesPerSecond <= link.bytesPerSecond * mostRateChange;
               });
    });
}

/// Whether there is something to measure at once.
bool MeasureLinks::hasSharing() {
    const auto isInside = [this](const LinkProfile::Pair &link) {
        const Direction direction = directionOf({link.from, link.to});
        return QHostAddress(m_workers[direction.first]->placeOf(*m_workers[direction.second])).isLoopback();
    };
    if (m_links.pairs.empty() || std::ranges::any_of(m_links.pairs, isInside))
        return false;
    if (!m_scope.whole && !m_scope.again) {
        const std::vector<StoredSharing> stored = m_store.sharing();
        const StoredSharing *known = newestSharing(stored, m_ids);
        if (known && QDateTime::currentMSecsSinceEpoch() - known->measured < sharingValidMs && areAsFastAsBefore()) {
            const LinkProfile found = known->of(m_ids);
            m_links.nics = found.nics;
            m_links.media = found.media;
            rateMedia(m_links, m_links.pairs);
            return false;
        }
    }
    if (!m_scope.of.isEmpty())
        return false;
    m_tests.emplace(m_ids, m_links.pairs);
    return true;
}

void MeasureLinks::findSharing() {
    if (!m_tests && !hasSharing()) {
        Q_EMIT finished();
        return;
    }
    if (m_tests->next().empty()) {
        m_links.nics = m_tests->found().nics;
        m_links.media = m_tests->found().media;
        Q_EMIT finished();
        return;
    }
    measureAtOnce(m_tests->next());
}

void MeasureLinks::measureAtOnce(const SharingTests::Transfers &transfers) {
    const BurstEffort &effort = burstEffortOf(m_scope);
    std::vector<double> alone;
    double seconds = effort.atOnce;
    for (const auto &transfer : transfers) {
        const auto link = std::ranges::find_if(m_links.pairs, [&](const LinkProfile::Pair &pair) {
            return pair.from == transfer.first && pair.to == transfer.second;
        });
        alone.push_back(link->bytesPerSecond);
        seconds = std::max(seconds, static_cast<double>(leastAtOnceBytes) / alone.back());
    }
    m_isMeasuring = true;
    m_rates.assign(transfers.size(), 0);
    m_open = static_cast<int>(transfers.size());
    for (std::size_t i = 0; i < transfers.size(); ++i) {
        // All last equally long alone.
        burst(directionOf(transfers[i]), burstBytes(seconds, alone[i], effort.mostBytes), burstLead,
              std::min(m_deadlines.linkProbe, atOnceDeadline), [this, i](const Result<Burst> &told) {
                  m_rates[i] = told ? told->bytesPerSecond : 0;
                  if (--m_open > 0)
                      return;
                  m_isMeasuring = false;
                  m_tests->take(m_rates);
                  findSharing();
              });
    }
}

MeasureLinks::Direction MeasureLinks::directionOf(const std::pair<QString, QString> &transfer) const {
    return {static_cast<std::size_t>(m_ids.indexOf(transfer.first)),
            static_cast<std::size_t>(m_ids.indexOf(transfer.second))};
}

std::vector<Error> MeasureLinks::save() const {
    std::vector<Error> failures;
    const auto note = [&failures](const Result<void> &saved) {
        if (!saved)
            failures.push_back(saved.error());
    };
    for (const LinkProfile::Pair &link : m_links.pairs) {
        if (link.bytesPerSecond > 0)
            note(m_store.saveLink(link));
    }
    if (m_tests && m_tests->isComplete())
        note(m_store.saveSharing(m_ids, m_tests->found()));
    return failures;
}

}  // namespace hearth
