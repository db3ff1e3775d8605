#include "core/base/code_pages.h"

#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace hearth {
namespace {

/// Such a library has changed its code to fit its place in memory: it could not be read from its file again.
bool hasRelocatedCode(const dl_phdr_info &object, std::span<const ElfW(Phdr)> segments) {
    for (const auto &segment : segments) {
        if (segment.p_type != PT_DYNAMIC)
            continue;
        const auto *entry = reinterpret_cast<const ElfW(Dyn) *>(object.dlpi_addr + segment.p_vaddr);
        for (; entry->d_tag != DT_NULL; ++entry) {
            if (entry->d_tag == DT_TEXTREL || (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)))
                return true;
        }
    }
    return false;
}

// Called under the loader's lock: no library comes or goes meanwhile.
int release(dl_phdr_info *object, std::size_t, void *) {
    const std::span segments(object->dlpi_phdr, object->dlpi_phnum);
    if (hasRelocatedCode(*object, segments))
        return 0;
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    for (const auto &segment : segments) {
        // Writable segments hold what was changed, also those parts of them that are read-only since.
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_W) != 0)
            continue;
        // Whole pages: the ends may share theirs with another segment.
        const std::uintptr_t first = object->dlpi_addr + segment.p_vaddr;
        const std::uintptr_t begin = (first + page - 1) & ~(page - 1);
        const std::uintptr_t end = (first + segment.p_memsz) & ~(page - 1);
        if (begin < end)
            ::madvise(reinterpret_cast<void *>(begin), end - begin, MADV_DONTNEED);
    }
    return 0;
}

}  // namespace

void releaseCodePages() {
    ::dl_iterate_phdr(&release, nullptr);
}

}  // namespace hearth
