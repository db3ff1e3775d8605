#include "core/train/stage_errors.h"

#include "core/train/memory.h"

namespace hearth {

Error badFrame(const Sentence &cause) {
    return {QStringLiteral("worker.bad-frame"), sentence("A tensor arrived that does not fit the plan."), cause,
            sentence("Run the same version of Hearth on all devices.")};
}

Error fromException() {
    try {
        throw;
    } catch (const MemoryRefused &refused) {
        return refused.error();
    } catch (const c10::OutOfMemoryError &) {
        return lastRefusal();
    } catch (const c10::Error &error) {
        return {QStringLiteral("worker.failed"),
                sentence("The computation failed."),
                QString::fromUtf8(error.what_without_backtrace()),
                {}};
    } catch (const std::bad_alloc &) {
        return {QStringLiteral("worker.out-of-memory"), sentence("The worker ran out of memory."),
                sentence("%1 bytes of tensors were held.").arg(tensorMemory().held),
                sentence("Use smaller micro-batches, more devices, or give this device more memory.")};
    } catch (const std::exception &error) {
        return {
            QStringLiteral("worker.failed"), sentence("The computation failed."), QString::fromUtf8(error.what()), {}};
    }
}

}  // namespace hearth
