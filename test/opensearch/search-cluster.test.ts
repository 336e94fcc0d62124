import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { searchClusterState } from '#server/cli/search-cluster-state.ts';
import { until } from '../services/until.ts';
import { describeAbsence, describeCluster } from './cluster-suite.ts';
import { canRunSearchNodes, type SearchNodes, startSearchNodes, untilCopied } from './search-nodes.ts';
import { describeShelf } from './shelf-suite.ts';
import { addressOf, openStage, pagesOf } from './stage.ts';

const canRun = await canRunSearchNodes();
const nodeCount = 3;

/** Moves a stage's indexes to a single node. */
async function moveTo(node: string, index: string, [url = '']: string[]): Promise<void> {
  await fetch(`${url}/${index}-*/_settings`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ 'index.routing.allocation.require._name': node }),
  });
  await until('they lie there', async () => {
    const shards = await (await fetch(`${url}/_cat/shards/${index}-*?format=json`)).json();
    return (shards as { node: string | null; state: string }[]).every(
      (it) => it.node === node && it.state === 'STARTED',
    );
  });
}

describe('search in the process', () => describeShelf(() => undefined));

describe('without a search cluster', describeAbsence);

// Under ten times the usual load a machine takes some minutes to start three nodes.
describe.runIf(canRun)('with a search cluster of three nodes', { timeout: 300_000 }, () => {
  let running: SearchNodes;
  const urls = () => running.nodes.map(({ url }) => url);
  beforeAll(async () => {
    running = await startSearchNodes(nodeCount);
  }, 480_000);
  afterAll(() => running?.stop(), 60_000);

  describe('search through the cluster', () => describeShelf(urls));
  describe('the cluster', () => describeCluster(urls));

  test('killing a node under load loses no response, and documents indexed afterwards are found', async () => {
    const stage = await openStage(urls(), 1);
    const { ctx } = stage.rig;
    const subjects = Array.from({ length: 40 }, (_, at) => `subject${at}`);
    const texts = Object.fromEntries(subjects.map((subject) => [subject, `all about ${subject} in this guide`]));
    await stage.addModule('guide', 'public', [pagesOf(texts)]);
    await stage.fill();
    await untilCopied(running);
    const lost = await openStage(urls());
    await lost.addModule('lost', 'public', [pagesOf({ one: 'about the bassoon', two: 'about the bassoon too' })]);
    await lost.fill();
    await moveTo('node-1', lost.config.index, urls());
    let answers = 0;
    let isOver = false;
    const asker = async (own: number) => {
      for (let turn = own; !isOver; turn += 7) {
        const subject = subjects[turn % subjects.length] ?? '';
        expect((await stage.ask(ctx, subject))[0]).toBe(addressOf(subject));
        answers += 1;
      }
    };
    const askers = [asker(0), asker(1), asker(2)];
    const untilAnswered = async (count: number) => {
      while (answers < count) await Promise.race([...askers, new Promise((resolve) => setTimeout(resolve, 20))]);
    };
    try {
      await untilAnswered(20);
      await running.nodes[0]?.kill();
      await untilAnswered(answers + 60);
    } finally {
      isOver = true;
      await Promise.all(askers);
    }
    await stage.addModule('later', 'user:anna', [pagesOf({ later: 'the flugelhorn' })]);
    // A write that meets a stopping node is repeated, as the worker does.
    const fill = () =>
      stage.fill().then(
        () => true,
        () => false,
      );
    await until('the two that are left take it in', fill, 120_000);
    expect(await stage.ask(stage.rig.as('anna'), 'flugelhorn')).toEqual([addressOf('later')]);

    // Data that was only on this node: a partial index does not count as complete until it is written again.
    const { rig, config } = lost;
    const state = () => searchClusterState(config, { db: rig.ctx.db, blobs: rig.blobs });
    const away = { code: 'search-cluster-away' };
    await expect(lost.ask(rig.ctx, 'bassoon')).rejects.toMatchObject(away);
    expect(await state()).toMatchObject({ state: 'fail', detail: expect.stringContaining('delete the indexes') });
    for (const part of ['public', 'private']) {
      await fetch(`${urls()[1]}/${config.index}-1-${part}`, { method: 'DELETE' });
    }
    await expect(lost.ask(rig.ctx, 'bassoon')).rejects.toMatchObject(away);
    await lost.fill();
    expect((await lost.ask(rig.ctx, 'bassoon')).sort()).toEqual([addressOf('one'), addressOf('two')]);
    expect(await state()).toMatchObject({ state: 'ok' });
  });
});
