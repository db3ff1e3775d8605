// A home and a controller without agents: devices by hand, runs from a recorded file, commands noted down.
#pragma once

#include <QCoreApplication>
#include <QFile>
#include <QJsonDocument>
#include <QLocale>
#include <QStringList>
#include <QTranslator>
#include <algorithm>
#include <functional>

#include "core/history/run_history.h"
#include "core/inference/answer_process.h"
#include "ui/base/demo_switches.h"
#include "ui/base/home_source.h"
#include "ui/base/measure_control.h"
#include "ui/base/pairing_control.h"
#include "ui/base/questions.h"
#include "ui/base/run_controller.h"

namespace hearth {

/// Speaks a language while it lives: numbers and texts.
class Language {
  public:
    explicit Language(const QLocale &locale) {
        QLocale::setDefault(locale);
        const QString name = QLocale::languageToCode(locale.language());
        if (!m_translator.load(QStringLiteral(":/hearth/translations/hearth_%1.qm").arg(name)))
            qFatal("no translation is compiled in for %s", qPrintable(name));
        QCoreApplication::installTranslator(&m_translator);
    }
    ~Language() { QCoreApplication::removeTranslator(&m_translator); }
    Language(const Language &) = delete;
    Language &operator=(const Language &) = delete;

  private:
    QTranslator m_translator;
};

/// Takes note of what a person switches; nothing happens.
class FakeSwitches : public DemoSwitches {
    Q_OBJECT
  public:
    QMap<QString, Condition> conditions;
    QString leader;

    Condition condition(const QString &device) const override { return conditions.value(device, Condition::Normal); }
    QString whyNotUnplug(const QString &device) const override {
        return device == leader ? QStringLiteral("It leads the run.") : QString();
    }
    void setCondition(const QString &device, Condition wanted) override {
        conditions[device] = wanted;
        Q_EMIT changed();
    }
};

/// Takes note of what a person wants; a test says what comes of it.
class FakePairing : public PairingControl {
    Q_OBJECT
  public:
    PairingStatus now;
    QStringList calls;

    PairingStatus status() const override { return now; }
    void start(const QStringList &addresses, const QString &prefix) override {
        calls << QStringLiteral("start ") + (QStringList(prefix) + addresses).join(QLatin1Char(' ')).trimmed();
        become(PairingPhase::Connecting);
    }
    void accept(const QString &fingerprint) override { calls << QStringLiteral("accept ") + fingerprint.left(4); }
    void confirm(bool match, const QString &code) override {
        calls << (match ? QStringLiteral("match ") : QStringLiteral("mismatch ")) + code;
    }
    void cancel() override { calls << QStringLiteral("cancel"); }
    void ignore(const QString &fingerprint) override { calls << QStringLiteral("ignore ") + fingerprint.left(4); }
    void unignore(const QString &key) override { calls << QStringLiteral("unignore ") + key.left(4); }
    void forget(const QString &device) override { calls << QStringLiteral("forget ") + device; }

    void become(PairingPhase phase) {
        now.phase = phase;
        Q_EMIT changed();
    }
    void become(const PairingStatus &status) {
        now = status;
        Q_EMIT changed();
    }
    void fail(const Error &error) { Q_EMIT failed(error); }
};

/// Takes note of what a person wants; a test says what comes of it.
class FakeMeasuring : public MeasureControl {
    Q_OBJECT
  public:
    MeasureStatus now;
    QStringList calls;
    std::optional<MeasureOrder> order;

    MeasureStatus status() const override { return now; }
    void start(const MeasureOrder &wanted) override {
        order = wanted;
        QStringList ids;
        for (const QString &id : wanted.devices)
            ids << id.left(4);
        calls << QStringLiteral("start %1 %2%3")
                     .arg(wanted.job.model, ids.join(QLatin1Char(',')),
                          wanted.again ? QStringLiteral(" again") : QString());
        become({true, false, {}});
    }
    void cancel() override {
        calls << QStringLiteral("cancel");
        now.isEnding = true;
        Q_EMIT changed();
    }

