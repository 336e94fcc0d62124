import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { Client } from '@opensearch-project/opensearch';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { searchClusterState } from '#server/cli/search-cluster-state.ts';
import { createClusterClaim } from '#server/features/catalog/claim-cluster.ts';
import { adoptCluster, requireOwnCluster } from '#server/features/catalog/index.ts';
import { OpenShelf } from '#server/features/catalog/shelf.ts';
import { clusterProbe } from '#server/features/status/probes.ts';
import {
  openSearchCluster,
  type SearchClusterConfig,
  SearchClusterError,
} from '#server/platform/search-cluster/index.ts';
import { bulkLimits, writeBulk } from '#server/platform/search-cluster/write-snippets.ts';
import { readQuestions } from '../../eval/question.ts';
import { startCuttableProxy } from '../services/cuttable-proxy.ts';
import { until } from '../services/until.ts';
import { addressOf, openStage, pagesOf, type Stage } from './stage.ts';

const documents = fileURLToPath(new URL('../../docs', import.meta.url));
const ownQuestions = fileURLToPath(new URL('../../eval/own/questions.jsonl', import.meta.url));
/** With so few questions, one is about six percent; `lectern eval` measures more. */
const missedMoreMax = 1;

const clientOf = ({ nodes }: SearchClusterConfig): Client => {
  const client = new Client({ nodes });
  onTestFinished(() => client.close());
  return client;
};

/** Counts the snippets in a stage's indexes, whichever modules they belong to. */
async function countOf({ config }: Stage): Promise<number> {
  const client = clientOf(config);
  await client.indices.refresh({ index: `${config.index}-*` });
  const { body } = await client.count({ index: `${config.index}-*` });
  return body.count;
}

const rowsOf = ({ rig }: Stage) => rig.ctx.db.query.selectFrom('clusterSegments').selectAll().execute();

async function faultOf(work: Promise<unknown>): Promise<SearchClusterError> {
  const fault = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(fault).toBeInstanceOf(SearchClusterError);
  return fault as SearchClusterError;
}

const manyPages = (count: number, word: string) =>
  pagesOf(Object.fromEntries(Array.from({ length: count }, (_, at) => [`${word}-${at}`, `${word} number ${at}`])));

