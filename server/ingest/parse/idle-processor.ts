import { availableParallelism, cpus } from 'node:os';

/** Share of one processor that must be idle for another thread to be worth compiling everything once more. */
const idleShareMin = 0.5;

/** Begins to watch; the answer says whether a processor that this process may use was idle since. */
export function watchProcessors(): () => boolean {
  const startedAt = performance.now();
  const ownBefore = process.cpuUsage();
  const idleBefore = idleMs();
  return () => {
    const elapsed = performance.now() - startedAt;
    const { user, system } = process.cpuUsage(ownBefore);
    // Of a larger machine this process may be allowed a part; of its part others may take some.
    const isAllowed = (user + system) / 1000 <= (availableParallelism() - idleShareMin) * elapsed;
    return isAllowed && idleMs() - idleBefore >= idleShareMin * elapsed;
  };
}

function idleMs(): number {
  return cpus().reduce((sum, { times }) => sum + times.idle, 0);
}
