import { describe, expect, test } from 'vitest';
import { safeContinuation } from '../../web/lib/continuation.ts';
import { attacksOf, type RedirectAttack } from '../services/attacks.ts';

const origin = 'http://127.0.0.1:7331';
const attacks = attacksOf<RedirectAttack>('open-redirect.jsonl');

describe.skipIf(attacks.length === 0)('the redirect after sign-in never leaves the site', () => {
  test.each(attacks)('$id', ({ cont, expect: verdict }) => {
    const target = safeContinuation(cont, origin);
    const { href } = new URL(target, origin);
    expect(new URL(href).origin).toBe(origin);
    if (verdict === 'follow') expect(href).toBe(new URL(cont, origin).href);
    else if (verdict !== 'either') expect(target).toBe('/dashboard');
  });
});