/** Declares the tests that only apply to a search cluster. */
export function describeCluster(nodes: () => string[]): void {
  test('questions about the product get the same documentation as without a cluster', async () => {
    const stage = await openStage(nodes());
    expect(await stage.rig.index(documents)).toMatchObject({ status: 'COMPLETE' });
    const missedBy = async () => {
      const missed: string[] = [];
      for (const { id, queries, gold } of readQuestions(ownQuestions)) {
        const pages = (await stage.ask(stage.rig.ctx, queries.cold ?? '')).slice(0, 5);
        if (!gold.some((page) => pages.some((url) => url.endsWith(`/${page}`)))) missed.push(id);
      }
      return missed;
    };
    // Modules not yet in the cluster are searched in the process.
    const before = await missedBy();
    await stage.fill();
    expect((await missedBy()).length, `missed before: ${before.join(', ')}`).toBeLessThanOrEqual(
      before.length + missedMoreMax,
    );
  });

  test('replaced or removed documents are deleted from the cluster, and nothing is written twice', async () => {
    const stage = await openStage(nodes());
    const { db } = stage.rig.ctx;
    const [gone = ''] = await stage.addModule('guide', 'public', [manyPages(30, 'lamp')]);
    await stage.addModule('secret', 'user:anna', [manyPages(20, 'oil')]);
    await Promise.all([stage.fill(), stage.fill()]);
    await stage.fill();
    expect(await countOf(stage)).toBe(50);
    expect((await rowsOf(stage)).map(({ tenant }) => tenant).sort()).toEqual(['public', 'user:anna']);
    await db.query.deleteFrom('modules').execute();
    await db.query.deleteFrom('segments').where('id', '=', gone).execute();
    await stage.fill();
    expect(await countOf(stage)).toBe(20);
    await db.query.deleteFrom('segments').execute();
    await Promise.all([stage.fill(), stage.fill()]);
    expect(await countOf(stage)).toBe(0);
    expect(await rowsOf(stage)).toEqual([]);
  });

  test('an interrupted write shows nothing, and the next one completes it', async () => {
    const stage = await openStage(nodes());
    const { rig, cluster } = stage;
    await stage.addModule('guide', 'public', [manyPages(1_500, 'lamp')]);
    const segmentIds = (await rig.ctx.db.query.selectFrom('segments').select('id').execute()).map(({ id }) => id);
    const place = { segmentId: segmentIds[0] ?? '', tenant: 'public' };
    const stopped = new Error('stopped');
    const writing = cluster?.write(
      place,
      (function* () {
        for (let snippet = 0; snippet < 1_200; snippet += 1) {
          yield { snippet, page: snippet, url: addressOf(`${snippet}`), isFirstOfPage: true, terms: 'lamp' };
        }
        throw stopped;
      })(),
    );
    await expect(writing).rejects.toThrow();
    expect(await countOf(stage)).toBeGreaterThan(0);
    // The write is not marked complete: the module is searched in the process, each page once.
    expect(await stage.ask(rig.ctx, 'lamp number 1499')).toContain(addressOf('lamp-1499'));
    await stage.fill();
    expect(await countOf(stage)).toBe(1_500);
    const found = await cluster?.find([{ term: '1499', weight: 1 }], [place]);
    expect(found).toEqual([{ segmentId: place.segmentId, page: 1499, snippet: 1499, score: expect.any(Number) }]);
  });

  test('the contents of a lost index are written again', async () => {
    const stage = await openStage(nodes());
    await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    await stage.fill();
    const before = await rowsOf(stage);
    await clientOf(stage.config).indices.delete({ index: `${stage.config.index}-1-public` });
    await expect(stage.ask(stage.rig.ctx, 'lamps')).rejects.toMatchObject({ code: 'search-cluster-away' });
    await stage.fill();
    expect(await stage.ask(stage.rig.ctx, 'lamps')).toEqual([addressOf('a')]);
    expect((await rowsOf(stage))[0]?.indexId).not.toBe(before[0]?.indexId);
  });

  test('only matching modules are opened, and the least recently used one is closed', async () => {
    const stage = await openStage(nodes());
    const { ctx, blobs } = stage.rig;
    for (const word of ['lamp', 'oil', 'wick']) await stage.addModule(word, 'public', [manyPages(3, word)]);
    await stage.fill();
    const opened: string[] = [];
    const counted = {
      ...blobs,
      open(key: string) {
        opened.push(key.split('/')[1] ?? '');
        return blobs.open(key);
      },
    };
    const large = { finder: stage.finder as NonNullable<Stage['finder']>, openedBytesMax: 1_000 };
    const shelf = new OpenShelf({ db: ctx.db, blobs: counted, large });
    onTestFinished(() => shelf.close());
    const modules = await shelf.readableModules(ctx);
    const answering = async (question: string) =>
      (await shelf.openSound(modules, question)).views.map(({ module }) => module.moduleId);
    expect(await answering('lamp')).toEqual(['lamp']);
    expect(await answering('oil')).toEqual(['oil']);
    expect(opened).toEqual(['lamp', 'oil']);
    expect(await answering('oil')).toEqual(['oil']);
    expect(opened).toEqual(['lamp', 'oil']);
    // Each segment is nearly as large as the limit for open ones.
    expect(await answering('lamp')).toEqual(['lamp']);
    expect((await shelf.findPage(ctx, addressOf('wick-1')))?.module.moduleId).toBe('wick');
    expect(opened).toEqual(['lamp', 'oil', 'lamp', 'wick']);
  });

  test('indexes of another installation are refused, and keep every passage', async () => {
    const [stage, stranger] = [await openStage(nodes()), await openStage(nodes())];
    await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    await stranger.addModule('other', 'public', [pagesOf({ b: 'about oil' })]);
    await stage.fill();
    const shared = await openSearchCluster(stage.config);
    onTestFinished(() => shared.close());
    expect(await faultOf(stranger.fillOf(shared))).toMatchObject({
      code: 'other-installation',
      message: expect.stringContaining('LECTERN_SEARCH_INDEX'),
    });
    expect(await faultOf(requireOwnCluster(stranger.rig.ctx, shared))).toMatchObject({ code: 'other-installation' });
    const { ctx, blobs } = stranger.rig;
    expect(await searchClusterState(stage.config, { db: ctx.db, blobs })).toMatchObject({ state: 'fail' });
    expect(await countOf(stage)).toBe(1);
    expect(await rowsOf(stranger)).toEqual([]);
  });

  test('rows restored from a backup find passages removed from the cluster since', async () => {
    const stage = await openStage(nodes());
    const { db } = stage.rig.ctx;
    const [old = ''] = await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    await stage.addModule('other', 'public', [pagesOf({ b: 'about oil' })]);
    await stage.fill();
    const tables = ['settings', 'modules', 'segments', 'clusterSegments'] as const;
    const backup: [(typeof tables)[number], object[]][] = [];
    for (const table of tables) backup.push([table, await db.query.selectFrom(table).selectAll().execute()]);
    await stage.replace('guide', pagesOf({ a: 'about wicks' }));
    await db.query.deleteFrom('segments').where('id', '=', old).execute();
    await stage.fill();
    expect(await stage.ask(stage.rig.ctx, 'lamps')).toEqual([]);
    for (const table of tables.toReversed()) await db.query.deleteFrom(table).execute();
    for (const [table, rows] of backup) {
      if (rows.length > 0)
        await db.query
          .insertInto(table)
          .values(rows as never)
          .execute();
    }
    const refused = { code: 'other-installation', message: expect.stringContaining('lectern store adopt') };
    expect(await faultOf(stage.fill())).toMatchObject(refused);
    const found = async () => {
      const shelf = stage.shelfOver(stage.cluster as NonNullable<Stage['cluster']>);
      const { views } = await shelf.openSound(await shelf.readableModules(stage.rig.ctx), 'lamps');
      shelf.close();
      return views.map(({ module }) => module.moduleId);
    };
    // Searched in the process until the operator has adopted the cluster.
    expect(await found()).toContain('guide');
    expect(await countOf(stage)).toBe(2);
    await adoptCluster(stage.rig.ctx, stage.config);
    await stage.fill();
    expect(await found()).toEqual(['guide']);
    expect(await countOf(stage)).toBe(3);
    const writtenAt = async () => (await rowsOf(stage)).map(({ readyAt }) => readyAt);
    const before = await writtenAt();
    await stage.fill();
    // Written once and not repeatedly.
    expect(await writtenAt()).toEqual(before);
  });

  test('a copy of the database writes and removes nothing in the cluster, and is still searched', async () => {
    const [stage, copy] = [await openStage(nodes()), await openStage(nodes())];
    await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    await stage.fill();
    for (const table of ['settings', 'modules', 'segments', 'clusterSegments'] as const) {
      const rows = await stage.rig.ctx.db.query.selectFrom(table).selectAll().execute();
      await copy.rig.ctx.db.query
        .insertInto(table)
        .values(rows as never)
        .execute();
    }
    await copy.addModule('other', 'public', [pagesOf({ b: 'about oil' })]);
    await copy.rig.ctx.db.query.deleteFrom('modules').where('id', '=', 'guide').execute();
    await copy.rig.ctx.db.query.deleteFrom('segments').where('moduleId', '=', 'guide').execute();
    const shared = await openSearchCluster(stage.config);
    onTestFinished(() => shared.close());
    await copy.fillOf(shared);
    expect(await countOf(stage)).toBe(1);
    // As the scheduled job does every minute.
    await createClusterClaim(stage.rig.ctx, shared).take();
    expect(await faultOf(copy.fillOf(shared))).toMatchObject({ code: 'other-installation' });
    await stage.fill();
    expect(await countOf(stage)).toBe(1);
    const shelf = copy.shelfOver(shared);
    onTestFinished(() => shelf.close());
    expect((await shelf.openSound(await shelf.readableModules(copy.rig.ctx), 'oil')).views).toHaveLength(1);
  });

  test('full disks are reported at once, searches continue, and missing documents are written once there is space', async () => {
    const stage = await openStage(nodes());
    await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    await stage.fill();
    await stage.addModule('other', 'public', [pagesOf({ b: 'about oil' })]);
    const client = clientOf(stage.config);
    const block = (isBlocked: boolean | null) =>
      client.indices.putSettings({
        index: `${stage.config.index}-*`,
        body: { index: { blocks: { read_only_allow_delete: isBlocked } } },
      } as Parameters<typeof client.indices.putSettings>[0]);
    const probed = stage.cluster as NonNullable<Stage['cluster']>;
    const health = () => clusterProbe(probed, createClusterClaim(stage.rig.ctx, probed)).run(stage.rig.ctx);
    expect(await health()).toBe('good');
    await block(true);
    expect(await health()).toBe('impaired');
    const snippet = { snippet: 0, page: 0, url: addressOf('b'), isFirstOfPage: true, terms: 'oil' };
    const writing = stage.cluster?.write({ segmentId: 'x', tenant: 'public' }, [snippet]);
    const full = { code: 'full', message: expect.stringContaining('full') };
    expect(await faultOf(writing as Promise<number>)).toMatchObject(full);
    expect(await faultOf(stage.fill())).toMatchObject(full);
    const { ctx, blobs } = stage.rig;
    expect(await searchClusterState(stage.config, { db: ctx.db, blobs })).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('full'),
    });
    expect(await stage.ask(stage.rig.ctx, 'lamps')).toEqual([addressOf('a')]);
    expect(await stage.ask(stage.rig.ctx, 'oil')).toEqual([addressOf('b')]);
    await block(null);
    await stage.fill();
    expect(await countOf(stage)).toBe(2);
    expect(await health()).toBe('good');
  });

  test('nodes that go away during a writing and searches, and come back, lose nothing and write nothing twice', async () => {
    const ports = nodes().map((url) => Number(new URL(url).port));
    const proxies = await Promise.all(ports.map((port) => startCuttableProxy(port)));
    const stage = await openStage(proxies.map(({ port }) => `http://127.0.0.1:${port}`));
    const { ctx } = stage.rig;
    const search = (number: number) => stage.ask(ctx, `lamp number ${number}`);
    await stage.addModule('guide', 'public', [manyPages(900, 'lamp')]);
    // One of them: the others do its work.
    proxies[0]?.become('refusing');
    await stage.fill();
    expect(await search(7)).toContain(addressOf('lamp-7'));
    proxies[0]?.become('open');
    // All of them, after so many messages of the writing.
    for (const messages of [1, 2, 3]) {
      await stage.addModule(`later${messages}`, 'public', [manyPages(900, `oil${messages}`)]);
      for (const proxy of proxies) proxy.cutAfter(messages, 600_000);
      const written = await stage.fill().then(
        () => undefined,
        (error: unknown) => error,
      );
      if (written !== undefined) expect(written).toMatchObject({ code: 'unreachable' });
      for (const proxy of proxies) proxy.become('refusing');
      await expect(search(7)).rejects.toMatchObject({ code: 'search-cluster-away' });
      for (const proxy of proxies) proxy.become('open');
      await until('it is searched again', () => search(7).catch(() => undefined), 60_000);
      await stage.fill();
      expect(await countOf(stage)).toBe(900 * (messages + 1));
      expect(await stage.ask(ctx, `oil${messages} number 899`)).toContain(addressOf(`oil${messages}-899`));
    }
  });

  test('an index of somebody else is not touched', async () => {
    const stage = await openStage(nodes());
    const client = clientOf(stage.config);
    const config = { ...stage.config, index: `${stage.config.index}-other` };
    await client.indices.create({ index: `${config.index}-1-public` });
    await client.indices.putMapping({
      index: `${config.index}-1-public`,
      body: { _meta: { lecternLayout: 99 } },
    } as Parameters<typeof client.indices.putMapping>[0]);
    const cluster = await openSearchCluster(config);
    onTestFinished(() => cluster.close());
    const fault = await faultOf(cluster.prepare());
    expect(fault).toMatchObject({ code: 'other-layout', message: expect.stringContaining('LECTERN_SEARCH_INDEX') });
  });

  test('the number of replicas follows the configuration', async () => {
    const stage = await openStage(nodes());
    const cluster = await openSearchCluster({ ...stage.config, replicas: 1 });
    onTestFinished(() => cluster.close());
    await cluster.prepare();
    const index = `${stage.config.index}-1-private`;
    const { body } = await clientOf(stage.config).indices.get({ index });
    expect(body[index]?.settings?.index).toMatchObject({ number_of_replicas: '1', number_of_shards: '2' });
  });

  test('the doctor reports unwritten documents, missing replicas, and an unreachable cluster', async () => {
    const stage = await openStage(nodes());
    const { ctx, blobs } = stage.rig;
    const state = (config = stage.config) => searchClusterState(config, { db: ctx.db, blobs });
    await stage.addModule('guide', 'public', [pagesOf({ one: 'the first' })]);
    expect(await state()).toMatchObject({
      state: 'warn',
      detail: expect.stringContaining('0 of 1 served segment in it; a'),
    });
    await stage.fill();
    expect(await state()).toEqual({
      ...{ what: 'search cluster', state: 'ok' },
      detail: `${nodes().length} nodes; 1 of 1 served segment in it`,
    });
    // More replicas than nodes to hold them.
    const client = clientOf(stage.config);
    const keep = (copies: number) =>
      client.indices.putSettings({
        index: `${stage.config.index}-*`,
        body: { index: { number_of_replicas: copies } },
      });
    await keep(nodes().length);
    try {
      expect(await state()).toMatchObject({ state: 'warn', detail: expect.stringContaining('on one node only') });
      const probed = stage.cluster as NonNullable<Stage['cluster']>;
      expect(await clusterProbe(probed, createClusterClaim(ctx, probed)).run(ctx)).toBe('good');
    } finally {
      // Other tests wait until every passage of the cluster has its replicas.
      await keep(0);
    }
    // A passage is deleted by another program: the rows still count it as stored.
    await client.deleteByQuery({
      ...{ index: `${stage.config.index}-*`, refresh: true },
      body: { query: { match_all: {} } },
    });
    expect(await state()).toMatchObject({
      state: 'fail',
      detail: expect.stringContaining('lacks passages of 1 segment'),
    });
    const away = { ...stage.config, nodes: ['http://127.0.0.1:1'] };
    expect(await state(away)).toMatchObject({ state: 'fail', detail: expect.stringContaining('does not answer') });
  });
}

