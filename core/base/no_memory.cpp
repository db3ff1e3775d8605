#include "core/base/no_memory.h"

#include <unistd.h>
#include <cstdlib>
#include <exception>
#include <initializer_list>
#include <string_view>

namespace hearth {
namespace {

std::terminate_handler before = nullptr;

/// To standard error without taking memory.
void say(std::initializer_list<std::string_view> words) {
    for (const std::string_view &each : words) {
        if (::write(STDERR_FILENO, each.data(), each.size()) < 0)
            return;
    }
}

[[noreturn]] void end() {
    try {
        if (const auto error = std::current_exception())
            std::rethrow_exception(error);
    } catch (const std::bad_alloc &refused) {
        say({"Out of memory: ", refused.what(), ".\n"});
        std::_Exit(noMemoryStatus);
    } catch (...) {
        // The runtime's way says what it was.
    }
    before();
    std::abort();
}

}  // namespace

void endWhereMemoryEnds() {
    before = std::set_terminate(end);
}

}  // namespace hearth
