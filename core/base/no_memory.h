// What becomes of a program whose memory has run out.
#pragma once

#include <QtGlobal>
#include <new>
#include <string>

namespace hearth {

/// What a program exits with where memory ran out and nobody could go on without: its parent knows it by that.
constexpr int noMemoryStatus = 12;

/// An allocation that was refused, with its bytes.
class NoMemory : public std::bad_alloc {
  public:
    explicit NoMemory(qint64 bytes) : m_text(std::to_string(bytes) + " bytes were refused") {}
    const char *what() const noexcept override { return m_text.c_str(); }

  private:
    std::string m_text;
};

/// Once, in main(): an allocation that is refused where nobody catches it, in any thread, ends the process with
/// noMemoryStatus and a line on standard error, not as a crash.
void endWhereMemoryEnds();

}  // namespace hearth