/** Declares the tests that need no node. */
export function describeAbsence(): void {
  const away: SearchClusterConfig = {
    ...{ nodes: ['http://operator:hush@127.0.0.1:9'], authority: undefined, index: 'x', shards: 1, replicas: 0 },
  };

  test('a missing package and an unreachable cluster are each reported in one sentence without a password', async () => {
    const missing = await faultOf(openSearchCluster(away, () => Promise.reject(new Error('no such module'))));
    expect(missing.message).toContain('npm install @opensearch-project/opensearch');
    const cluster = await openSearchCluster(away);
    onTestFinished(() => cluster.close());
    const fault = await faultOf(cluster.prepare());
    expect(fault).toMatchObject({ code: 'unreachable', message: expect.stringContaining('127.0.0.1:9') });
    expect(fault.message).not.toContain('hush');
  });

  test('while the cluster is unreachable searches report it, unwritten modules are found, and nothing is lost', async () => {
    const stage = await openStage(undefined);
    const { ctx } = stage.rig;
    const cluster = await openSearchCluster(away);
    const shelf = stage.shelfOver(cluster);
    onTestFinished(async () => {
      shelf.close();
      await cluster.close();
    });
    const [segmentId = ''] = await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    const modules = await shelf.readableModules(ctx);
    expect((await shelf.openSound(modules, 'lamps')).views).toHaveLength(1);
    expect(await faultOf(stage.fillOf(cluster))).toMatchObject({ code: 'unreachable' });
    const row = { segmentId, tenant: 'public', indexId: 'x', leaseUntil: 0, readyAt: 1 };
    await ctx.db.query.insertInto('clusterSegments').values(row).execute();
    const other = stage.shelfOver(cluster);
    onTestFinished(() => other.close());
    const fault = await other.openSound(modules, 'lamps').catch((error: unknown) => error);
    expect(fault).toBeInstanceOf(AppError);
    expect(fault).toMatchObject({ code: 'search-cluster-away', message: expect.stringContaining('Try again') });
    expect(await rowsOf(stage)).toEqual([row]);
  });

  test('a search times out on nodes that accept requests and never respond', { timeout: 100_000 }, async () => {
    const server = createServer((request) => request.resume());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const nodes = [`http://127.0.0.1:${(server.address() as { port: number }).port}`];
    const cluster = await openSearchCluster({ ...away, nodes });
    onTestFinished(() => cluster.close());
    const places = [{ segmentId: 'x', tenant: 'public' }];
    expect(await faultOf(cluster.find([{ term: 'lamp', weight: 1 }], places))).toMatchObject({ code: 'unreachable' });
    expect(await faultOf(cluster.segmentsWith(addressOf('a'), places))).toMatchObject({ code: 'unreachable' });
  });

  test('a six-second search succeeds, and a stopping process does not wait for a hanging node', async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? '');
      request.resume();
      if (request.url === '/') return;
      const hits = { hits: { hits: [{ _id: 'x/0/1', _score: 1 }] } };
      response.setHeader('content-type', 'application/json');
      setTimeout(() => response.end(JSON.stringify(hits)), 6_000);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const nodes = [`http://127.0.0.1:${(server.address() as { port: number }).port}`];
    const cluster = await openSearchCluster({ ...away, nodes });
    onTestFinished(() => cluster.close());
    const found = cluster.find([{ term: 'lamp', weight: 1 }], [{ segmentId: 'x', tenant: 'public' }]);
    const stopping = new AbortController();
    const preparing = faultOf(cluster.prepare(stopping.signal));
    await until('it is asked for its version', () => asked.includes('/'));
    stopping.abort();
    expect(await preparing).toMatchObject({ code: 'unreachable' });
    expect(asked.filter((url) => url === '/')).toHaveLength(1);
    expect(await found).toEqual([expect.objectContaining({ segmentId: 'x', snippet: 1 })]);
    expect(asked).toHaveLength(2);
  }, 30_000);

  test('a busy cluster gets smaller batches after a delay, and every snippet once', async () => {
    const sizes: number[] = [];
    const kept = new Map<string, number>();
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const lines = Buffer.concat(chunks).toString().trim().split('\n');
        const ids = lines.filter((_, at) => at % 2 === 0).map((line) => JSON.parse(line).index._id as string);
        sizes.push(ids.length);
        response.setHeader('content-type', 'application/json');
        // The first batch is refused completely; then every second entry of a batch that is still large.
        if (sizes.length === 1) return response.writeHead(429).end('{}');
        const isBusy = (at: number) => ids.length > 30 && at % 2 === 1;
        for (const [at, id] of ids.entries()) if (!isBusy(at)) kept.set(id, (kept.get(id) ?? 0) + 1);
        const error = { type: 'rejected_execution_exception', reason: 'full' };
        const items = ids.map((_, at) => ({ index: isBusy(at) ? { status: 429, error } : { status: 201 } }));
        return response.end(JSON.stringify({ errors: true, items }));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const client = new Client({
      node: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
      maxRetries: 0,
    });
    onTestFinished(() => client.close());
    const entries = Array.from({ length: 250 }, (_, at): [string, string] => [
      JSON.stringify({ index: { _index: 'x', _id: `${at}` } }),
      '{}',
    ]);
    const limits = { ...bulkLimits, entriesMax: 100, entriesMin: 10, pauseMs: 1 };
    expect(await writeBulk(client, entries, {}, limits)).toBe(250);
    expect([...kept.values()]).toEqual(Array(250).fill(1));
    expect(sizes.slice(0, 3)).toEqual([100, 50, 25]);
    const never = { ...limits, attemptsMax: 2 };
    server.removeAllListeners('request');
    server.on('request', (request, response) => {
      request.resume();
      response.writeHead(429).end();
    });
    expect(await faultOf(writeBulk(client, entries, {}, never))).toMatchObject({ code: 'overloaded' });
  });
}
