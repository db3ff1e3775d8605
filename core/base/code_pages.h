// The memory in which a process sees the code of its program and its libraries.
#pragma once

namespace hearth {

/// Lets go of all pages of code and constants that are as they stand in their files. They stay in the page cache, where
/// the kernel can use their memory for something else, and each comes back by a soft fault when it is needed: an agent
/// at rest holds a tenth of what it took to start. Takes milliseconds; for long rests. Linux; any thread.
void releaseCodePages();

}  // namespace hearth
