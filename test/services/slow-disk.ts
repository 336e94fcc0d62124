import { rmSync, writeFileSync } from 'node:fs';
import { replaceCalls } from './replaced-calls.ts';

/** The disk of another process, with slower syncs. */
export interface SlowDisk {
  /** The process must be started with these. */
  environment: Record<string, string>;
  /** Makes each sync take this much longer. */
  delay(ms: number): void;
  /** From now on no sync ends until `free`. */
  hold(): void;
  free(): void;
}

// Calls the kernel directly, because the library functions of this name are replaced.
const library = `
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
static void wait_for_disk(void) {
  const char *path = getenv("TOLD");
  for (;;) {
    char text[16] = {0};
    int file = path ? open(path, O_RDONLY) : -1;
    if (file < 0) return;
    if (read(file, text, sizeof text - 1) < 0) text[0] = 0;
    close(file);
    int ms = atoi(text);
    usleep(ms > 0 ? ms * 1000 : 5000);
    if (ms > 0) return;
  }
}
int fsync(int file) { wait_for_disk(); return syscall(SYS_fsync, file); }
int fdatasync(int file) { wait_for_disk(); return syscall(SYS_fdatasync, file); }
`;

/** Returns undefined without a C compiler, or on systems other than Linux. */
export function openSlowDisk(): SlowDisk | undefined {
  const replaced = replaceCalls(library, 'what a slow disk holds up');
  if (replaced === undefined) return undefined;
  const { environment, told } = replaced;
  return {
    environment,
    delay: (ms) => writeFileSync(told, String(ms)),
    hold: () => writeFileSync(told, 'hold'),
    free: () => rmSync(told, { force: true }),
  };
}
