import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort } from '#test/services/free-port.ts';
import { openAgent } from '../drive/agent.ts';
import type { Corpus } from '../fidelity/corpora.ts';
import { openSets } from '../library.ts';
import { type NamedPage, namesOfSet } from './inventories.ts';
import { namedSets } from './sets.ts';

// Measures whether the name of a class, function or method finds its defining page first, for names sampled from each
// generator's own listing.
// ./lectern eval names --corpora DIR --data INDEX [--check] [--only NAME,NAME] [--names 25] [--misses]

const floor = 0.95;

const { values } = parseArgs({
  options: {
    corpora: { type: 'string' },
    data: { type: 'string' },
    only: { type: 'string' },
    names: { type: 'string', default: '25' },
    misses: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
  },
});

interface Asked {
  query: string;
  pages: ReadonlySet<string>;
}

if (values.corpora === undefined || values.data === undefined) {
  process.stderr.write(
    'Say where the unpacked documentation packages lie, and where to keep the index: --corpora DIR --data DIR\n',
  );
  process.exitCode = 2;
} else await measure(values.corpora, values.data);

async function measure(corpora: string, data: string): Promise<void> {
  const only = values.only?.split(',');
  const sets = namedSets.filter(({ inventory, name, folder }) => {
    return inventory !== undefined && (only?.includes(name) ?? true) && existsSync(join(corpora, folder));
  });
  const library = await openSets(sets.map(siteOf), {
    folder: corpora,
    dataFolder: resolve(data),
    port: await freePort(),
  });
  await library.use(async () => {
    const key = await library.product.createKey(`names ${new Date().toISOString()}`);
    const search = async (query: string): Promise<string | undefined> => {
      const agent = await openAgent(library.product.origin, key);
      const { urls } = await agent.search(query, 1_000);
      await agent.close();
      return urls[0] === undefined ? undefined : new URL(urls[0]).pathname.slice(1);
    };
    process.stdout.write(`${'set'.padEnd(18)}${'generator'.padEnd(12)}${'full'.padStart(8)}${'shorter'.padStart(8)}\n`);
    for (const set of sets) await measureSet(set, join(corpora, set.folder), search);
  });
}

async function measureSet(
  { name, inventory }: Corpus,
  folder: string,
  search: (query: string) => Promise<string | undefined>,
): Promise<void> {
  if (inventory === undefined) return;
  const names = namesOfSet(inventory, folder);
  const shares: number[] = [];
  for (const asked of [fullNames(names), shorterNames(names, name)]) {
    let right = 0;
    for (const { query, pages } of asked) {
      const first = await search(query);
      if (first !== undefined && [...pages].some((page) => isPage(first, name, page))) right++;
      else if (values.misses)
        process.stdout.write(`  ${query}\n    found  ${first ?? '-'}\n    wanted ${[...pages].join(' ')}\n`);
    }
    shares.push(asked.length === 0 ? Number.NaN : right / asked.length);
  }
  const [full = 0, shorter = 0] = shares;
  process.stdout.write(
    `${name.padEnd(18)}${inventory.padEnd(12)}${full.toFixed(2).padStart(8)}${shorter.toFixed(2).padStart(8)}\n`,
  );
  if (values.check && full < floor) process.exitCode = 1;
}

function fullNames(names: readonly NamedPage[]): Asked[] {
  return drawn([...pagesByName(names.map(({ full, page }) => [full, page]))], Number(values.names));
}

/** Prefixes the library, because a bare `open` is a name in many of them. */
function shorterNames(names: readonly NamedPage[], library: string): Asked[] {
  const shorter = names.flatMap(({ shorter, page }) => shorter.map((one): [string, string] => [one, page]));
  return drawn([...pagesByName(shorter)], Number(values.names)).map(({ query, pages }) => ({
    query: `${library} ${query}`,
    pages,
  }));
}

/** Returns the pages of each name; any of them counts as correct. */
function pagesByName(names: Iterable<[string, string]>): Map<string, Set<string>> {
  const pages = new Map<string, Set<string>>();
  for (const [name, page] of names) pages.set(name, (pages.get(name) ?? new Set()).add(page));
  return pages;
}

/** Returns names at even distances in their sorted list, so that every run draws the same ones. */
function drawn(names: readonly [string, Set<string>][], count: number): Asked[] {
  const sorted = names.toSorted(([a], [b]) => (a < b ? -1 : 1));
  const step = Math.max(1, sorted.length / count);
  return Array.from({ length: Math.min(count, sorted.length) }, (_, at) => {
    const [query = '', pages = new Set<string>()] = sorted[Math.floor(at * step)] ?? [];
    return { query, pages };
  });
}

function isPage(found: string, set: string, page: string): boolean {
  const plain = (path: string): string => decodeURIComponent(path).replace(/(^|\/)index\.html$/, '$1');
  return plain(found) === plain(`${set}/${page}`);
}

/** Returns a corpus in the format of `openSets`, which serves it below its name. */
function siteOf({ name, folder, generator }: Corpus) {
  return {
    name,
    title: name,
    aliases: [],
    format: generator,
    fold: 1,
    kind: 'site' as const,
    package: '',
    dir: folder,
    index: 'index.html',
  };
}
