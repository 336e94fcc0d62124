import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { errorTable } from '#contract/errors.ts';

const folder = join(import.meta.dirname, '..', '..', 'docs', 'errors');

test('every error code has its page, and no page belongs to a removed code', () => {
  expect(existsSync(folder)).toBe(true);
  const pages = readdirSync(folder).map((name) => name.replace(/\.md$/, ''));
  expect(pages.sort()).toEqual(Object.keys(errorTable).sort());
});
