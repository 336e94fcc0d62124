import { expect, test } from 'vitest';
import { startIndexJobInput } from '#contract/library.ts';
import type { Context } from '#server/context.ts';
import { listModules } from '#server/features/catalog/modules.ts';
import { createHostCheck } from '#server/platform/outbound/index.ts';
import { openRig, type Rig } from '#test/library/rig.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { cancelJob, getJob, listJobs } from './jobs.ts';
import { removeModule } from './remove-module.ts';
import { startIndexJob } from './start-index-job.ts';

const source = 'https://docs.example/guide/';
const folder = '/srv/guide/docs';

function asKeyOf(ctx: Context, userId: string): Context {
  return { ...ctx, actor: { kind: 'key', userId, keyId: 'k', clientKind: null }, workspace: `user:${userId}` };
}

async function refusalOf(work: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('it was not refused');
  return { code: (error as Error & { code: string }).code, message: error.message };
}

async function withUsers(rig: Rig, ...ids: string[]): Promise<void> {
  for (const id of ids) await rig.ctx.db.query.insertInto('users').values({ id, createdAt: 0 }).execute();
}

onEachDatabase('starting an index run', (kind) => {
  test('of several concurrent starts one creates a run, and the others report it', async () => {
    const rig = await openRig({ kind });
    const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => rig.start(source)));
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as Error] : []));
    expect(refused).toHaveLength(3);
    for (const error of refused) expect(error).toMatchObject({ code: 'job-already-running' });
    expect(refused[0]?.message).toContain('"docs.example~guide"');
    expect(await listJobs(rig.ctx)).toMatchObject([{ moduleId: 'docs.example~guide', status: 'QUEUED' }]);
  });

  test('a blocked address is refused before a run, and only the operator sees the setting', async () => {
    const rig = await openRig({ kind });
    await withUsers(rig, 'anna');
    const start = (ctx: Context) =>
      startIndexJob(
        { ...ctx, checkHost: createHostCheck({ allowHosts: [] }) },
        startIndexJobInput.parse({ source: 'http://127.0.0.1:8080/', visibility: 'private' }),
        rig.notices,
      );
    expect((await refusalOf(start(rig.ctx))).message).toContain('LECTERN_ALLOW_HOSTS');
    const { code, message } = await refusalOf(start(rig.as('anna')));
    expect({ code, tellsSetting: message.includes('LECTERN_') }).toEqual({
      code: 'source-refused',
      tellsSetting: false,
    });
    expect(message).toContain('Ask the operator');
    expect(await listJobs(rig.ctx)).toEqual([]);
  });

  test('the same id names separate public and private modules', async () => {
    const rig = await openRig({ kind });
    await rig.start(source, { moduleId: 'guide' });
    await rig.start(source, { moduleId: 'guide', visibility: 'private' });
    await withUsers(rig, 'anna');
    await rig.start(source, { moduleId: 'guide', visibility: 'private' }, rig.as('anna'));
    const rows = await rig.ctx.db.query
      .selectFrom('modules')
      .select(['workspace', 'slug'])
      .orderBy('workspace')
      .execute();
    expect(rows.map(({ workspace }) => workspace).sort()).toEqual(['public', 'user:anna', 'user:local-owner']);
  });

  test('runs and modules of another user look nonexistent when read, canceled or removed', async () => {
    const rig = await openRig({ kind });
    await withUsers(rig, 'anna', 'bert');
    const [anna, bert] = [rig.as('anna'), rig.as('bert')];
    const { id: jobId } = await rig.start(source, { moduleId: 'guide', visibility: 'private' }, anna);
    for (const stranger of [bert, rig.ctx]) {
      expect(await listJobs(stranger)).toEqual([]);
      expect(await refusalOf(getJob(stranger, { jobId }))).toEqual(await refusalOf(getJob(stranger, { jobId: 'x' })));
      const cancel = (id: string) => refusalOf(cancelJob(stranger, { jobId: id }, rig.notices));
      expect(await cancel(jobId)).toEqual(await cancel('x'));
      const remove = (moduleId: string) => refusalOf(removeModule(stranger, { moduleId }, rig.notices));
      expect(await remove('guide')).toEqual({
        ...(await remove('other')),
        message: (await remove('other')).message.replace('other', 'guide'),
      });
    }
    expect(await getJob(anna, { jobId })).toMatchObject({ status: 'QUEUED', visibility: 'private' });
  });

  test('keys and visitors cannot change anything, readers of a team cannot change shared modules', async () => {
    const rig = await openRig({ kind });
    await withUsers(rig, 'anna');
    const { id: jobId } = await rig.start(source, { moduleId: 'guide' });
    const visitor: Context = { ...rig.ctx, actor: { kind: 'anonymous' }, workspace: null };
    const cases: [Context, string, string][] = [
      [asKeyOf(rig.ctx, 'local-owner'), 'permission-denied', 'permission-denied'],
      [asKeyOf(rig.ctx, 'anna'), 'permission-denied', 'permission-denied'],
      [visitor, 'unauthenticated', 'unauthenticated'],
      [rig.as('anna'), 'permission-denied', ''],
    ];
    for (const [who, code, privateCode] of cases) {
      expect(await refusalOf(rig.start(source, { visibility: 'public' }, who))).toMatchObject({ code });
      expect(await refusalOf(rig.start(folder, {}, who))).toMatchObject({ code });
      expect(await refusalOf(cancelJob(who, { jobId }, rig.notices))).toMatchObject({ code });
      expect(await refusalOf(removeModule(who, { moduleId: 'guide' }, rig.notices))).toMatchObject({ code });
      const own = rig.start(source, { visibility: 'private' }, who);
      if (privateCode === '') expect(await own).toMatchObject({ visibility: 'private' });
      else expect(await refusalOf(own)).toMatchObject({ code: privateCode });
    }
    expect(await refusalOf(rig.start(folder, { visibility: 'private' }, rig.as('anna')))).toMatchObject({
      code: 'permission-denied',
    });
    expect(await getJob(visitor, { jobId })).toMatchObject({ status: 'QUEUED', isCancelled: false });
  });

  test('a source is private by default, except for the operator', async () => {
    const rig = await openRig({ kind });
    await withUsers(rig, 'anna');
    const unsaid = { visibility: undefined };
    expect(await rig.start(source, unsaid, rig.as('anna'))).toMatchObject({ visibility: 'private' });
    expect(await rig.start(source, unsaid)).toMatchObject({ visibility: 'public' });
    const refusal = await refusalOf(rig.start('https://b.example/', { visibility: 'public' }, rig.as('anna')));
    expect(refusal.message).toBe(
      "You don't have permission to do this. Only the operator can add to the public index. Index it as private for yourself.",
    );
  });

  test('the local owner can do in the browser what the command line can', async () => {
    const rig = await openRig({ kind });
    const { id: jobId } = await rig.start(folder, { moduleId: 'guide' }, rig.as('local-owner'));
    expect(await cancelJob(rig.as('local-owner'), { jobId }, rig.notices)).toMatchObject({ isCancelled: true });
    await removeModule(rig.as('local-owner'), { moduleId: 'guide' }, rig.notices);
    expect(await rig.ctx.db.query.selectFrom('modules').selectAll().execute()).toEqual([]);
  });

  test('a run says whether its module was removed since; a run of a new module with that name does not', async () => {
    const rig = await openRig({ kind });
    const { id: jobId } = await rig.start(source, { moduleId: 'guide' });
    expect(await getJob(rig.ctx, { jobId })).toMatchObject({ isModuleRemoved: false });
    await cancelJob(rig.ctx, { jobId }, rig.notices);
    await removeModule(rig.ctx, { moduleId: 'guide' }, rig.notices);
    await rig.start(source, { moduleId: 'guide' });
    const told = (await listJobs(rig.ctx)).map(({ id, isModuleRemoved }) => [id === jobId, isModuleRemoved]);
    expect(told).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ]),
    );
    expect(await getJob(rig.ctx, { jobId })).toMatchObject({ isModuleRemoved: true });
  });

  test('a source whose run failed before a hundred other runs is still listed with its state', async () => {
    const rig = await openRig({ kind });
    const failed = async (moduleId: string) => {
      const { id } = await rig.start(source, { moduleId });
      await cancelJob(rig.ctx, { jobId: id }, rig.notices);
      return rig.ctx.db.query.selectFrom('jobRuns').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    };
    const { id } = await failed('guide');
    const other = await failed('other');
    const later = Array.from({ length: 100 }, (_, place) => ({
      ...other,
      id: `later-${place}`,
      createdAt: other.createdAt + 1 + place,
    }));
    await rig.ctx.db.query.insertInto('jobRuns').values(later).execute();
    expect((await listJobs(rig.ctx)).map((job) => job.id)).toEqual(later.map((job) => job.id).toReversed());
    const withCurrent = await listJobs(rig.ctx, { withCurrent: true });
    expect(withCurrent.slice(100).map((job) => job.id)).toEqual([id]);
    await removeModule(rig.ctx, { moduleId: 'guide' }, rig.notices);
    expect(await listJobs(rig.ctx, { withCurrent: true })).toHaveLength(100);
  });

  test('removing a module while a run is starting cancels the run', async () => {
    const rig = await openRig({ kind });
    await rig.start(source, { moduleId: 'guide' });
    await removeModule(rig.ctx, { moduleId: 'guide' }, rig.notices);
    const [job] = await listJobs(rig.ctx);
    expect(job).toMatchObject({ isCancelled: true });
    expect(await refusalOf(removeModule(rig.ctx, { moduleId: 'guide' }, rig.notices))).toMatchObject({
      code: 'module-not-found',
    });
    await expect(rig.start(source, { moduleId: 'guide' })).resolves.toMatchObject({ status: 'QUEUED' });
  });
});

