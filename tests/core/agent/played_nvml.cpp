// A libnvidia-ml.so.1 with the cards that the file $HEARTH_PLAYED_CARDS describes, read anew at each call: a line
// "driver VERSION", then per card "card UUID MEMORY USED BUSY CELSIUS WATTS LIMIT NAME…" with MEMORY and USED in bytes,
// and under it "program PID BYTES BUSY" for each that computes there. "-" is what the card does not know. Power limits
// that are set are lines of that file's name with ".power", in watts; a line "refuses-power" lets nobody set one.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

constexpr int success = 0, notSupported = 3, notPermitted = 4, notFound = 6, noDriver = 9;

std::string path() {
    const char *path = std::getenv("HEARTH_PLAYED_CARDS");
    return path ? path : "";
}

struct Card {
    std::string uuid, memory, used, busy, celsius, watts, limit, name;
    struct Program {
        unsigned pid;
        unsigned long long bytes;
        unsigned busy;
    };
    std::vector<Program> programs;
};
struct Home {
    std::string driver;
    bool refusesPower = false;
    std::vector<Card> cards;
};

Home read() {
    Home home;
    std::ifstream file(path());
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "driver") {
            words >> home.driver;
        } else if (kind == "card") {
            Card card;
            words >> card.uuid >> card.memory >> card.used >> card.busy >> card.celsius >> card.watts >> card.limit;
            std::getline(words >> std::ws, card.name);
            home.cards.push_back(card);
        } else if (kind == "program" && !home.cards.empty()) {
            Card::Program program{};
            words >> program.pid >> program.bytes >> program.busy;
            home.cards.back().programs.push_back(program);
        } else if (kind == "refuses-power") {
            home.refusesPower = true;
        }
    }
    return home;
}

/// Their addresses are what callers hold of cards.
std::array<char, 64> handles;

Card cardAt(const void *device) {
    const auto index = static_cast<std::size_t>(static_cast<const char *>(device) - handles.data());
    const Home home = read();
    return index < home.cards.size() ? home.cards[index] : Card{"", "-", "-", "-", "-", "-", "-", "", {}};
}

int say(const std::string &text, char *to, unsigned size) {
    std::snprintf(to, size, "%s", text.c_str());
    return success;
}

int say(const std::string &text, unsigned *to, unsigned factor = 1) {
    if (text == "-")
        return notSupported;
    *to = static_cast<unsigned>(std::stod(text) * factor);
    return success;
}

struct Memory {
    unsigned long long total, free, used;
};
struct Utilisation {
    unsigned gpu, memory;
};
struct ProcessUtilisation {
    unsigned pid;
    unsigned long long microseconds;
    unsigned gpu, memory, encoder, decoder;
};
struct Process {
    unsigned pid;
    unsigned long long usedMemory;
    unsigned gpuInstance, computeInstance;
};

}  // namespace

extern "C" {

int nvmlInit_v2() {
    return read().driver.empty() ? noDriver : success;
}
int nvmlShutdown() {
    return success;
}
int nvmlSystemGetDriverVersion(char *version, unsigned size) {
    return say(read().driver, version, size);
}
int nvmlDeviceGetCount_v2(unsigned *count) {
    *count = static_cast<unsigned>(read().cards.size());
    return success;
}
int nvmlDeviceGetHandleByIndex_v2(unsigned index, void **device) {
    if (index >= std::min(read().cards.size(), handles.size()))
        return notFound;
    *device = &handles[index];
    return success;
}
int nvmlDeviceGetName(void *device, char *name, unsigned size) {
    return say(cardAt(device).name, name, size);
}
int nvmlDeviceGetUUID(void *device, char *uuid, unsigned size) {
    return say(cardAt(device).uuid, uuid, size);
}
int nvmlDeviceGetMemoryInfo(void *device, Memory *memory) {
    const Card card = cardAt(device);
    if (card.memory == "-")
        return notSupported;
    memory->total = std::stoull(card.memory);
    memory->used = std::stoull(card.used);
    memory->free = memory->total - memory->used;
    return success;
}
int nvmlDeviceGetUtilizationRates(void *device, Utilisation *utilisation) {
    utilisation->memory = 0;
    return say(cardAt(device).busy, &utilisation->gpu);
}
int nvmlDeviceGetTemperature(void *device, int, unsigned *celsius) {
    return say(cardAt(device).celsius, celsius);
}
int nvmlDeviceGetPowerUsage(void *device, unsigned *milliwatts) {
    return say(cardAt(device).watts, milliwatts, 1000);
}
int nvmlDeviceGetPowerManagementLimit(void *device, unsigned *milliwatts) {
    return say(cardAt(device).limit, milliwatts, 1000);
}
int nvmlDeviceGetPowerManagementLimitConstraints(void *, unsigned *least, unsigned *most) {
    *least = 100000;
    *most = 400000;
    return success;
}
int nvmlDeviceSetPowerManagementLimit(void *, unsigned milliwatts) {
    if (read().refusesPower)
        return notPermitted;
    std::ofstream(path() + ".power", std::ios::app) << milliwatts / 1000 << "\n";
    return success;
}
int nvmlDeviceGetProcessUtilization(void *device, ProcessUtilisation *samples, unsigned *count, unsigned long long) {
    const Card card = cardAt(device);
    const unsigned room = *count;
    *count = static_cast<unsigned>(card.programs.size());
    if (*count == 0 || *count > room)
        return notFound;
    for (unsigned i = 0; i < *count; ++i)
        samples[i] = {card.programs[i].pid, 1, card.programs[i].busy, 0, 0, 0};
    return success;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void *device, unsigned *count, Process *processes) {
    const Card card = cardAt(device);
    const unsigned room = *count;
    *count = static_cast<unsigned>(card.programs.size());
    if (*count > room)
        return notFound;
    for (unsigned i = 0; i < *count; ++i)
        processes[i] = {card.programs[i].pid, card.programs[i].bytes, 0, 0};
    return success;
}
// No nvmlDeviceGetGraphicsRunningProcesses_v3: older drivers have none.

}  // extern "C"
