// Qt starts processes by clone() with CLONE_VM: until it is another program the child runs in our memory, in that of
// the calling thread's state, too. What ThreadSanitizer puts in its place takes any clone for a fork, and lets the
// child ignore from then on whatever it does: with the state that they share, so would the thread that started it. So
// programs that are built with ThreadSanitizer find the C library's own.
#include <dlfcn.h>
#include <sched.h>
#include <sys/types.h>

#include <cstdarg>

extern "C" __attribute__((visibility("default"))) int clone(int (*function)(void *), void *stack, int flags,
                                                            void *argument, ...) noexcept {
    using Clone = int (*)(int (*)(void *), void *, int, void *, ...);
    static const auto own = reinterpret_cast<Clone>(dlsym(dlopen("libc.so.6", RTLD_NOLOAD | RTLD_LAZY), "clone"));
    va_list more;
    va_start(more, argument);
    auto *parent = va_arg(more, pid_t *);
    void *tls = va_arg(more, void *);
    auto *child = va_arg(more, pid_t *);
    va_end(more);
    return own(function, stack, flags, argument, parent, tls, child);
}
