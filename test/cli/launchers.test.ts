import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';

const root = join(import.meta.dirname, '..', '..');

/** Returns the arguments and variables with which a clone's launcher starts Node. */
function startedWith(env: Record<string, string>): string[] {
  const folder = temporaryFolder();
  const node = '#!/bin/sh\nif [ "$1" = --version ]; then echo v24.99.0; else echo "$@"; env; fi\n';
  writeFileSync(join(folder, 'node'), node, { mode: 0o755 });
  const PATH = `${folder}:${process.env.PATH ?? ''}`;
  return execFileSync(join(root, 'lectern'), ['modules'], { env: { ...env, PATH }, encoding: 'utf8' }).split('\n');
}

test('the launcher makes malloc return freed memory to the system, unless the environment overrides it', () => {
  expect(startedWith({})).toEqual(expect.arrayContaining(['MALLOC_MMAP_THRESHOLD_=1048576', 'MALLOC_ARENA_MAX=2']));
  expect(startedWith({ MALLOC_ARENA_MAX: '8' })).toContain('MALLOC_ARENA_MAX=8');
});

test('the image does so too, and both keep the main thread’s young generation small', () => {
  const image = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
  expect(image).toContain('ENV MALLOC_MMAP_THRESHOLD_=1048576 MALLOC_ARENA_MAX=2\n');
  expect(image).toContain('"--max-semi-space-size=8"');
  expect(startedWith({})[0]).toContain(' --max-semi-space-size=8 ');
});
