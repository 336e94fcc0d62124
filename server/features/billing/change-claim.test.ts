import { expect, test } from 'vitest';
import { onEachDatabase } from '#test/services/database.ts';
import { openBillingSample } from '#test/services/sample-billing.ts';
import { withClaim } from './change-claim.ts';

onEachDatabase('changes of one payer', (kind) => {
  test('are made one at a time; those of others do not wait, and one whose maker died ends', async () => {
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
});
