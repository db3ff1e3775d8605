#include "app/cli/plan_source.h"

#include <QFile>
#include <QJsonDocument>

#include "core/base/files.h"
#include "core/base/json_reader.h"
#include "core/model/catalogue.h"
#include "core/model/import/open_model.h"
#include "core/plan/homes/presets.h"
#include "core/profile/profile_limits.h"

namespace hearth {
namespace {

constexpr double mostMbit = 1e6;
constexpr qint64 mostProfileBytes = 64 << 20;

tl::unexpected<Error> wrong(const Sentence &what, const Sentence &advice = {}) {
    return fail(QStringLiteral("usage.wrong"), what, QString(), advice);
}

Result<EnvironmentOptions> environmentOptions(const CommandArguments &words) {
    const EnvironmentOptions usual;
    EnvironmentOptions options;
    const auto link = words.positive(word("link"), mostMbit, usual.linkMbitPerSecond);
    if (!link)
        return tl::unexpected(link.error());
    const auto batch = words.integer(word("batch"), 1, ProfileLimits::batch, usual.batch);
    if (!batch)
        return tl::unexpected(batch.error());
    const QString full = word("full"), half = word("half"), given = words.get(word("duplex"), half);
    if (given != full && given != half) {
        return wrong(sentence("The option --duplex does not take \"%1\".").arg(given.left(60)),
                     didYouMean(given, {full, half}));
    }
    options.linkMbitPerSecond = *link;
    options.batch = static_cast<int>(*batch);
    options.duplex = given == full ? Duplex::Full : Duplex::Half;
    return options;
}

Result<PlanningProblem> fromFile(const QString &path) {
    const auto object = readJsonFile(path);
    if (!object)
        return tl::unexpected(object.error());
    return PlanningProblem::fromJson(*object, path);
}

Result<ProfiledOn> profiledOn(const CommandArguments &words) {
    ProfiledOn measured;
    const auto batch = words.integer(word("profiled-batch"), 1, ProfileLimits::batch, 0);
    if (!batch)
        return tl::unexpected(batch.error());
    if (*batch == 0) {
        return wrong(sentence("--pipedream needs --profiled-batch."),
                     sentence("A profile does not say how many samples it was measured with: give their number."));
    }
    measured.batch = static_cast<int>(*batch);
    measured.kind = words.get(word("profiled-on"), measured.kind);
    return measured;
}

Result<PlanningProblem> fromProfile(const CommandArguments &words, const EnvironmentOptions &options) {
    const QString path = words.get(word("pipedream"));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(QStringLiteral("file.read"), sentence("%1 cannot be read.").arg(path),
                    file.errorString() + QLatin1Char('.'));
    }
    const auto profile = PipedreamProfile::fromText(file.read(mostProfileBytes), path);
    if (!profile)
        return tl::unexpected(profile.error());
    const auto measured = profiledOn(words);
    if (!measured)
        return tl::unexpected(measured.error());
    return environmentProblem(words.get(word("environment")), *profile, *measured, options);
}

Result<PlanningProblem> fromEnvironment(const CommandArguments &words) {
    const auto options = environmentOptions(words);
    if (!options)
        return tl::unexpected(options.error());
    if (words.isSet(word("pipedream")))
        return fromProfile(words, *options);
    const auto opened = openModel(words.get(word("model"), QStringLiteral("mobilenetv2-cifar")));
    if (!opened)
        return tl::unexpected(opened.error());
    return environmentProblem(words.get(word("environment")), workloadOf(opened->model), *options);
}

}  // namespace

void declarePlanSource(CommandArguments &words) {
    words.positional(QStringLiteral("PROBLEM"), QStringLiteral("a hearth-problem/1 file"), false);
    words.value(word("job"), QStringLiteral("JOB"), QStringLiteral("plan this job for the devices of the home"));
    words.value(word("environment"), QStringLiteral("A..D"), QStringLiteral("a home of the papers instead"));
    words.value(word("link"), QStringLiteral("MBIT"), QStringLiteral("its links in Mbit/s (100)"));
    words.value(word("duplex"), QStringLiteral("half|full"),
                QStringLiteral("one direction of a link at a time, as the papers count, or both (half)"));
    words.value(
        word("model"), QStringLiteral("MODEL"),
        QStringLiteral("its model (mobilenetv2-cifar): a file, or %1").arg(builtinModels().join(QStringLiteral(", "))));
    words.value(word("batch"), QStringLiteral("N"), QStringLiteral("its mini-batch (the model's own)"));
    words.value(word("pipedream"), QStringLiteral("FILE"),
                QStringLiteral("a profile by PipeDream's profiler instead of a model"));
    words.value(word("profiled-batch"), QStringLiteral("N"), QStringLiteral("samples that the profile is of"));
    words.value(word("profiled-on"), QStringLiteral("KIND"),
                QStringLiteral("where it was measured: nano, tx2, nx or a100 (a100)"));
    words.value(word("problem-out"), QStringLiteral("FILE"),
                QStringLiteral("also write the problem there, as hearth-problem/1"));
    words.value(word("state"), QStringLiteral("DIR"), QStringLiteral("the home's folder, with --job"));
}

Result<void> checkPlanSource(const CommandArguments &words) {
    const bool environment = words.isSet(word("environment")), job = words.isSet(word("job"));
    if (words.wordCount() + (job ? 1 : 0) + (environment ? 1 : 0) != 1)
        return wrong(sentence("Give one of PROBLEM, --job and --environment."));
    for (const char *option : {"link", "duplex", "model", "batch", "pipedream"}) {
        if (words.isSet(word(option)) && !environment)
            return wrong(sentence("--%1 goes with --environment only.").arg(word(option)));
    }
    for (const char *option : {"profiled-batch", "profiled-on"}) {
        if (words.isSet(word(option)) && !words.isSet(word("pipedream")))
            return wrong(sentence("--%1 goes with --pipedream only.").arg(word(option)));
    }
    if (words.isSet(word("pipedream")) && words.isSet(word("model")))
        return wrong(sentence("Give one of --model and --pipedream."));
    if (words.isSet(word("state")) && !job)
        return wrong(sentence("--state goes with --job only."));
    if (environment) {
        if (const auto options = environmentOptions(words); !options)
            return tl::unexpected(options.error());
    }
    if (words.isSet(word("pipedream"))) {
        if (const auto measured = profiledOn(words); !measured)
            return tl::unexpected(measured.error());
    }
    return {};
}

Result<PlanningProblem> readPlanSource(const CommandArguments &words) {
    auto problem = words.isSet(word("environment")) ? fromEnvironment(words) : fromFile(words.word(0));
    if (problem && words.isSet(word("problem-out"))) {
        const QByteArray text = QJsonDocument(problem->toJson()).toJson(QJsonDocument::Indented);
        if (auto ok = saveFile(words.get(word("problem-out")), text); !ok)
            return tl::unexpected(ok.error());
    }
    return problem;
}

}  // namespace hearth
