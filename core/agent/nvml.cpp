#include "core/agent/nvml.h"

#include <dlfcn.h>
#include <QFile>
#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace hearth {
namespace {

// As nvml.h of CUDA 11 and later has them. Every function returns 0 where it succeeded.
using Device = void *;
struct Memory {
    unsigned long long total, free, used;
};
struct Utilisation {
    unsigned int gpu, memory;  // per cent
};
struct Process {
    unsigned int pid;
    unsigned long long usedMemory;  // all ones: unknown
    unsigned int gpuInstance, computeInstance;
};
struct ProcessUtilisation {
    unsigned int pid;
    unsigned long long microseconds;             // since 1970
    unsigned int gpu, memory, encoder, decoder;  // per cent
};
constexpr int notPermitted = 4, nothingFound = 6;
constexpr int temperatureOfGpu = 0;
// A program that draws or computes now and then is busy all the same.
constexpr std::chrono::microseconds lately = std::chrono::seconds(3);
constexpr unsigned long long unknownMemory = ~0ULL;
constexpr std::size_t longestText = 96;
constexpr double milliwatts = 1000;
constexpr unsigned int mostPrograms = 256;

QString textOf(const std::array<char, longestText> &text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(qstrnlen(text.data(), text.size())));
}

}  // namespace

/// A function that this version of the library does not have is null, and what it would say is unknown.
struct Nvml::Library {
    void *handle = nullptr;
    int (*init)() = nullptr;
    int (*shutdown)() = nullptr;
    int (*driver)(char *, unsigned int) = nullptr;
    int (*count)(unsigned int *) = nullptr;
    int (*deviceAt)(unsigned int, Device *) = nullptr;
    int (*name)(Device, char *, unsigned int) = nullptr;
    int (*uuid)(Device, char *, unsigned int) = nullptr;
    int (*memory)(Device, Memory *) = nullptr;
    int (*utilisation)(Device, Utilisation *) = nullptr;
    int (*temperature)(Device, int, unsigned int *) = nullptr;
    int (*power)(Device, unsigned int *) = nullptr;
    int (*powerLimit)(Device, unsigned int *) = nullptr;
    int (*setPowerLimit)(Device, unsigned int) = nullptr;
    int (*powerRange)(Device, unsigned int *, unsigned int *) = nullptr;
    int (*busy)(Device, ProcessUtilisation *, unsigned int *, unsigned long long) = nullptr;
    int (*computing)(Device, unsigned int *, Process *) = nullptr;
    int (*drawing)(Device, unsigned int *, Process *) = nullptr;
    bool isOpen = false;

    ~Library() {
        if (isOpen && shutdown)
            shutdown();
        if (handle)
            ::dlclose(handle);
    }

    template <class Function>
    void find(Function &function, const char *symbol) {
        function = reinterpret_cast<Function>(::dlsym(handle, symbol));
    }

    QString uuidOf(Device device) const { return text(uuid, device); }

    static QString text(int (*function)(Device, char *, unsigned int), Device device) {
        std::array<char, longestText> text{};
        return function && function(device, text.data(), longestText) == 0 ? textOf(text) : QString();
    }
    static std::optional<double> number(int (*function)(Device, unsigned int *), Device device, double unit) {
        unsigned int value = 0;
        return function && function(device, &value) == 0 ? std::optional(value / unit) : std::nullopt;
    }
    static void addPrograms(int (*function)(Device, unsigned int *, Process *), Device device, bool computes,
                            std::vector<CardReading::Program> &programs) {
        std::array<Process, mostPrograms> found{};
        unsigned int size = mostPrograms;
        if (!function || function(device, &size, found.data()) != 0)
            return;
        for (unsigned int i = 0; i < std::min(size, mostPrograms); ++i) {
            const Process &each = found.at(i);
            const qint64 bytes = each.usedMemory == unknownMemory ? 0 : static_cast<qint64>(each.usedMemory);
            if (std::ranges::find(programs, qint64{each.pid}, &CardReading::Program::pid) == programs.end())
                programs.push_back({each.pid, bytes, computes});
        }
    }
    void addBusy(Device device, std::vector<CardReading::Program> &found) const {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now) - lately;
        std::array<ProcessUtilisation, mostPrograms> samples{};
        unsigned int size = mostPrograms;
        const int answer =
            busy ? busy(device, samples.data(), &size, static_cast<unsigned long long>(since.count())) : notPermitted;
        if (answer != 0 && answer != nothingFound)
            return;
        for (CardReading::Program &program : found) {
            program.busyPercent = 0;
            for (unsigned int i = 0; answer == 0 && i < std::min(size, mostPrograms); ++i) {
                if (samples.at(i).pid == program.pid)
                    program.busyPercent = std::max<double>(*program.busyPercent, samples.at(i).gpu);
            }
        }
    }
    /// With its memory; null where it is not there.
    std::pair<Device, Memory> choose(const QString &wanted) const {
        std::pair<Device, Memory> chosen{};
        unsigned int cards = 0;
        if (!count || !deviceAt || count(&cards) != 0)
            return chosen;
        for (unsigned int i = 0; i < cards; ++i) {
            Device each = nullptr;
            Memory its{};
            if (deviceAt(i, &each) != 0 || (!wanted.isEmpty() && uuidOf(each) != wanted))
                continue;
            if (memory && memory(each, &its) != 0)
                its = {};
            if (!chosen.first || its.total > chosen.second.total)
                chosen = {each, its};
        }
        return chosen;
    }
};

