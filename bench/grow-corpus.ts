import {
  createByteCache,
  type FoundTerms,
  openSegment,
  type PageRecord,
  SegmentBuilder,
  TermFinder,
} from '#server/engine/index.ts';
import { type Installation, openInstallation } from '#server/main.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { createOtherWords } from './other-words.ts';

interface RealModule {
  slug: string;
  displayName: string;
  pages: { page: PageRecord; found: FoundTerms }[];
  snippets: number;
}

export interface Grown {
  modules: number;
  pages: number;
  snippets: number;
  diskBytes: number;
  buildProcessorSeconds: number;
}

/**
 * Fills an empty data folder with copies of the modules in `realFolder`, the originals first, with equal sizes and word
 * statistics, until it contains the wanted number of snippets. Returns the figures; the processor time includes finding
 * terms only for the first copy.
 */
export async function growCorpus(realFolder: string, dataFolder: string, snippetsWanted: number): Promise<Grown> {
  const before = process.cpuUsage();
  const finder = new TermFinder();
  const real = await realModules(realFolder, finder);
  const passages = real.reduce((sum, { snippets }) => sum + snippets, 0);
  const wordsOf = createOtherWords(finder, frequenciesOf(real, finder), passages);
  const installation = await open(dataFolder);
  const grown: Grown = { modules: 0, pages: 0, snippets: 0, diskBytes: 0, buildProcessorSeconds: 0 };
  try {
    for (let copy = 0; grown.snippets < snippetsWanted; copy += 1) {
      const words = wordsOf(copy);
      for (const module of real) {
        if (grown.snippets >= snippetsWanted) break;
        const builder = new SegmentBuilder();
        for (const { page, found } of module.pages) {
          builder.addPage(words.pageOf(page), { ...found, finder: words.finder });
        }
        const slug = copy === 0 ? module.slug : `${module.slug}-${copy}`;
        grown.diskBytes += await serve(installation, { ...module, slug }, builder.finishChunks());
        grown.modules += 1;
        grown.pages += module.pages.length;
        grown.snippets += module.snippets;
      }
      process.stdout.write(`${grown.snippets} snippets in ${grown.modules} modules\n`);
    }
  } finally {
    await installation.close();
  }
  const { user, system } = process.cpuUsage(before);
  return { ...grown, buildProcessorSeconds: Math.round((user + system) / 1e6) };
}

function open(dataFolder: string): Promise<Installation> {
  return openInstallation(loadConfig({}, { LECTERN_DATA: dataFolder, LOG_LEVEL: 'error' }).config);
}

/** Returns all public modules of an installation, read completely, with their terms. */
async function realModules(folder: string, finder: TermFinder): Promise<RealModule[]> {
  const installation = await open(folder);
  const modules: RealModule[] = [];
  const cache = createByteCache(8_000_000);
  try {
    const { query } = installation.base.db;
    const rows = await query
      .selectFrom('modules')
      .innerJoin('segments', 'segments.moduleId', 'modules.id')
      .select(['slug', 'displayName', 'blobKey'])
      .where('workspace', '=', 'public')
      .where('segments.droppedAt', 'is', null)
      .orderBy('slug')
      .execute();
    for (const { slug, displayName, blobKey } of rows) {
      const blob = await installation.blobs.open(blobKey);
      const segment = openSegment(blob, cache);
      const pages = Array.from({ length: segment.pageCount }, (_, at) => {
        const { firstSnippet: _first, snippetCount: _count, ...record } = segment.page(at);
        const page = { ...record, snippets: segment.pageSnippets(at) };
        return { page, found: finder.find(page) };
      });
      modules.push({ slug, displayName, pages, snippets: segment.snippetCount });
      blob.close();
    }
  } finally {
    await installation.close();
  }
  return modules;
}

function frequenciesOf(modules: RealModule[], finder: TermFinder): Uint32Array {
  const frequencies = new Uint32Array(finder.termCount);
  const lastIn = new Int32Array(finder.termCount).fill(-1);
  let passage = 0;
  for (const { pages } of modules) {
    for (const { found } of pages) {
      for (let at = 0; at + 1 < found.starts.length; at += 1, passage += 1) {
        for (let place = found.starts[at] ?? 0; place < (found.starts[at + 1] ?? 0); place += 1) {
          const term = (found.entries[place] ?? 0) >>> 3;
          if (lastIn[term] === passage) continue;
          lastIn[term] = passage;
          frequencies[term] = (frequencies[term] ?? 0) + 1;
        }
      }
    }
  }
  return frequencies;
}

async function serve(
  { base, blobs }: Installation,
  { slug, displayName, pages, snippets }: RealModule,
  pieces: Iterable<Uint8Array>,
): Promise<number> {
  const blobKey = `segments/${slug}/whole.seg`;
  const byteCount = await blobs.put(blobKey, pieces);
  const url = `https://${slug}.example.org/`;
  await base.db.transaction(async (tx) => {
    const segment = { id: `segment-${slug}`, moduleId: slug, blobKey, byteCount, createdAt: 0 };
    await tx.insertInto('segments').values(segment).execute();
    await tx
      .insertInto('modules')
      .values({
        ...{ id: slug, workspace: 'public', slug, displayName, kind: 'site', createdAt: 0, createdByUserId: 'nobody' },
        source: JSON.stringify({ kind: 'site', url, seeds: [], maxPages: 10 }),
        ...{ segments: JSON.stringify([segment.id]), lastUpdatedAt: 1, byteCount },
        ...{ pageCount: pages.length, snippetCount: snippets },
      })
      .execute();
  });
  return byteCount;
}
