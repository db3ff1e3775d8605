// How much of the processor this program's own work may take from others.
#pragma once

#include <vector>

namespace hearth {

/// What trains: a person's programs come first, and what nobody waits for comes after it.
constexpr int trainingNice = 10;
constexpr int backgroundNice = 19;

/// The calling thread from now on, and those that it starts; never back. Does nothing where the system refuses.
void lowerThreadPriority(int nice);
/// Those that this process has now, by the kernel's numbers: libraries have begun some.
std::vector<int> threadsOfProcess();
/// Of these (0: the calling one), and of the disk, from now on; and a process that leads its session is weighed lower
/// against other sessions. May be called between fork() and exec(): the program inherits it.
void lowerPriority(const std::vector<int> &threads, int nice);

}  // namespace hearth
