import { writeFileSync } from 'node:fs';
import { replaceCalls } from './replaced-calls.ts';

/** The wall clock of another process; its monotonic clock is unchanged. */
export interface MovedClock {
  /** The process must be started with these. */
  environment: Record<string, string>;
  /** Sets the clock this many seconds ahead of the machine's. */
  move(seconds: number): void;
}

const library = `
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
static long moved(void) {
  const char *path = getenv("TOLD");
  char text[24] = {0};
  int file = path ? open(path, O_RDONLY) : -1;
  if (file < 0) return 0;
  if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
  close(file);
  return atol(text);
}
int clock_gettime(clockid_t id, struct timespec *at) {
  int result = syscall(SYS_clock_gettime, id, at);
  if (id == CLOCK_REALTIME) at->tv_sec += moved();
  return result;
}
int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}
`;

/** Returns undefined without a C compiler, or on systems other than Linux. */
export function openMovedClock(): MovedClock | undefined {
  const replaced = replaceCalls(library, 'a clock that jumps');
  if (replaced === undefined) return undefined;
  const { environment, told } = replaced;
  return { environment, move: (seconds) => writeFileSync(told, String(seconds)) };
}
