// The C library's heap, for processes that take and free the same large blocks again and again.
#pragma once

namespace hearth {

/// From now on the heap keeps what is freed: no mapping and unmapping of large blocks, whose page faults cost a third
/// of a training step and a fifth of a stream of large tensors. Process-wide, for good; before the first large block.
void keepFreedMemory();

/// For processes that seldom hold large blocks, in threads that come and go: blocks of a mebibyte and more go back to
/// the system when they are freed, and threads share few heaps, each of which would keep what it once had.
/// Process-wide, for good; before the first thread.
void keepHeapsSmall();

/// What is kept now and in no use goes back to the system. Takes milliseconds, in which other threads may wait for
/// memory: at rest, or some time after what was needed has changed. Any thread.
void returnFreedMemory();

}  // namespace hearth
