// What a view of a job depends on.
#pragma once

#include "core/run/job.h"

namespace hearth {

/// A job with these members of another one, and with defaults for all others.
template <class... Members>
Job partOf(const Job &job, Members Job::*...members) {
    Job part;
    ((part.*members = job.*members), ...);
    return part;
}

}  // namespace hearth
