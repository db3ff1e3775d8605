// Runs a fuzz entry point without libFuzzer: the corpus, then seeded mutations of it. With it the parsers are exercised
// by every compiler and sanitizer; real coverage-guided fuzzing is the `fuzz` preset.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes readAll(const std::filesystem::path &path) {
    std::ifstream file(path, std::ios::binary);
    return Bytes(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

void mutate(Bytes &input, const std::vector<Bytes> &corpus, std::mt19937_64 &random) {
    const auto below = [&random](std::size_t limit) { return limit ? static_cast<std::size_t>(random() % limit) : 0; };
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
        const std::size_t at = below(input.size());
        switch (below(7)) {
            case 0:
                if (!input.empty())
                    input[at] ^= static_cast<std::uint8_t>(1u << below(8));
                break;
            case 1:
                if (!input.empty())
                    input[at] = static_cast<std::uint8_t>(random());
                break;
            case 2:
                input.insert(input.begin() + static_cast<std::ptrdiff_t>(at), static_cast<std::uint8_t>(random()));
                break;
            case 3:
                if (!input.empty())
                    input.erase(input.begin() + static_cast<std::ptrdiff_t>(at));
                break;
            case 4:
                input.resize(at);
                break;
            case 5:  // extreme integers where lengths may stand
                for (std::size_t i = at; i < std::min(input.size(), at + 4); ++i)
                    input[i] = below(2) ? 0xff : 0x00;
                break;
            default:
                if (const Bytes &other = corpus[below(corpus.size())]; !other.empty()) {
                    const std::size_t from = below(other.size());
                    const std::size_t count = std::min(other.size() - from, 1 + below(64));
                    input.insert(input.begin() + static_cast<std::ptrdiff_t>(at),
                                 other.begin() + static_cast<std::ptrdiff_t>(from),
                                 other.begin() + static_cast<std::ptrdiff_t>(from + count));
                }
        }
    }
}

}  // namespace

int main(int argc, char **argv) {
    long runs = 20000;
    long seconds = 10;
    std::vector<Bytes> corpus{Bytes{}};
    for (int i = 1; i < argc; ++i) {
        const std::string argument = argv[i];
        if (argument.starts_with("-runs=")) {
            runs = std::strtol(argument.c_str() + 6, nullptr, 10);
        } else if (argument.starts_with("-max_total_time=")) {
            seconds = std::strtol(argument.c_str() + 16, nullptr, 10);
        } else if (std::filesystem::is_directory(argument)) {
            std::vector<std::filesystem::path> paths;
            for (const auto &entry : std::filesystem::directory_iterator(argument))
                paths.push_back(entry.path());
            std::sort(paths.begin(), paths.end());
            for (const auto &path : paths)
                corpus.push_back(readAll(path));
        } else if (std::filesystem::exists(argument)) {
            corpus.push_back(readAll(argument));
        }
    }
    for (const Bytes &input : corpus)
        LLVMFuzzerTestOneInput(input.data(), input.size());
    std::mt19937_64 random(20240229);
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    long done = 0;
    for (; done < runs && std::chrono::steady_clock::now() < deadline; ++done) {
        Bytes input = corpus[random() % corpus.size()];
        mutate(input, corpus, random);
        LLVMFuzzerTestOneInput(input.data(), input.size());
    }
    std::printf("%zu corpus files and %ld mutations ran without a finding\n", corpus.size() - 1, done);
    return 0;
}
