import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');

/** Version of this program, as its package says it. */
export const productVersion = (JSON.parse(manifest) as { version: string }).version;
