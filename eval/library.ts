import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Corpus, readCorpora, serveCorpora } from './drive/corpora.ts';
import { folderBytes, watchMemory } from './drive/processes.ts';
import { type Product, startProduct } from './drive/product.ts';
import { type DocumentationSet, folderOfSet, seedsOfSet, serveSets } from './questions/sets.ts';
import type { IndexingFigures } from './report.ts';

const documents = fileURLToPath(new URL('../docs', import.meta.url));

/** A running product with all documentation indexed that the questions need. */
export interface Library {
  product: Product;
  /** Null if nothing was indexed. */
  indexing: IndexingFigures | null;
  /** Runs the work and then stops everything, even if it failed. */
  use<T>(work: () => Promise<T>): Promise<T>;
}

/** Serves the corpora, starts the product and indexes the corpora missing from its data folder. */
export async function openCorpora(options: {
  folder: string;
  only: string[];
  dataFolder: string;
  port: number;
}): Promise<Library> {
  const corpora = readCorpora(options.only);
  const server = await serveCorpora(options.folder, rememberedPort(options.dataFolder, options.port));
  try {
    const product = await startProduct(options.dataFolder, server.host);
    const stop = async (): Promise<void> => {
      await product.stop();
      await server.stop();
    };
    return await open(product, stop, (present) =>
      corpora
        .filter(({ name }) => !present.has(name))
        .map((corpus) => ({
          source: `${server.origin}/${corpus.name}/`,
          name: corpus.name,
          maxPages: 20_000,
          seeds: seedsOf(corpus, server.origin),
        })),
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Serves documentation sets, starts the product and indexes the sets missing from its data folder. */
export async function openSets(
  sets: DocumentationSet[],
  options: { folder: string; dataFolder: string; port: number },
): Promise<Library> {
  const server = await serveSets(options.folder, sets, rememberedPort(options.dataFolder, options.port));
  try {
    const product = await startProduct(options.dataFolder, server.host);
    const stop = async (): Promise<void> => {
      await product.stop();
      await server.stop();
    };
    return await open(product, stop, (present) =>
      sets
        .filter(({ name }) => !present.has(name))
        .map((set) => ({
          source: set.kind === 'site' ? `${server.origin}/${set.name}/` : folderOfSet(options.folder, set),
          name: set.name,
          maxPages: 20_000,
          seeds: set.kind === 'site' ? seedsOfSet(set, server.origin) : [],
        })),
    );
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Starts the product and indexes the project's own documentation as a folder. */
export async function openOwnDocuments(dataFolder: string): Promise<Library> {
  const product = await startProduct(dataFolder, '');
  return open(
    product,
    () => product.stop(),
    () => [{ source: documents, name: 'docs', maxPages: 2_000, seeds: [] }],
  );
}

interface Source {
  source: string;
  name: string;
  maxPages: number;
  seeds: string[];
}

async function open(
  product: Product,
  stop: () => Promise<void>,
  missing: (present: Set<string>) => Source[],
): Promise<Library> {
  try {
    const present = new Set((await product.modules()).map((module) => module.moduleId));
    const sources = missing(present);
    return {
      product,
      indexing: sources.length === 0 ? null : await indexAll(product, sources),
      async use(work) {
        try {
          return await work();
        } finally {
          await stop();
        }
      },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function indexAll(product: Product, sources: Source[]): Promise<IndexingFigures> {
  const memory = watchMemory(product.pid);
  const begun = performance.now();
  const corpora: IndexingFigures['corpora'] = [];
  for (const { source, ...options } of sources) {
    const started = performance.now();
    const job = await product.index(source, options);
    const seconds = (performance.now() - started) / 1000;
    const { fetched, unchanged, snippets, failed, skipped, skipReasons } = job;
    corpora.push({ name: options.name, pages: fetched + unchanged, snippets, failed, skipped, skipReasons, seconds });
  }
  const seconds = (performance.now() - begun) / 1000;
  memory.end();
  const pages = corpora.reduce((sum, corpus) => sum + corpus.pages, 0);
  return {
    ...{ pages, seconds, pagesPerSecond: pages / seconds, corpora },
    peakMemoryBytes: memory.peak() ?? null,
    diskBytes: folderBytes(product.dataFolder),
  };
}

/** Returns the start pages, the index page first: a folder's address may return that page or nothing. */
function seedsOf({ name, index, seeds = [] }: Corpus, origin: string): string[] {
  return [index, ...seeds].map((page) => `${origin}/${name}/${page}`);
}

/** Returns the port of the existing index, whose addresses contain it, so that the corpora are served there again. */
function rememberedPort(dataFolder: string, port: number): number {
  const file = join(dataFolder, 'eval-port');
  if (existsSync(file)) return Number(readFileSync(file, 'utf8'));
  mkdirSync(dataFolder, { recursive: true });
  writeFileSync(file, String(port));
  return port;
}
