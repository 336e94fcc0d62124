import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The cases of one list of attacks; where it is not there none, and one line that says so. On CI that is a failure. */
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

/** A target for the way back after signing in, and whether it must be followed. */
export interface RedirectAttack {
  id: string;
  cont: string;
  expect: 'follow' | 'default-/dashboard' | 'either';
}
