// What another computer's shell answered, and the record of an installation that it keeps.
#include <cstdint>
#include <cstdlib>

#include "core/install/install_checks.h"
#include "core/install/install_record.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    if (const auto record = InstallRecord::parse(text);
        record && InstallRecord::parse(record->toJson())->toJson() != record->toJson())
        std::abort();
    const auto facts = parseFacts(text);
    if (!facts)
        return 0;
    if (facts->memoryBytes < 0 || facts->homeFreeBytes < -1 || facts->userName.contains(QChar(0x1b)))
        std::abort();
    const InstallPlan plan = planInstall(*facts, {});
    // A failed check must say what to do.
    for (const InstallCheck &check : checkTarget(*facts, plan, PackageKind::Debian, 0)) {
        if (check.state != CheckState::Ok && check.problem.advice.isEmpty())
            std::abort();
    }
    parseControl(text);
    parseDependencies(text);
    minimumLibc(text);
    return 0;
}
