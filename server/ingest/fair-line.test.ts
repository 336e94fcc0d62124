import { describe, expect, it } from 'vitest';
import { FairLine, type OwnedTask } from './fair-line.ts';

let now = 0;

function lineOf() {
  now = 0;
  return new FairLine<OwnedTask>(5_000, () => now);
}

function taskOf(owner: string): OwnedTask {
  return { owner };
}

/** Takes pages on one thread, each for its owner's time per page, and returns their owners. */
function takenOf(line: FairLine<OwnedTask>, times: Record<string, number>, count: number): string {
  return Array.from({ length: count }, () => {
    const task = line.take(1);
    if (task === undefined) return '-';
    now += times[task.owner] ?? 1;
    line.end(task);
    return task.owner;
  }).join('');
}

describe('files waiting to be parsed', () => {
  it('are taken in order if all have the same owner', () => {
    const line = lineOf();
    const tasks = [taskOf('a'), taskOf('a'), taskOf('a')];
    for (const task of tasks) line.add(task);
    expect([line.take(1), line.take(1), line.take(1), line.take(1)]).toEqual([...tasks, undefined]);
  });

  it('share the time between owners, whatever the number of pages', () => {
    const line = lineOf();
    for (let page = 0; page < 10; page++) line.add(taskOf('a'));
    for (let page = 0; page < 5; page++) line.add(taskOf('b'));
    expect(takenOf(line, { a: 4000, b: 1000 }, 9)).toBe('abbbbabaa');
  });

  it('do not save up time for an owner who was away', () => {
    const line = lineOf();
    for (let page = 0; page < 6; page++) line.add(taskOf('a'));
    expect(takenOf(line, { a: 1000 }, 3)).toBe('aaa');
    for (let page = 0; page < 6; page++) line.add(taskOf('b'));
    expect(takenOf(line, { a: 1000, b: 1000 }, 4)).toBe('abab');
  });

  it('of owners with slow files use only the slots for slow files', () => {
    const line = lineOf();
    line.add(taskOf('slow'));
    const first = line.take(1) as OwnedTask;
    line.add(taskOf('slow'));
    expect(line.hasNext(1)).toBe(true);
    now += 5_000;
    expect([line.slowRunning, line.hasNext(1)]).toEqual([1, false]);
    line.add(taskOf('quick'));
    expect(line.take(1)?.owner).toBe('quick');
    line.end(first);
    expect(line.take(1)?.owner).toBe('slow');
    line.add(taskOf('slow'));
    expect(line.take(1)).toBeUndefined();
  });

  it('are not taken once withdrawn', () => {
    const line = lineOf();
    const task = taskOf('a');
    line.add(task);
    expect([line.remove(task), line.remove(task), line.isEmpty, line.take(1)]).toEqual([true, false, true, undefined]);
  });
});
