#include "core/run/job_facts.h"

#include "core/base/slot.h"

namespace hearth {

JobFacts jobFactsOf(const Job &job) {
    JobFacts facts;
    facts.batch = job.roundSamples();
    facts.microBatch = job.fixedMicroBatch();
    facts.optimizerStateFactor = job.state().copies;
    facts.localSteps = LocalStepsFacts::of(job.localSteps, job.optimizer);
    if (job.augment.mixes())
        facts.labelBytes = mixedLabel().bytes();
    facts.levels = levelsOf(job.codec);
    facts.gradientCodec = job.gradientCodec;
    facts.asynchronous = job.asynchronous;
    return facts;
}

bool haveSamePlans(const Job &one, const Job &other) {
    return haveSameNetwork(one, other) && one.precision == other.precision && one.state() == other.state() &&
           jobFactsOf(one) == jobFactsOf(other);
}

}  // namespace hearth
