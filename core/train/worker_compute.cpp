#include "core/train/worker_compute.h"

namespace hearth {

Error badRequest(const Sentence &cause) {
    return {
        QStringLiteral("worker.bad-request"), sentence("The coordinator asked for something impossible."), cause, {}};
}

}  // namespace hearth
