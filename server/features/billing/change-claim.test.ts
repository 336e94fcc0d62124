import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { openBillingSample } from '#test/services/sample-billing.ts';
import { requestKey, withClaim } from './ask-provider.ts';

test('a request key has at most the 255 characters that the provider accepts, whatever key the caller gave', async () => {
  const ctx = await (await openBillingSample()).person('anna');
  const keyOf = (idempotencyKey: string) =>
    requestKey({ ...ctx, idempotencyKey }, 'team:d5b1cf0a-5b0f-4f1e-9d38-0c8f3b1d5e11', 'change:held');
  const longest = 'k'.repeat(limits.idempotencyKeyCharactersMax);
  expect(keyOf(longest).length).toBeLessThanOrEqual(255);
  expect(keyOf(longest)).toBe(keyOf(longest));
  expect(keyOf(longest)).not.toBe(keyOf(`${longest.slice(1)}x`));
});

onEachDatabase('billing changes of one payer', (kind) => {
  test('run one at a time, do not block other payers, and expire if their process died', async () => {
    const { person, deps, clock } = await openBillingSample(kind);
    const anna = await person('anna');
    const change = (payer: 'user:anna' | 'user:bert', work: () => Promise<string>) =>
      withClaim(anna, payer, deps, work);
    const inner = () => change('user:anna', async () => 'second');
    const outcome = await change('user:anna', async () => {
      await expect(inner()).rejects.toMatchObject({ code: 'billing-busy' });
      expect(await change('user:bert', async () => 'other')).toBe('other');
      clock.advance(3_600_000);
      expect(await inner()).toBe('second');
      return 'first';
    });
    expect(outcome).toBe('first');
    await expect(change('user:anna', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await inner()).toBe('second');
  });

  test('ignore a claim left by a process whose clock was a month ahead, but not one from a clock a minute ahead', async () => {
    const { person, deps, clock } = await openBillingSample(kind);
    const anna = await person('anna');
    const rightAt = clock.now();
    const secondAfter = (aheadMs: number) => {
      clock.set(rightAt + aheadMs);
      return withClaim(anna, 'user:anna', deps, () => {
        clock.set(rightAt);
        return withClaim(anna, 'user:anna', deps, async () => 'second');
      });
    };
    expect(await secondAfter(30 * 86_400_000)).toBe('second');
    await expect(secondAfter(60_000)).rejects.toMatchObject({ code: 'billing-busy' });
  });
});
