#include "core/agent/data_host.h"

#include <utility>

#include "core/agent/programs.h"
#include "core/base/priority.h"

namespace hearth {

DataHost::DataHost(ProcessSettings settings, QObject *parent)
    : ProcessHost(QStringLiteral("holder"), std::move(settings), parent) {}

DataHost::~DataHost() = default;

bool DataHost::launch(const QString &run, const Start &start) {
    const auto program = findProgram(QStringLiteral("hearth-coordinator"));
    if (!program) {
        start.answer(tl::unexpected(program.error()));
        return false;
    }
    auto holder = std::make_unique<ChildProcess>(sentence("The data process on %1").arg(settings().deviceName));
    holder->setNice(trainingNice);
    begin(run, start, std::move(holder), *program, QStringList{QStringLiteral("--serve")} + argumentsFor(run),
          start.answer);
    return true;
}

}  // namespace hearth