Nvml::Nvml(std::unique_ptr<Library> library) : m_library(std::move(library)) {}

Nvml::~Nvml() = default;

std::unique_ptr<Nvml> Nvml::open() {
    auto library = std::make_unique<Library>();
    const QByteArray file = qEnvironmentVariable("HEARTH_NVML", QStringLiteral("libnvidia-ml.so.1")).toLocal8Bit();
    library->handle = ::dlopen(file.constData(), RTLD_NOW | RTLD_LOCAL);
    if (!library->handle)
        return nullptr;
    Library &it = *library;
    it.find(it.init, "nvmlInit_v2");
    it.find(it.shutdown, "nvmlShutdown");
    it.find(it.driver, "nvmlSystemGetDriverVersion");
    it.find(it.count, "nvmlDeviceGetCount_v2");
    it.find(it.deviceAt, "nvmlDeviceGetHandleByIndex_v2");
    it.find(it.name, "nvmlDeviceGetName");
    it.find(it.uuid, "nvmlDeviceGetUUID");
    it.find(it.memory, "nvmlDeviceGetMemoryInfo");
    it.find(it.utilisation, "nvmlDeviceGetUtilizationRates");
    it.find(it.temperature, "nvmlDeviceGetTemperature");
    it.find(it.power, "nvmlDeviceGetPowerUsage");
    it.find(it.powerLimit, "nvmlDeviceGetPowerManagementLimit");
    it.find(it.setPowerLimit, "nvmlDeviceSetPowerManagementLimit");
    it.find(it.powerRange, "nvmlDeviceGetPowerManagementLimitConstraints");
    it.find(it.busy, "nvmlDeviceGetProcessUtilization");
    it.find(it.computing, "nvmlDeviceGetComputeRunningProcesses_v3");
    it.find(it.drawing, "nvmlDeviceGetGraphicsRunningProcesses_v3");
    it.isOpen = it.init && it.init() == 0;
    return it.isOpen ? std::unique_ptr<Nvml>(new Nvml(std::move(library))) : nullptr;
}

std::optional<CardReading> Nvml::read(const QString &uuid) const {
    const Library &it = *m_library;
    const auto [chosen, memory] = it.choose(uuid);
    if (!chosen)
        return std::nullopt;
    CardReading reading;
    reading.name = Library::text(it.name, chosen);
    reading.uuid = it.uuidOf(chosen);
    std::array<char, longestText> driver{};
    if (it.driver && it.driver(driver.data(), longestText) == 0)
        reading.driver = textOf(driver);
    reading.memoryBytes = static_cast<qint64>(memory.total);
    if (memory.total > 0)
        reading.load.memoryBytes = static_cast<double>(memory.used);
    Utilisation utilisation{};
    if (it.utilisation && it.utilisation(chosen, &utilisation) == 0)
        reading.load.busyPercent = utilisation.gpu;
    unsigned int celsius = 0;
    if (it.temperature && it.temperature(chosen, temperatureOfGpu, &celsius) == 0)
        reading.load.celsius = celsius;
    reading.load.watts = Library::number(it.power, chosen, milliwatts);
    reading.wattsLimit = Library::number(it.powerLimit, chosen, milliwatts);
    Library::addPrograms(it.computing, chosen, true, reading.programs);
    Library::addPrograms(it.drawing, chosen, false, reading.programs);
    it.addBusy(chosen, reading.programs);
    return reading;
}

Result<void> Nvml::limitWatts(const QString &uuid, double watts) const {
    const Library &it = *m_library;
    const auto refused = [](const Sentence &cause, const Sentence &advice = {}) {
        return fail(QStringLiteral("card.power-refused"), sentence("The card's power was not limited."), cause, advice);
    };
    const Device card = it.choose(uuid).first;
    if (!card || !it.setPowerLimit)
        return refused(sentence("Its driver knows no such limit."));
    unsigned int least = 0, most = 0;
    auto wanted = static_cast<unsigned int>(watts * milliwatts);
    if (it.powerRange && it.powerRange(card, &least, &most) == 0 && least <= most)
        wanted = std::clamp(wanted, least, most);
    const int answer = it.setPowerLimit(card, wanted);
    if (answer == notPermitted) {
        return refused(sentence("Its driver lets only the administrator do that."),
                       sentence("Set it there with \"sudo nvidia-smi --power-limit WATTS\"."));
    }
    return answer == 0 ? Result<void>() : refused(sentence("Its driver refused (NVML error %1).").arg(answer));
}

}  // namespace hearth
