import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const manifest = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');

/** This program's version, from its package. */
export const productVersion = (JSON.parse(manifest) as { version: string }).version;
