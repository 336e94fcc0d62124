import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { searchSegments } from '#server/engine/index.ts';
import { randomModules, randomQuery } from '../services/random-modules.ts';
import { addressOf, openStage, pagesOf, type Stage } from './stage.ts';

const visitorOf = ({ rig }: Stage): Context => ({ ...rig.ctx, actor: { kind: 'anonymous' }, workspace: null });

/** Declares the tests that apply with and without a cluster; `nodes` returns the cluster's addresses, or undefined. */
export function describeShelf(nodes: () => string[] | undefined): void {
  test('a random query finds every matching page and no other', async () => {
    const stage = await openStage(nodes());
    const drawn = fc.sample(randomModules, { numRuns: 3, seed: 7 }).flat();
    for (const [at, { pages }] of drawn.entries()) {
      const own = pages.map((page) => ({ ...page, url: `${page.url}?${at}` }));
      await stage.addModule(`module-${at}`, 'public', [own]);
    }
    await stage.fill();
    const modules = await stage.shelf.readableModules(stage.rig.ctx);
    for (const query of fc.sample(randomQuery, { numRuns: 20, seed: 11 })) {
      const foundIn = (views: Parameters<typeof searchSegments>[0]) =>
        new Set(searchSegments(views, query, { candidates: 500, limit: 5_000 }).map(({ page }) => page.url));
      const { views } = await stage.shelf.openSound(modules, query);
      // Without a query every module is opened.
      expect(foundIn(views), query).toEqual(foundIn(await stage.shelf.openViews(modules)));
    }
  });

  test('a private passage is found by permitted users, before and after its module changes the owner', async () => {
    const stage = await openStage(nodes());
    const { rig } = stage;
    await stage.addModule('open', 'public', [pagesOf({ all: 'the flugelhorn for everybody, kept in the hall' })]);
    await stage.addModule('secret', 'user:anna', [pagesOf({ hidden: 'how anna polishes her flugelhorn on mondays' })]);
    await stage.addModule('other', 'user:bert', [pagesOf({ bert: 'why bert never lends out the flugelhorn' })]);
    await stage.fill();
    const [anna, bert] = [rig.as('anna'), rig.as('bert')];
    expect((await stage.ask(anna, 'flugelhorn')).sort()).toEqual([addressOf('all'), addressOf('hidden')]);
    expect((await stage.ask(bert, 'flugelhorn')).sort()).toEqual([addressOf('all'), addressOf('bert')]);
    expect(await stage.ask(visitorOf(stage), 'flugelhorn')).toEqual([addressOf('all')]);
    expect(await stage.shelf.findPage(bert, addressOf('hidden'))).toBeUndefined();
    const given = { workspace: 'user:bert' as const };
    await rig.ctx.db.query.updateTable('modules').set(given).where('id', '=', 'secret').execute();
    expect((await stage.ask(bert, 'flugelhorn')).sort()).toEqual(['all', 'bert', 'hidden'].map(addressOf));
    expect(await stage.ask(anna, 'flugelhorn')).toEqual([addressOf('all')]);
    expect(await stage.shelf.findPage(bert, addressOf('hidden'))).toBeDefined();
  });

  test('a version is found as soon as it is served, and the replaced version is not', async () => {
    const stage = await openStage(nodes());
    const { ctx } = stage.rig;
    const [old = ''] = await stage.addModule('guide', 'public', [
      pagesOf({ a: 'about lamps', b: 'about lamps and oil' }),
    ]);
    expect((await stage.ask(ctx, 'lamps')).sort()).toEqual(['a', 'b'].map(addressOf));
    await stage.fill();
    expect((await stage.ask(ctx, 'lamps')).sort()).toEqual(['a', 'b'].map(addressOf));
    await stage.replace('guide', pagesOf({ a: 'about lamps', c: 'about lamps of brass' }));
    expect((await stage.ask(ctx, 'lamps')).sort()).toEqual(['a', 'c'].map(addressOf));
    await stage.fill();
    expect((await stage.ask(ctx, 'lamps')).sort()).toEqual(['a', 'c'].map(addressOf));
    await ctx.db.query.deleteFrom('segments').where('id', '=', old).execute();
    await stage.fill();
    expect((await stage.ask(ctx, 'lamps')).sort()).toEqual(['a', 'c'].map(addressOf));
    expect(await stage.ask(ctx, 'oil')).toEqual([]);
  });

  test('changed pages hide their earlier versions, wherever each is stored', async () => {
    const stage = await openStage(nodes());
    const { ctx } = stage.rig;
    const base = pagesOf({ a: 'brass lamps', b: 'brass oil', c: 'brass wicks' });
    await stage.addModule('guide', 'public', [base, pagesOf({ b: 'brass flints', c: '' })]);
    const expectServed = async () => {
      expect((await stage.ask(ctx, 'brass')).sort()).toEqual(['a', 'b'].map(addressOf));
      expect(await stage.ask(ctx, 'oil wicks')).toEqual([]);
      expect(await stage.ask(ctx, 'flints')).toEqual([addressOf('b')]);
      expect(await stage.shelf.findPage(ctx, addressOf('c'))).toBeUndefined();
      const changed = await stage.shelf.findPage(ctx, addressOf('b'));
      expect(changed?.segment.pageSnippets(changed.pageIndex)[0]?.text).toBe('brass flints');
      expect(await stage.shelf.findPage(ctx, addressOf('a'))).toBeDefined();
    };
    await expectServed();
    await stage.fill();
    await expectServed();
  });

  test('a query of unknown words or of punctuation finds nothing', async () => {
    const stage = await openStage(nodes());
    await stage.addModule('guide', 'public', [pagesOf({ a: 'about lamps' })]);
    await stage.fill();
    expect(await stage.ask(stage.rig.ctx, 'zyzzyva')).toEqual([]);
    expect(await stage.ask(stage.rig.ctx, '?? … ""')).toEqual([]);
  });
}
