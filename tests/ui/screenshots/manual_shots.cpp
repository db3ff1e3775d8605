// The pictures of the manual: a home of five with a plan, as the papers have them (environment B).
#include <QLabel>
#include <QRadioButton>
#include <QTemporaryDir>

#include "core/model/catalogue.h"
#include "core/plan/homes/presets.h"
#include "core/plan/planner.h"
#include "tests/ui/screenshots/manual_shots.h"
#include "tests/ui/stored_measurements.h"
#include "ui/job/job_draft.h"

namespace hearth::shots {
namespace {

const QString network = QStringLiteral("efficientnet-b1");
constexpr int rounds = 400;

template <class T>
T must(Result<T> done) {
    if (!done)
        qFatal("%s", qPrintable(done.error().toString()));
    return std::move(*done);
}

/// As the problem has them, with names that people give.
std::vector<DeviceInfo> devicesOf(const PlanningProblem &problem, const DeviceInfo &like) {
    const char *names[] = {"laptop", "gaming-pc", "study-pc", "media-box", "old-laptop"};
    std::vector<DeviceInfo> devices;
    for (const PlanningProblem::Device &each : problem.devices) {
        DeviceInfo device = like;
        device.id = each.id;
        device.name = QLatin1String(names[devices.size()]);
        device.address = QStringLiteral("192.168.1.%1:47600").arg(21 + devices.size());
        device.memoryBytes = each.memoryBytes;
        device.threads = 4;
        device.cores = 4;
        device.self = devices.empty();
        device.kind = device.name.endsWith(QLatin1String("laptop")) ? DeviceKind::Laptop : DeviceKind::Desktop;
        devices.push_back(device);
    }
    return devices;
}

/// What the problem says of speeds and links, as measurements of the home.
void store(const QString &folder, const PlanningProblem &problem, const std::vector<DeviceInfo> &devices) {
    for (std::size_t i = 0; i < devices.size(); ++i) {
        double seconds = 0;
        const TimeTable &times = problem.times[i];
        for (std::size_t layer = 0; layer < times.forward.size(); ++layer)
            seconds += times.forward[layer].back() + times.backward[layer].back();
        if (const auto stored = storeMeasurement(folder, network, devices[i], seconds / times.batch.back()); !stored)
            qFatal("%s", qPrintable(stored.error().toString()));
        for (const DeviceInfo &other : devices) {
            if (other.id != devices[i].id && !storeLink(folder, devices[i], other, 12.5))
                qFatal("a link cannot be stored");
        }
    }
}

/// A run by the plan, as far as the pages are shown.
std::vector<RunEvent> runOf(const Job &job, const Model &model, const Plan &plan,
                            const std::vector<DeviceInfo> &devices, const RunEvent &first) {
    std::vector<RunEvent> events;
    const auto send = [&events](double t, RunEventBody body) {
        events.push_back({events.size() + 1, t, std::move(body), {}});
    };
    event::Run run = std::get<event::Run>(first.body);
    run.job = job.toJson();
    run.model = model.toJson();
    send(0, run);
    for (const DeviceInfo &device : devices)
        send(0.1, event::Device{device.id, device.name, QStringLiteral("ready"), device.address, 0});
    send(1, event::Plan{1, 1, plan.toJson(), QStringLiteral("first"), {}});
    send(1, event::State{QStringLiteral("training")});
    const double seconds = plan.prediction->roundSeconds;
    for (int number = 1; number <= rounds; ++number) {
        event::Round round;
        round.round = number;
        round.roundS = round.predictedRoundS = seconds;
        round.samplesPerS = plan.prediction->samplesPerSecond;
        round.loss = 0.3 + 2 / (1 + number / 100.0);
        for (const DeviceInfo &device : devices) {
            event::RoundDevice part;
            part.computeS = seconds * 0.8;
            part.waitForwardS = seconds * 0.2;
            part.memoryBytes = plan.prediction->memoryBytes.value(device.id);
            round.devices[device.id] = part;
        }
        send(1 + seconds * number, round);
    }
    return events;
}

}  // namespace

void shootManual(const Variant &variant, const QDir &folder, const std::vector<RunEvent> &recorded) {
    const Model model = must(loadModel(network));
    const PlanningProblem problem = must(environmentProblem(QStringLiteral("B"), model));
    PlannerOptions options;
    constexpr double enough = 3;
    options.secondsLimit = enough;
    const Plan plan = must(makePlan(defaultPlanner(), problem, options));
    const std::vector<DeviceInfo> devices = devicesOf(problem, RecordedRun::devices(recorded).front());
    const QTemporaryDir state;
    store(state.path(), problem, devices);

    Scene scene(variant, folder, devices);
    scene.home.demo = false;
    scene.home.folder = state.path();
    scene.controller.problem = problem;
    scene.controller.changesPlans = true;
    MainWindow &window = scene.open();
    Job job;
    job.model = network;
    job.batch = problem.batch;
    job.microBatch = plan.microBatch;
    job.rounds = 5000;
    window.setJob(job);
    scene.controller.open(QStringLiteral("manual"));
    scene.send(runOf(job, model, plan, devices, recorded.front()));
    scene.grab(QStringLiteral("manual-home"), HomePlace);
    scene.grab(QStringLiteral("manual-plan"), PlanPlace);

    window.showPlace(JobPlace);
    JobDraft &draft = window.jobDraft();
    draft.setModel(QStringLiteral("mobilenetv2"));  // takes the data that are chosen
    for (int tries = 0; tries < 100 && !scene.find<QRadioButton>("trainedHead")->isEnabled(); ++tries)
        settle();
    for (int tries = 0; tries < 100 && scene.find<QLabel>("modelParameters-t5-large")->text().size() < 2; ++tries)
        settle();
    scene.click("trainedHead");
    scene.grab(QStringLiteral("manual-job"));
}

}  // namespace hearth::shots
