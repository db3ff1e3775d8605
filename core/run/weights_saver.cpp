#include "core/run/weights_saver.h"

#include <QFileInfo>
#include <algorithm>

#include "core/base/number_text.h"

namespace hearth {

WeightsSaver::WeightsSaver(const RunContext &run, PlanInForce &current, RoundLoop &rounds, ReplicaKeeper &replicas,
                           CheckpointFolder &folder, BestWeights &best, QObject *parent)
    : QObject(parent),
      m_run(run),
      m_current(current),
      m_rounds(rounds),
      m_replicas(replicas),
      m_folder(folder),
      m_best(best) {}

void WeightsSaver::want(const QString &file) {
    m_isWanted = true;
    if (!file.isEmpty() && !m_files.contains(file))
        m_files << file;
}

void WeightsSaver::giveUp() {
    m_isWanted = false;
    m_files.clear();
    m_best.giveUp(m_rounds.completed());
}

void WeightsSaver::drop() {
    m_collecting.reset();
    m_halting.reset();
    m_gathering.reset();
    m_isEnd = false;
}

void WeightsSaver::stop() {
    drop();
    m_isOver = true;
    m_storing.reset();
}

bool WeightsSaver::hasAll() const {
    return m_isEnd && !m_collecting && m_rounds.completed() >= m_run.total;
}

void WeightsSaver::collect(bool isEnd) {
    m_isEnd = isEnd;
    m_collecting.reset(new WeightsCollector(m_run.request.model, dtypeOf(m_run.request.job.precision),
                                            m_current.deployment(), static_cast<quint64>(m_rounds.completed()),
                                            m_run.deadlines));
    connect(m_collecting.get(), &WeightsCollector::failed, this,
            [this, isEnd](const Error &error) { Q_EMIT notCollected(error, isEnd); });
    connect(m_collecting.get(), &WeightsCollector::finished, this,
            [this, isEnd, begun = m_run.log.seconds()](const std::vector<NamedTensor> &tensors) {
                m_best.collected(m_run.log.seconds() - begun);
                take(tensors, isEnd);
            });
    m_collecting->start(m_run.membership.membersOf(m_current.deployment()));
}

void WeightsSaver::take(const std::vector<NamedTensor> &tensors, bool isEnd) {
    m_collecting.reset();
    // At the end what a person asked for comes after what the run is for, which it must not delay or spoil.
    const bool isWanted = !isEnd && std::exchange(m_isWanted, false);
    const qint64 round = m_rounds.completed();
    WeightsOrder order{{},
                       tensors,
                       {{QStringLiteral("model"), m_run.request.model.name},
                        {QStringLiteral("run"), m_run.request.id},
                        {QStringLiteral("round"), QString::number(round)}},
                       round,
                       isEnd};
    if (isEnd || isWanted)
        order.files << m_run.directory.weightsFile();
    m_best.addTo(&order);
    if (!isEnd)
        order.files << std::exchange(m_files, {});
    else if (!m_run.request.save.isEmpty())
        order.files << m_run.request.save;
    if (isEnd) {
        storeLast(order);
        return;
    }
    store(order, [this, order](const WeightsWritten &written) {
        if (tell(order, written))
            Q_EMIT stored();
    });
    Q_EMIT collected();
}

void WeightsSaver::store(const WeightsOrder &order, const std::function<void(const WeightsWritten &)> &then) {
    m_storing.reset(new WeightsTask);
    connect(m_storing.get(), &WeightsTask::written, this, [this, then](const WeightsWritten &written) {
        m_storing.reset();
        then(written);
    });
    m_storing->write(order);
}

void WeightsSaver::storeLast(const WeightsOrder &order) {
    store(order, [this, order](const WeightsWritten &written) {
        // A run that was stopped has lost somebody meanwhile: it repeats what was lost, and saves again.
        if (!m_isEnd) {
            if (tell(order, written))
                Q_EMIT stored();
            return;
        }
        const auto failure = std::ranges::find_if(written.failures, [this](const WeightsWritten::Failure &each) {
            return each.file != m_run.directory.bestWeightsFile();
        });
        if (failure == written.failures.end()) {
            if (tell(order, written))
                endStored(order, written.sha256);
        } else if (m_waitsForSpace && failure->lacksSpace) {
            waitForSpace(order, failure->error);
        } else {
            Error error = failure->error;
            if (failure->file != m_run.directory.weightsFile())
                error.advice = Sentence::joined(
                    {error.advice, sentence("The weights are safe in %1.").arg(m_run.directory.weightsFile())});
            Q_EMIT failed(error);
        }
    });
}

/// Of what does not end the run: a failure costs a warning. False: the run is over.
bool WeightsSaver::tell(const WeightsOrder &order, WeightsWritten written) {
    if (!m_best.settle(order, &written))
        return false;
    for (const auto &[file, error, lacksSpace] : written.failures) {
        if (!m_run.log.warn(error))
            return false;
    }
    const bool isBestAlone = order.files == QStringList{m_run.directory.bestWeightsFile()};
    return isBestAlone || !written.failures.empty() ||
           m_run.log.record(
               event::Checkpoint{static_cast<quint64>(order.round), QFileInfo(m_run.directory.weightsFile()).size()});
}

/// All rounds are done: nothing is lost while the weights are in memory.
void WeightsSaver::waitForSpace(const WeightsOrder &order, const Error &error) {
    if (!std::exchange(m_toldOfSpace, true) &&
        !m_run.log.warn(error, sentence("Free some space there: the run ends as soon as there is enough.")))
        return;
    QTimer::singleShot(m_run.deadlines.diskSpace, this, [this, order] {
        if (!m_isOver)
            storeLast(order);
    });
}

void WeightsSaver::endStored(const WeightsOrder &order, const QByteArray &sha256) {
    if (!m_isEnd) {
        Q_EMIT stored();
        return;
    }
    m_isWanted = false;
    if (!m_files.isEmpty()) {
        // Asked for while the last ones were collected or written: these are the same.
        WeightsOrder again = order;
        again.files = std::exchange(m_files, {});
        again.isHashed = false;
        store(again, [this, order, again, sha256](const WeightsWritten &written) {
            if (tell(again, written))
                endStored(order, sha256);
        });
        return;
    }
    if (order.round < m_run.total)
        saveStates([this, sha256] { Q_EMIT ended(sha256); });
    else
        Q_EMIT ended(sha256);
}

/// A run that is stopped can go on later: all that it has made rests on the disk.
void WeightsSaver::saveStates(const std::function<void()> &then) {
    const auto version = static_cast<quint64>(m_rounds.completed());
    if (version == 0 || version == m_folder.version()) {
        then();
        return;
    }
    const auto goOn = [this, then](const Error &error) {
        m_run.log.warn(error);
        then();
    };
    if (auto durable = m_current.beginTerm(); !durable) {
        Q_EMIT failed(durable.error());
        return;
    }
    m_rounds.stop();
    m_replicas.halt();
    m_halting.reset(new HaltWorkers(m_current.term(), m_run.deadlines, m_current.origins()));
    connect(m_halting.get(), &HaltWorkers::refused, this, [goOn](const QString &, const Error &error) { goOn(error); });
    connect(m_halting.get(), &HaltWorkers::finished, this, [this, version, then, goOn] {
        const StateLayers layers = m_replicas.layers();
        const auto from = sourcesOf(layers, version, m_halting->held(), m_run.request.dataDevice);
        if (!from) {
            const quint64 there = m_folder.version();
            goOn({QStringLiteral("run.end-not-kept"),
                  sentence("No checkpoint of round %1 was written.").arg(countText(m_rounds.completed())),
                  sentence("There are layers whose state at its end no device holds."),
                  there > 0 ? sentence("Resumed, the run goes on from version %1 on the disk.").arg(there)
                            : sentence("Its weights are saved. To go on from them, start a new run that begins with "
                                       "them.")});
            return;
        }
        m_gathering.reset(new StateCollector(layers, version, m_current.term(), m_run.deadlines));
        connect(m_gathering.get(), &StateCollector::failed, this, goOn);
        connect(m_gathering.get(), &StateCollector::finished, this,
                [this, version, then] { m_folder.write(version, m_gathering->takeStates(), then); });
        m_gathering->start(m_run.membership.workers(), *from);
    });
    m_halting->start(m_run.membership.workers());
}

}  // namespace hearth