    void become(const MeasureStatus &status) {
        now = status;
        Q_EMIT changed();
    }
    void end() {
        become({});
        Q_EMIT ended();
    }
    void fail(const Error &error) {
        become({});
        Q_EMIT failed(error);
    }
};

class FakeHomeSource : public HomeSource {
    Q_OBJECT
  public:
    bool demo = true;
    bool fresh = false;
    QString folder;
    QStringList calls;
    QString waiting;
    std::vector<DeviceInfo> list;
    Nearby around;
    int looks = 0;  // for computers
    ComputerSearch search = ComputerSearch::Looked;
    std::optional<Error> refusal;  // what comes of limits that are set
    AgentRestart restart = AgentRestart::Possible;
    FakeSwitches fakeSwitches;
    FakePairing fakePairing;
    FakeMeasuring fakeMeasuring;

    bool isDemo() const override { return demo; }
    bool isFresh() const override { return fresh; }
    QString stateDir() const override { return folder; }
    void enterDemo() override { change(true, QStringLiteral("enterDemo")); }
    void leaveDemo() override { change(false, QStringLiteral("leaveDemo")); }
    void trust(const QString &file, const QString &address) override {
        calls << QStringLiteral("trust %1 %2").arg(file, address).trimmed();
        Q_EMIT trusted(QStringLiteral("nano-1"));
    }
    PairingControl &pairing() override { return fakePairing; }
    MeasureControl &measuring() override { return fakeMeasuring; }
    void rename(const QString &device, const QString &name) override {
        calls << QStringLiteral("rename %1 %2").arg(device.left(4), name);
        for (DeviceInfo &each : list) {
            if (each.id == device)
                each.name = name;
        }
        Q_EMIT devicesChanged();
    }
    void setLimits(const QString &device, const DeviceLimits &limits) override {
        calls << QStringLiteral("setLimits %1 %2")
                     .arg(device.left(4),
                          QString::fromUtf8(QJsonDocument(limits.toJson()).toJson(QJsonDocument::Compact)));
        if (refusal) {
            Q_EMIT failed(*refusal);
            return;
        }
        for (DeviceInfo &each : list) {
            if (each.id == device)
                each.limits = limits;
        }
        Q_EMIT devicesChanged();
    }
    DemoSwitches *switches() const override { return demo ? const_cast<FakeSwitches *>(&fakeSwitches) : nullptr; }
    AgentRestart agentRestart() const override { return restart; }
    void restartAgent() override { calls << QStringLiteral("restartAgent"); }
    QString waitingFor() const override { return waiting; }
    std::vector<DeviceInfo> devices() const override { return list; }
    Nearby nearby() const override { return around; }
    void lookForComputers() override { ++looks; }
    ComputerSearch computerSearch() const override { return search; }
    void diagnose() override { calls << QStringLiteral("diagnose"); }

    void set(std::vector<DeviceInfo> devices) {
        list = std::move(devices);
        Q_EMIT devicesChanged();
    }
    void setNearby(const Nearby &nearby) {
        around = nearby;
        Q_EMIT nearbyChanged();
    }
    void tell(const Finding &one) { Q_EMIT finding(one); }
    void endDiagnosis() { Q_EMIT diagnosed(); }
    void setWaiting(const QString &text) {
        waiting = text;
        Q_EMIT waitingChanged();
    }