test('a run and its module report how much of the source is read', async () => {
  const rig = await openRig();
  const limits = { maxPages: 7, depth: 2, seeds: ['https://docs.example/guide/hidden'] };
  const job = await rig.start(source, limits);
  expect(job.limits).toEqual(limits);
  expect(await listModules(rig.ctx)).toEqual([]);
  const folderJob = await rig.start(folder);
  expect(folderJob.limits).toEqual({ maxPages: 100_000, depth: null, seeds: [] });
});

test('start addresses are limited together, because each search reads them', () => {
  const seeds = (characters: number) =>
    Array.from({ length: 200 }, () => 'https://docs.example/'.padEnd(characters, 'p'));
  expect(startIndexJobInput.safeParse({ source, seeds: seeds(100) }).success).toBe(true);
  expect(startIndexJobInput.safeParse({ source, seeds: seeds(101) }).success).toBe(false);
});

test('two folders with the same name do not share a module', async () => {
  const rig = await openRig();
  const { id: jobId, moduleId } = await rig.start('/srv/one/docs');
  expect(moduleId).toBe('docs');
  await cancelJob(rig.ctx, { jobId }, rig.notices);
  const refused = await refusalOf(rig.start('/srv/two/docs'));
  expect(refused).toMatchObject({ code: 'source-refused' });
  expect(refused.message).toBe(
    'The module "docs" already exists, made from /srv/one/docs. Give this one another id with --name, or replace that one with --replace.',
  );
  await expect(rig.start('/srv/one/docs')).resolves.toMatchObject({ moduleId: 'docs' });
});

