import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyse } from 'scslre';
import { parseAst } from 'vite';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const listFile = join(import.meta.dirname, 'fixtures/superlinear-expressions.txt');

interface Literal {
  pattern: string;
  flags: string;
}

function literalsOf(path: string): Literal[] {
  const found: Literal[] = [];
  JSON.stringify(
    parseAst(readFileSync(join(root, path), 'utf8'), { lang: path.endsWith('x') ? 'tsx' : 'ts' }),
    (_key, node: unknown) => {
      if (typeof node === 'bigint') return undefined;
      if (typeof node === 'object' && node !== null && 'regex' in node) found.push(node.regex as Literal);
      return node;
    },
  );
  return found;
}

function isSuperlinear({ pattern, flags }: Literal): boolean {
  const options = { maxReports: 1, reportTypes: { Move: true, Self: true, Trade: true } };
  return analyse({ source: pattern, flags }, options).reports.length > 0;
}

/**
 * Rewrite a new expression that is listed here: `(?<!x)x+$` in place of `x+$`, `trimEnd`, a class that excludes what
 * follows. Add it to the file only if its input is short, if it runs in a thread with a time limit, or if it cannot fail
 * after the reported part (`\s+(.*)$` with the flag `s`). Remove one that is gone.
 */
test('no regular expression can take more than linear time, except known ones', { timeout: 60_000 }, () => {
  const files = ['contract', 'server', 'web'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  );
  const product = files.filter((name) => /(?<!\.d|\.test)\.tsx?$/.test(name)).sort();
  const found = product.flatMap((path) =>
    literalsOf(path)
      .filter(isSuperlinear)
      .map(({ pattern, flags }) => `${path} /${pattern}/${flags}`),
  );
  expect(found).toEqual(readFileSync(listFile, 'utf8').trim().split('\n'));
});
