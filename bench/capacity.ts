import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { SegmentBuilder } from '#server/engine/index.ts';
import { type Installation, openInstallation } from '#server/main.ts';
import { loadConfig } from '#server/platform/config/config.ts';
import { runToEnd } from '../eval/drive/processes.ts';
import { growCorpus } from './grow-corpus.ts';
import { createPageMaker, type PageMaker } from './synthetic-pages.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const help = `Usage: lectern capacity [options]

Measures what a public index and private indexes over it take: disk, memory, processor, and what a private search costs beside a
public one. The pages are made of the sentences of docs/; with --from they are those of an installation, and more like them whose
words are as frequent and other ones.

  --snippets A,B   sizes of the public index (default 100000,300000)
  --tenants N      private indexes (default 1000)
  --own N          snippets of each private index (default 200)
  --queries N      searches of each kind (default 300)
  --from DIR       data folder of real documentation to grow; then only sizes count, and postings are counted
  --questions FILE with --from: lines of JSON with a query each (default those of the benchmark)
  --keep DIR       with --from and one size: where the data folder stays, to be searched again when it is there
  --json FILE      where the figures go (default bench/capacity.json)
  --help           show this text
`;

const { values } = parseArgs({
  options: {
    ...{
      snippets: { type: 'string' },
      tenants: { type: 'string' },
      own: { type: 'string' },
      queries: { type: 'string' },
    },
    ...{ from: { type: 'string' }, questions: { type: 'string' }, keep: { type: 'string' } },
    ...{ json: { type: 'string' }, data: { type: 'string' }, port: { type: 'string' }, help: { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else await (values.from === undefined ? measure() : measureGrown(values.from));

async function measure(): Promise<void> {
  const [tenants, own, queries] = [values.tenants ?? '1000', values.own ?? '200', values.queries ?? '300'].map(Number);
  const maker = createPageMaker(join(here, '../docs'));
  const figures = [];
  for (const snippets of sizes()) {
    const folder = mkdtempSync(join(tmpdir(), 'lectern-capacity-'));
    try {
      const built = await fill(folder, maker, { snippets, tenants: tenants ?? 0, own: own ?? 0 });
      // In a separate process, whose memory contains nothing from building the index.
      const program = join(here, 'search-as-tenants.ts');
      const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', program];
      const { output } = await runToEnd(process.execPath, [...args, folder, String(tenants), String(queries)], {
        isShown: true,
      });
      figures.push({ snippets, tenants, own, ...built, ...(JSON.parse(output) as Record<string, unknown>) });
      process.stdout.write(`${JSON.stringify(figures.at(-1), null, 1)}\n`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  writeFileSync(values.json ?? join(here, 'capacity.json'), `${JSON.stringify(figures, null, 1)}\n`);
}

/** Measures the same sizes with documentation that resembles real documentation. */
async function measureGrown(realFolder: string): Promise<void> {
  const figures = [];
  for (const snippets of sizes()) {
    const folder = values.keep ?? mkdtempSync(join(tmpdir(), 'lectern-capacity-'));
    const isThere = existsSync(join(folder, 'data.sqlite'));
    try {
      const built = isThere ? {} : await growCorpus(realFolder, folder, snippets);
      const program = join(here, 'search-grown.ts');
      const args = ['--expose-gc', '--disable-warning=ExperimentalWarning', '--max-semi-space-size=8', program, folder];
      const { output } = await runToEnd(process.execPath, [...args, values.questions ?? ''], { isShown: true });
      figures.push({ ...built, ...(JSON.parse(output) as Record<string, unknown>) });
      process.stdout.write(`${JSON.stringify(figures.at(-1), null, 1)}\n`);
    } finally {
      if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  writeFileSync(values.json ?? join(here, 'capacity.json'), `${JSON.stringify(figures, null, 1)}\n`);
}

function sizes(): number[] {
  return (values.snippets ?? '100000,300000').split(',').map(Number);
}

async function fill(dataFolder: string, maker: PageMaker, size: { snippets: number; tenants: number; own: number }) {
  const { config } = loadConfig({}, { LECTERN_DATA: dataFolder, LOG_LEVEL: 'error' });
  const installation = await openInstallation(config);
  try {
    const before = process.cpuUsage();
    const diskBytes = await addModule(installation, maker, {
      id: 'public',
      workspace: 'public',
      snippets: size.snippets,
    });
    const { user, system } = process.cpuUsage(before);
    let ownBytes = 0;
    for (let tenant = 0; tenant < size.tenants; tenant += 1) {
      const [id, workspace] = [`tenant-${tenant}`, `user:tenant-${tenant}`] as const;
      ownBytes += await addModule(installation, maker, { id, workspace, snippets: size.own });
    }
    const bytesOfTenant = Math.round(ownBytes / Math.max(size.tenants, 1));
    return { buildProcessorSeconds: Math.round((user + system) / 1e6), diskBytes, diskBytesOfTenant: bytesOfTenant };
  } finally {
    await installation.close();
  }
}

async function addModule(
  { base, blobs }: Installation,
  maker: PageMaker,
  module: { id: string; workspace: 'public' | `user:${string}`; snippets: number },
): Promise<number> {
  const { id, workspace, snippets } = module;
  const builder = new SegmentBuilder();
  let pageCount = 0;
  const seed = [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) | 0, 7);
  for (const page of maker.pages({ origin: `https://${id}.example.org`, snippets, seed })) {
    builder.addPage(page);
    pageCount += 1;
  }
  const blobKey = `segments/${id}/whole.seg`;
  const byteCount = await blobs.put(blobKey, chunksOf(builder.finishChunks()));
  const source = JSON.stringify({ kind: 'site', url: `https://${id}.example.org/`, seeds: [], maxPages: 10 });
  await base.db.transaction(async (tx) => {
    await tx
      .insertInto('segments')
      .values({ id: `segment-${id}`, moduleId: id, blobKey, byteCount, createdAt: 0 })
      .execute();
    const row = {
      id,
      workspace,
      slug: id,
      displayName: id,
      kind: 'site' as const,
      source,
      createdAt: 0,
      createdByUserId: 'nobody',
    };
    const served = {
      segments: JSON.stringify([`segment-${id}`]),
      lastUpdatedAt: 1,
      pageCount,
      snippetCount: snippets,
      byteCount,
    };
    await tx
      .insertInto('modules')
      .values({ ...row, ...served })
      .execute();
  });
  return byteCount;
}

async function* chunksOf(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield* pieces;
}
