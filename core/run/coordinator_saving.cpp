// The state machine: weights that are saved, in between or at the end.
#include <QFileInfo>

#include "core/run/coordinator_private.h"

namespace hearth {

void Coordinator::Private::save(bool isEnd) {
    enter(RunState::Saving);
    collecting.reset(new WeightsCollector(request.model, dtypeOf(request.job.precision), deployment,
                                          static_cast<quint64>(rounds.completed()), deadlines));
    connect(collecting.get(), &WeightsCollector::failed, q, [this, isEnd](const Error &error) {
        if (tryAgain(QStringLiteral("weights"), error))
            return;
        if (isEnd) {
            fail(error);
            return;
        }
        wantsSave = false;
        saveOnce.clear();
        continueWithout(error);
    });
    connect(collecting.get(), &WeightsCollector::finished, q, [this, isEnd](const std::vector<NamedTensor> &tensors) {
        collecting.reset();
        failedSteps.remove(QStringLiteral("weights"));
        wantsSave = false;
        const qint64 round = rounds.completed();
        WeightsOrder order{{directory.weightsFile()},
                           tensors,
                           {{QStringLiteral("model"), request.model.name},
                            {QStringLiteral("run"), request.id},
                            {QStringLiteral("round"), QString::number(round)}},
                           round,
                           isEnd};
        if (const QString also = isEnd ? request.save : std::exchange(saveOnce, {}); !also.isEmpty())
            order.files << also;
        if (isEnd) {
            storeLast(order);
            return;
        }
        store(order, [this, order](const WeightsWritten &written) {
            if (tellStored(order, written))
                wakeForBoundary();
        });
        enter(RunState::Training);
        advance();
    });
    collecting->start(membership.membersOf(deployment));
}

void Coordinator::Private::store(const WeightsOrder &order, const std::function<void(const WeightsWritten &)> &then) {
    storing.reset(new WeightsTask);
    connect(storing.get(), &WeightsTask::written, q, [this, then](const WeightsWritten &written) {
        storing.reset();
        then(written);
    });
    storing->write(order);
}

void Coordinator::Private::storeLast(const WeightsOrder &order) {
    store(order, [this, order](const WeightsWritten &written) {
        // A run that was stopped has lost somebody meanwhile: it repeats what was lost, and saves again.
        if (state != RunState::Saving) {
            if (tellStored(order, written))
                wakeForBoundary();
            return;
        }
        if (!written.failures.empty()) {
            auto [file, error, lacksSpace] = written.failures.front();
            if (!wantsStop && lacksSpace) {
                waitForSpace(order, error);
                return;
            }
            if (file != directory.weightsFile())
                error.advice = Sentence::joined(
                    {error.advice, sentence("The weights are safe in %1.").arg(directory.weightsFile())});
            fail(error);
        } else if (tellStored(order, written)) {
            endStored(order, written.sha256);
        }
    });
}

bool Coordinator::Private::tellStored(const WeightsOrder &order, const WeightsWritten &written) {
    for (const auto &[file, error, lacksSpace] : written.failures) {
        if (!log.warn(error))
            return false;
    }
    return !written.failures.empty() ||
           log.record(event::Checkpoint{static_cast<quint64>(order.round), QFileInfo(directory.weightsFile()).size()});
}

/// All rounds are done: nothing is lost while the weights are in memory.
void Coordinator::Private::waitForSpace(const WeightsOrder &order, const Error &error) {
    if (!std::exchange(warnedOfSpace, true) &&
        !log.warn(error, sentence("Free some space there: the run ends as soon as there is enough.")))
        return;
    QTimer::singleShot(deadlines.diskSpace, q, [this, order] {
        if (!isEnding())
            storeLast(order);
    });
}

void Coordinator::Private::endStored(const WeightsOrder &order, const QByteArray &sha256) {
    if (state != RunState::Saving) {
        wakeForBoundary();
        return;
    }
    if (const QString file = std::exchange(saveOnce, {}); std::exchange(wantsSave, false) && !file.isEmpty()) {
        // Asked for while the last ones were written: these are the same.
        WeightsOrder again = order;
        again.files = {file};
        again.isHashed = false;
        store(again, [this, order, again, sha256](const WeightsWritten &written) {
            if (tellStored(again, written))
                endStored(order, sha256);
        });
        return;
    }
    if (order.round < total)
        saveBeforeEnd([this] { end(RunState::Stopped); });
    else
        finish({order.round, rounds.meanSeconds() > 0 ? request.job.batch / rounds.meanSeconds() : 0,
                QString::fromLatin1(sha256)});
}

bool Coordinator::Private::hasAllWeights() const {
    return state == RunState::Saving && !collecting && rounds.completed() >= total;
}

}  // namespace hearth
