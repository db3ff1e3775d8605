// `hearth runs --delete RUN…`.
#pragma once

namespace hearth {

class CommandArguments;

/// Deletes the runs that are named, after a question unless --yes is given; returns the exit status. Where one of them
/// is under way or not known, none is deleted.
int deleteRuns(const CommandArguments &line);

}  // namespace hearth
