#include "core/base/core_dumps.h"

#include <sys/resource.h>

namespace hearth {

void leaveNoCoreDumps() {
    // One byte rather than none: Linux starts a program of kernel.core_pattern whatever the limit, but with this one.
    rlimit limit{};
    if (::getrlimit(RLIMIT_CORE, &limit) != 0 || limit.rlim_max == 0)
        return;
    limit.rlim_cur = limit.rlim_max = 1;
    ::setrlimit(RLIMIT_CORE, &limit);
}

}  // namespace hearth