test.each([
  ['ftp://docs.example/', 'ftp:'],
  ['docs.example', 'neither an address nor'],
  ['./docs', 'neither an address nor'],
  ['https://anna:secret@docs.example/', 'name and password'],
  ['javascript:alert(1)', 'javascript:'],
])('the source %s is refused with advice', async (text, words) => {
  const rig = await openRig();
  const refused = await refusalOf(rig.start(text));
  expect(refused.code).toBe('source-refused');
  expect(refused.message).toContain(words);
  expect(refused.message).not.toContain('secret');
  expect(await refusalOf(rig.start(source, { seeds: [text] }))).toMatchObject({ code: 'source-refused' });
  expect(await rig.ctx.db.query.selectFrom('modules').selectAll().execute()).toEqual([]);
});

test.each([
  ['https://docs.python.org/3/', 'docs.python.org~3'],
  ['http://127.0.0.1:8080/a/b/index.html', '127.0.0.1-8080~a~b'],
  ['https://Docs.Example/Über/', 'docs.example~c3-9cber'],
  ['/home/anna/My Project', 'my-project'],
  ['/', 'folder'],
])('the module of %s is named %s', async (text, moduleId) => {
  const rig = await openRig();
  expect(await rig.start(text)).toMatchObject({ moduleId });
});
