#include "tests/ui/screenshots/run_of_twelve.h"

#include <algorithm>
#include <cmath>

namespace hearth::shots {
namespace {

constexpr int count = 12, microBatch = 16, rounds = 90;

QString id(int device) {
    return QStringLiteral("device-%1").arg(device, 2, 10, QLatin1Char('0'));
}

std::vector<DeviceInfo> devicesLike(const DeviceInfo &one) {
    const char *rooms[] = {"kitchen", "study", "attic", "garage", "hall", "workshop"};
    std::vector<DeviceInfo> devices(count, one);
    for (int d = 0; d < count; ++d) {
        DeviceInfo &device = devices[static_cast<std::size_t>(d)];
        device.id = id(d);
        device.name = QStringLiteral("%1-%2").arg(QLatin1String(rooms[d % 6])).arg(d / 6 + 1);
        device.self = d == 0;
    }
    return devices;
}

/// The stages of the recorded plan, each with as many of the devices.
Plan planLike(const std::vector<RunEvent> &recorded) {
    const auto first = std::ranges::find_if(
        recorded, [](const RunEvent &one) { return std::holds_alternative<event::Plan>(one.body); });
    Plan plan = *Plan::fromJson(std::get<event::Plan>(first->body).plan, QStringLiteral("the recording"));
    plan.microBatch = microBatch;
    plan.prediction.reset();
    const auto each = count / static_cast<int>(plan.stages.size());
    int next = 0;
    for (PlanStage &stage : plan.stages) {
        stage.shares.clear();
        for (int i = 0; i < each; ++i)
            stage.shares.push_back({id(next++), microBatch / each + (i < microBatch % each ? 1 : 0)});
    }
    return plan;
}

event::Round round(int number) {
    event::Round round;
    round.round = number;
    round.roundS = 0.4;
    round.loss = 0.3 + 2 / (1 + number / 10.0);
    round.samplesPerS = 310 + 20 * std::sin(number / 4.0);
    round.predictedRoundS = 0.39;
    for (int d = 0; d < count; ++d) {
        const double wave = 0.02 * std::sin(number / 5.0 + d);
        round.devices[id(d)] = {0.12 + 0.02 * d + wave,    0.1 - 0.005 * d, 0.05, 0, 0.03, 0.01, 0.005,
                                qint64{120 + 25 * d} << 20};
        round.links.push_back({id(d), id((d + 1) % count), (qint64{1} << 18) * (1 + d)});
    }
    return round;
}

}  // namespace

RunOfTwelve runOfTwelve(const std::vector<RunEvent> &recorded) {
    RunOfTwelve run{devicesLike(RecordedRun::devices(recorded).front()), {recorded.front()}};
    const auto send = [&run](double t, RunEventBody body) {
        run.events.push_back({run.events.size() + 1, t, std::move(body), {}});
    };
    for (const DeviceInfo &device : run.devices)
        send(0.1, event::Device{device.id, device.name, QStringLiteral("ready"), {}, 0});
    send(1, event::Plan{1, 1, planLike(recorded).toJson(), QStringLiteral("first"), {}});
    send(1, event::State{QStringLiteral("training")});
    for (int r = 1; r <= rounds; ++r)
        send(1 + 0.4 * r, round(r));
    return run;
}

}  // namespace hearth::shots
