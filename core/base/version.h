// Which build of Hearth a program is.
#pragma once

namespace hearth {

/// Sets QCoreApplication::applicationVersion(), which everybody else asks: "0.1.0+1470", with the number of commits
/// that led to it; without git only "0.1.0". Before any thread begins.
void setProgramVersion();

}  // namespace hearth
