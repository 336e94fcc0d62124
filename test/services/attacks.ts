import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns the cases of a list of attacks; none, with a one-line warning, if the list is missing, which fails on CI. */
export function attacksOf<Attack>(name: string): Attack[] {
  const list = resolve(process.env['LECTERN_SHARED'] ?? '../shared', 'security', name);
  if (!existsSync(list)) {
    if (process.env['CI'])
      throw new Error(`CI must try the attacks of ${list}, which is not there; set LECTERN_SHARED`);
    console.warn(`left out: ${list} is not there (set LECTERN_SHARED)`);
    return [];
  }
  return readFileSync(list, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Attack);
}

/** A redirect target after sign-in, and whether it must be followed. */
export interface RedirectAttack {
  id: string;
  cont: string;
  expect: 'follow' | 'default-/dashboard' | 'either';
}
