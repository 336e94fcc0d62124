import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../services/until.ts';
import { describeAbsence, describeCluster } from './cluster-suite.ts';
import { canRunSearchNodes, type SearchNodes, startSearchNodes, untilCopied } from './search-nodes.ts';
import { describeShelf } from './shelf-suite.ts';
import { addressOf, openStage, pagesOf } from './stage.ts';

const canRun = await canRunSearchNodes();
const nodeCount = 3;

describe('searched in the process itself', () => describeShelf(() => undefined));

describe('without a search cluster', describeAbsence);

// A machine that is loaded ten times starts three nodes in some minutes.
describe.runIf(canRun)('with a search cluster of three nodes', { timeout: 300_000 }, () => {
  let running: SearchNodes;
  const urls = () => running.nodes.map(({ url }) => url);
  beforeAll(async () => {
    running = await startSearchNodes(nodeCount);
  }, 480_000);
  afterAll(() => running?.stop(), 60_000);

  describe('searched through it', () => describeShelf(urls));
  describe('the cluster', () => describeCluster(urls));

  test('a node that is killed under load loses no answer, and what is indexed afterwards is found', async () => {
    const stage = await openStage(urls(), 1);
    const { ctx } = stage.rig;
    const subjects = Array.from({ length: 40 }, (_, at) => `subject${at}`);
    const texts = Object.fromEntries(subjects.map((subject) => [subject, `all about ${subject} in this guide`]));
    await stage.addModule('guide', 'public', [pagesOf(texts)]);
    await stage.fill();
    await untilCopied(running);
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
    // A writing that meets a node on its way out is made again, as the worker does.
    const fill = () =>
      stage.fill().then(
        () => true,
        () => false,
      );
    await until('the two that are left take it in', fill, 120_000);
    expect(await stage.ask(stage.rig.as('anna'), 'flugelhorn')).toEqual([addressOf('later')]);
  });
});
