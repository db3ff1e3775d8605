// window_start HEARTH [BARE]: milliseconds from the start of the program to its window being drawn, several times over:
// with everything read from the disk first ("cold", needs root), then warm. BARE is the benchmark "window", whose empty
// window is started in turns with Hearth's for comparison. No Qt here: what this program maps could not be dropped from
// the page cache.
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace {

constexpr int repeats = 15;
constexpr int patienceMilliseconds = 20'000;

double now() {
    using namespace std::chrono;
    return duration<double, std::milli>(steady_clock::now().time_since_epoch()).count();
}

/// Runs it until it says that its window is visible, then ends it. Negative where it does not say so.
double start(const std::vector<std::string> &command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    const double begun = now();
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        setenv("QT_LOGGING_RULES", "hearth.window.debug=true", 1);
        std::vector<char *> words;
        for (const std::string &word : command)
            words.push_back(const_cast<char *>(word.c_str()));
        words.push_back(nullptr);
        execv(words[0], words.data());
        _exit(127);
    }
    close(ends[1]);
    std::string said;
    double seen = -1;
    char buffer[4096];
    pollfd readable{ends[0], POLLIN, 0};
    while (seen < 0 && poll(&readable, 1, patienceMilliseconds) > 0) {
        const ssize_t count = read(ends[0], buffer, sizeof buffer);
        if (count <= 0)
            break;
        said.append(buffer, static_cast<std::size_t>(count));
        if (said.find("window visible") != std::string::npos)
            seen = now();
    }
    kill(child, SIGTERM);
    waitpid(child, nullptr, 0);
    close(ends[0]);
    if (seen < 0)
        std::fprintf(stderr, "%s did not show a window: %s\n", command[0].c_str(), said.c_str());
    return seen < 0 ? -1 : seen - begun;
}

bool dropCaches() {
    sync();
    std::ofstream file("/proc/sys/vm/drop_caches");
    file << 3 << std::flush;
    return file.good();
}

void print(const char *what, std::vector<double> samples) {
    std::erase_if(samples, [](double sample) { return sample < 0; });
    if (samples.empty())
        return;
    std::sort(samples.begin(), samples.end());
    std::printf("  %-52s median %6.0f  least %6.0f  most %6.0f ms (%zu)\n", what, samples[samples.size() / 2],
                samples.front(), samples.back(), samples.size());
}

/// The agents that Hearth has started for its window: they became children of this program when their parents ended.
void endAgents() {
    std::ifstream list("/proc/self/task/" + std::to_string(getpid()) + "/children");
    for (pid_t child = 0; list >> child;) {
        kill(child, SIGTERM);
        waitpid(child, nullptr, 0);
    }
}

}  // namespace

int main(int argc, char **argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: window_start HEARTH [BARE]\n");
        return 2;
    }
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    const std::string folder = std::filesystem::temp_directory_path() / ("hearth-start-" + std::to_string(getpid()));
    if (mkdir(folder.c_str(), S_IRWXU) != 0) {
        std::perror(folder.c_str());
        return 1;
    }
    const std::vector<std::string> hearth{argv[1], "--state", folder};
    const char *platform = std::getenv("QT_QPA_PLATFORM");
    std::printf("start: until the window is drawn (target 250, warm), platform %s\n", platform ? platform : "default");
    if (dropCaches())
        print("cold, nothing in the page cache, no agent yet", {start(hearth)});
    else
        std::printf("  cold: needs root, to empty the page cache\n");
    std::vector<double> own, bare;
    for (int i = 0; i < repeats; ++i) {
        own.push_back(start(hearth));
        if (argc > 2)
            bare.push_back(start({argv[2], "--bare"}));
    }
    print("warm, the agent runs", own);
    print("an empty window of Qt, in turns", bare);
    endAgents();
    std::error_code failed;
    std::filesystem::remove_all(folder, failed);
    const bool measured = std::any_of(own.begin(), own.end(), [](double sample) { return sample >= 0; });
    return failed || !measured ? 1 : 0;
}
