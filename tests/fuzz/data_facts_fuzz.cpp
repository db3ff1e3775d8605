// What another device says of the data that it holds: a set of them can be made, and joined with others.
#include <cstdlib>

#include "core/data/joined_dataset.h"
#include "core/run/data_facts.h"
#include "core/run/held_dataset.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using namespace hearth;
    const QByteArray text(reinterpret_cast<const char *>(data), static_cast<qsizetype>(size));
    const auto facts = DataFacts::fromText(text, QStringLiteral("desk"));
    if (!facts)
        return 0;
    const auto again = DataFacts::fromText(facts->toText(), QStringLiteral("again"));
    if (!again || *again != *facts)
        std::abort();
    const auto nobody = std::make_shared<HolderReads>(Error{QStringLiteral("data.unreadable"), {}, {}, {}});
    const auto joined = joinDatasets({heldDataset(*facts, 0, nobody), heldDataset(*facts, 1, nobody)});
    if (joined && (*joined)->count(Split::Train) != 2 * facts->count(Split::Train))
        std::abort();
    return 0;
}