  private:
    /// As a home that has just begun: no devices, and something to wait for.
    void change(bool toDemo, const QString &call) {
        calls << call;
        demo = toDemo;
        list.clear();
        waiting = toDemo ? QStringLiteral("Starting 3 devices …") : QStringLiteral("Looking …");
        Q_EMIT demoChanged();
        Q_EMIT devicesChanged();
        Q_EMIT waitingChanged();
    }
};

/// This computer computes in the home's place.
class FakeHomeAnswers : public AnswerProcess {
    Q_OBJECT
  public:
    using AnswerProcess::AnswerProcess;
    void ask(const QByteArray &samples, std::optional<qint64> row, Done done) override {
        for (const char *state : {"", "planning", "paused"})
            Q_EMIT prepares(QLatin1String(state));
        AnswerProcess::ask(samples, row, std::move(done));
    }
};

/// A home that takes its time.
class SilentAnswers : public AnswerSource {
    Q_OBJECT
  public:
    void ask(const QByteArray &, std::optional<qint64>, Done) override {}
};

class FakeController : public RunController {
    Q_OBJECT
  public:
    QStringList calls;
    std::optional<Job> started;
    std::vector<RunInfo> known;
    std::optional<PlanningProblem> problem;
    std::optional<Plan> plan;             // that a run was started with, or changed to
    std::optional<StartWeights> weights;  // that it was started with
    bool changesPlans = false;
    RunHistory past{QString()};  // of folders that a test gives it
    bool homeIsSilent = false;   // it is asked, and never answers
    bool replaying = false;

    FakeController() { connect(&past, &RunHistory::failed, this, &RunController::failed); }
    void start(const Job &job, const std::optional<Plan> &wanted,
               const std::optional<StartWeights> &beginning) override {
        calls << QStringLiteral("start");
        started = job;
        plan = wanted;
        weights = beginning;
    }
    void planOnly(const Job &job) override {
        calls << QStringLiteral("plan only");
        started = job;
    }
    void findProblem(const QString &run) override {
        if (problem)
            Q_EMIT problemFound(run, *problem);
    }
    bool isReplaying() const override { return replaying; }
    bool canChangePlan() const override { return changesPlans; }
    void changePlan(const Plan &wanted) override {
        calls << QStringLiteral("plan");
        plan = wanted;
    }
    void goOn(const QString &run) override { calls << QStringLiteral("go on ") + run; }
    void attach(const QString &run) override { calls << QStringLiteral("attach ") + run; }
    void openRecord(const QString &path) override { calls << QStringLiteral("record ") + path; }
    void closeRun() override { calls << QStringLiteral("close"); }
    void pause() override { calls << QStringLiteral("pause"); }
    void resume() override { calls << QStringLiteral("resume"); }
    void stop() override { calls << QStringLiteral("stop"); }
    void evaluate() override { calls << QStringLiteral("evaluate"); }
    void saveWeights(const QString &path, RunWeights which) override {
        calls << (which == RunWeights::Best ? QStringLiteral("save best ") : QStringLiteral("save ")) + path;
    }
    std::unique_ptr<AnswerSource> homeAnswers(const AskedRun &run) override {
        calls << QStringLiteral("home answers");
        if (homeIsSilent)
            return std::make_unique<SilentAnswers>();
        return std::make_unique<FakeHomeAnswers>(run.folder, run.weights);
    }
    void setTrace(const QString &path) override { calls << QStringLiteral("trace ") + path; }
    void tellSaved(const QString &path) { Q_EMIT weightsSaved(path); }
    void refreshRuns() override { Q_EMIT runsChanged(known); }
    RunHistory &history() override { return past; }

