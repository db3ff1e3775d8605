// Profiles from outside: read, put on a home, and what comes out is a problem that survives its own form.
#include <cstdint>

#include "core/plan/homes/pipedream_profile.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto profile = PipedreamProfile::fromText(text, QStringLiteral("input"));
    if (!profile) {
        if (profile.error().what.isEmpty() || profile.error().cause.isEmpty())
            qFatal("An error says nothing.");
        return 0;
    }
    if (profile->layers.empty())
        qFatal("A profile has no layers.");
    ProfileHome home;
    home.profiledBatch = 16;
    home.job.batch = 8;
    for (const double speed : {1.0, 2.5}) {
        const QString id = QStringLiteral("dev%1").arg(home.devices.size());
        home.devices.push_back({{id, 1'000'000'000, 0}, speed});
    }
    home.links.fallback = LinkProfile::Link{1e8, 0, Duplex::Full};
    const auto problem = problemFromProfile(*profile, home);
    if (!problem)
        return 0;  // seconds may add up to too many
    if (!PlanningProblem::fromJson(problem->toJson(), QStringLiteral("again")))
        qFatal("A problem did not survive its own form.");
    return 0;
}
