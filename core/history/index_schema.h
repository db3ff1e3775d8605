// The tables of History's index, and how those of earlier versions become them.
#pragma once

#include "core/base/error.h"

namespace hearth {

class IndexDatabase;

/// What `PRAGMA user_version` of the index says.
constexpr int indexSchemaVersion = 8;

/// For a database without tables.
Result<void> createSchema(IndexDatabase &database);
/// Creates, migrates, or does nothing. Errors: "history.newer" for the version of a later Hearth, which is left as it
/// is; "history.broken" where the tables are not those that the version promises.
Result<void> bringUpToDate(IndexDatabase &database);

}  // namespace hearth
