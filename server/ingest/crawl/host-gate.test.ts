import { describe, expect, test } from 'vitest';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { createInstantClock } from '#test/services/test-site.ts';
import { HostGate, HostGates } from './host-gate.ts';

const never = new AbortController().signal;
const crawl = {};

/** Sends one request at a time through the gate, all ending the same way. */
async function passMany(gate: HostGate, count: number, latencyMs: number): Promise<void> {
  for (let i = 0; i < count; i++) (await gate.enter(never, crawl)).release('ok', latencyMs);
}

describe('a gate', () => {
  test('opens step by step for a fast host and closes again for a slow one', async () => {
    const gate = new HostGate(createInstantClock(), () => 0, 8);
    expect(gate.inFlightLimit).toBe(2);
    await passMany(gate, 5, 50);
    expect(gate.inFlightLimit).toBe(4);
    await passMany(gate, 100, 50);
    expect(gate.inFlightLimit).toBe(8);
    await passMany(gate, 20, 1_000);
    expect(gate.inFlightLimit).toBe(8);
    await passMany(gate, 3, 3_000);
    expect(gate.inFlightLimit).toBe(5);
    await passMany(gate, 20, 3_000);
    expect(gate.inFlightLimit).toBe(1);
  });

  test('halves and pauses on a failure; simultaneous failures count once', async () => {
    const clock = createInstantClock();
    const gate = new HostGate(clock, () => 0.5, 8);
    await passMany(gate, 100, 1);
    const permits = await Promise.all(Array.from({ length: 8 }, () => gate.enter(never, crawl)));
    for (const permit of permits) permit.release('unreachable', 0);
    expect([gate.inFlightLimit, gate.failuresInARow, gate.pausedForMs]).toEqual([4, 1, 750]);
    (await gate.enter(never, crawl)).release('overloaded', 0);
    expect([gate.inFlightLimit, gate.failuresInARow, gate.pausedForMs]).toEqual([2, 2, 1_500]);
    await passMany(gate, 1, 1);
    expect(gate.failuresInARow).toBe(0);
  });

  test('ends its pause on time even if the clock is set back', async () => {
    const clock = createSettableClock();
    const gate = new HostGate(clock, () => 1, 8);
    (await gate.enter(never, crawl)).release('unreachable', 0);
    const entered = gate.enter(never, crawl);
    clock.set(clock.now() - 30 * 86_400_000);
    clock.advance(1_000);
    (await entered).release('ok', 0);
    expect(gate.pausedForMs).toBe(0);
  });

  test('serves crawls in turn, however many requests of one wait', async () => {
    const gate = new HostGate(createInstantClock(), () => 0, 1);
    const order: string[] = [];
    const pass = async (name: string, of: object) => {
      const permit = await gate.enter(never, of);
      order.push(name);
      permit.release('ok', 1_000);
    };
    const [large, small] = [{}, {}];
    const first = await gate.enter(never, large);
    const waiting = [
      ...['a1', 'a2', 'a3', 'a4'].map((name) => pass(name, large)),
      pass('b1', small),
      pass('b2', small),
    ];
    first.release('ok', 1_000);
    await Promise.all(waiting);
    expect(order).toEqual(['b1', 'a1', 'b2', 'a2', 'a3', 'a4']);
  });

  test('admits in order of arrival and drops aborted waiters', async () => {
    const gate = new HostGate(createInstantClock(), () => 0, 1);
    const first = await gate.enter(never, crawl);
    const order: string[] = [];
    const gone = new AbortController();
    const waiting = [
      gate.enter(never, crawl).then((permit) => (order.push('a'), permit)),
      gate.enter(gone.signal, crawl).then(
        () => order.push('gone'),
        () => order.push('left'),
      ),
      gate.enter(never, crawl).then((permit) => (order.push('b'), permit)),
    ] as const;
    gone.abort(new Error('gone'));
    first.release('ok', 0);
    first.release('ok', 0);
    (await waiting[0]).release('ok', 0);
    await waiting[2];
    expect(order).toEqual(['left', 'a', 'b']);
    await expect(gate.enter(AbortSignal.abort(new Error('too late')), crawl)).rejects.toThrow('too late');
  });
});

test('each host has one gate', () => {
  const gates = new HostGates(createInstantClock(), () => 0);
  expect(gates.of('https://a.example')).toBe(gates.of('https://a.example'));
  expect(gates.of('https://a.example')).not.toBe(gates.of('https://b.example'));
});

test('a new host does not require checking every paused host', () => {
  const clock = createInstantClock();
  let looks = 0;
  const elapsed = () => {
    looks += 1;
    return clock.elapsed();
  };
  const gates = new HostGates({ ...clock, elapsed }, () => 0);
  for (let host = 0; host < 5_000; host += 1) gates.of(`https://host${host}.example`).pauseFor(86_400_000);
  expect(looks).toBeLessThan(100_000);
});