    void open(const QString &run) { Q_EMIT runOpened(run); }
    void send(const RunEvent &one) { Q_EMIT event(one); }
    void end(const QString &run) { Q_EMIT runEnded(run); }
};

class FakeQuestions : public Questions {
  public:
    std::function<void()> meanwhile;  // happens while a question about a run or for a file to save stands
    CloseAnswer answer = CloseAnswer::Stay;
    std::vector<CloseQuestion> asked;
    CloseAnswer askClose(QWidget *, const CloseQuestion &question) override {
        asked.push_back(question);
        happen();
        return answer;
    }
    QString file;
    QString folder;
    CloseAnswer endDemo = CloseAnswer::Stay;
    int askedToEndDemo = 0;
    std::optional<qint64> endDemoRound;  // as it was asked last
    CloseAnswer askEndDemo(QWidget *, std::optional<qint64> round) override {
        ++askedToEndDemo;
        endDemoRound = round;
        happen();
        return endDemo;
    }
    UnsavedAnswer unsaved = UnsavedAnswer::Discard;
    int askedAboutUnsaved = 0;
    UnsavedAnswer askUnsavedJob(QWidget *) override {
        ++askedAboutUnsaved;
        return unsaved;
    }
    bool startsAnyway = false;
    std::vector<Error> doubts;
    bool askStartAnyway(QWidget *, const Error &doubt) override {
        doubts.push_back(doubt);
        return startsAnyway;
    }
    bool forgets = false;
    QStringList askedToForget;
    bool askForget(QWidget *, const QString &name) override {
        askedToForget << name;
        return forgets;
    }
    bool removesData = false;
    QStringList askedToRemove;
    bool askRemoveData(QWidget *, const QString &name) override {
        askedToRemove << name;
        return removesData;
    }
    QString askOpenFolder(QWidget *, const QString &) override { return folder; }
    QString askOpenFile(QWidget *, const QString &, const QString &) override { return file; }
    QString askSaveFile(QWidget *, const QString &, const QString &) override {
        happen();
        return file;
    }

  private:
    void happen() const {
        if (meanwhile)
            meanwhile();
    }
};

/// One that offers SSH.
inline FoundComputer foundComputer(const QString &name, const QString &address) {
    FoundComputer computer;
    computer.name = name;
    computer.host = name.toLower() + QStringLiteral(".local");
    computer.addresses = QStringList{address};
    computer.sshPort = 22;
    return computer;
}

/// The events of a file in tests/ui/data.
class RecordedRun {
  public:
    static std::vector<RunEvent> load(const QString &name = QStringLiteral("recorded_run")) {
        QFile file(QStringLiteral(HEARTH_UI_TEST_DATA "/%1.jsonl").arg(name));
        return file.open(QIODevice::ReadOnly) ? read(file) : std::vector<RunEvent>();
    }
    static std::vector<RunEvent> read(QIODevice &file) {
        std::vector<RunEvent> events;
        while (!file.atEnd()) {
            const auto event = RunEvent::fromLine(file.readLine().trimmed());
            if (event)
                events.push_back(*event);
        }
        return events;
    }
    /// What three such devices measured, by the ids of the recorded run.
    static std::optional<PlanningProblem> problem() {
        QFile file(QStringLiteral(HEARTH_UI_TEST_DATA "/recorded_problem.json"));
        if (!file.open(QIODevice::ReadOnly))
            return std::nullopt;
        const auto read = PlanningProblem::fromJson(QJsonDocument::fromJson(file.readAll()).object(), file.fileName());
        return read ? std::optional(*read) : std::nullopt;
    }
    /// The devices that the recorded run names, as an agent would tell them.
    static std::vector<DeviceInfo> devices(const std::vector<RunEvent> &events) {
        std::vector<DeviceInfo> result;
        for (const RunEvent &one : events) {
            const auto *told = std::get_if<event::Device>(&one.body);
            if (told == nullptr ||
                std::ranges::any_of(result, [told](const DeviceInfo &other) { return other.id == told->id; }))
                continue;
            DeviceInfo device;
            device.id = told->id;
            device.name = told->name;
            device.address = told->address;
            device.state = DeviceState::Training;
            device.self = result.empty();
            device.memoryBytes = qint64{8} << 30;
            device.threads = 1;
            device.cores = 2;
            device.processor = QStringLiteral("AMD EPYC 7B13");
            device.version = QStringLiteral("0.1.0");
            result.push_back(device);
        }
        return result;
    }
};

}  // namespace hearth
