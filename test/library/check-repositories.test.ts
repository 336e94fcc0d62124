import { expect, onTestFinished, test } from 'vitest';
import { listJobs } from '#server/features/indexing/index.ts';
import { startJobRunner } from '#server/features/indexing/job-runner.ts';
import { cancelJob } from '#server/features/indexing/jobs.ts';
import { topics } from '#server/features/indexing/notices.ts';
import { checkRepositories } from '#server/features/repositories/check-repositories.ts';
import { forgetHostKey } from '#server/features/repositories/forget-host-key.ts';
import { repositoryPushed } from '#server/features/repositories/index.ts';
import { listRepositories } from '#server/features/repositories/list-repositories.ts';
import { pushedTopic } from '#server/features/repositories/receive-push.ts';
import { startScheduledJobs } from '#server/features/scheduled-jobs.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { createSettableClock } from '#test/services/settable-clock.ts';
import { until } from '#test/services/until.ts';
import { openRepositoryRig } from './repository-rig.ts';

const minuteMs = 60_000;

onEachDatabase('the check of repositories', (kind) => {
  test('queues a run for new commits, every five minutes, in one process only', async () => {
    const clock = createSettableClock();
    const rig = await openRepositoryRig({ kind, clock });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    await rig.index(repository.url);
    const requests = () => rig.server.requests.length;
    const before = requests();
    expect(await rig.check()).toBe(0);
    clock.advance(5 * minuteMs);
    expect(await rig.check()).toBe(1);
    expect(await listJobs(rig.ctx)).toHaveLength(1);
    expect(requests()).toBeGreaterThan(before);

    const revision = await repository.commit({ 'README.md': '# Two' });
    expect(await rig.check()).toBe(0);
    clock.advance(5 * minuteMs);
    const rounds = [1, 2, 3].map(() => checkRepositories(rig.ctx, rig.repositories));
    expect((await Promise.all(rounds)).reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await listJobs(rig.ctx)).toHaveLength(2);
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1 });
    clock.advance(5 * minuteMs);
    await rig.check();
    expect(await listJobs(rig.ctx)).toHaveLength(2);
    expect(await listRepositories(rig.ctx)).toMatchObject([
      { url: repository.url, revision, ref: null, checkError: null, checkedAt: clock.now() },
    ]);
    const audit = await rig.ctx.db.query.selectFrom('auditLog').select(['action', 'actorUserId']).execute();
    expect(audit.filter(({ action }) => action === 'module.index')).toHaveLength(2);
  });

  test('does not wait a month after the clock was a month ahead for a while', async () => {
    const clock = createSettableClock();
    const rightAt = clock.now();
    const rig = await openRepositoryRig({ kind, clock });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    clock.advance(30 * 24 * 60 * minuteMs);
    await rig.index(repository.url);
    clock.set(rightAt);
    expect(await rig.check()).toBe(1);
    expect((await listRepositories(rig.ctx))[0]?.nextCheckAt).toBe(rightAt + 5 * minuteMs);
  });

  test('reports failures and backs off until the repository can be checked again', async () => {
    const clock = createSettableClock();
    const rig = await openRepositoryRig({ kind, clock });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    await rig.index(repository.url);
    repository.restrictTo('robot:secret');
    clock.advance(5 * minuteMs);
    expect(await rig.check()).toBe(1);
    const seen = async () => (await listRepositories(rig.ctx))[0];
    expect((await seen())?.checkError).toContain('Store a token or password');
    for (const wait of [10, 20, 40]) {
      expect((await seen())?.nextCheckAt).toBe(clock.now() + wait * minuteMs);
      clock.advance((wait - 1) * minuteMs);
      expect(await rig.check()).toBe(0);
      clock.advance(minuteMs);
      expect(await rig.check()).toBe(1);
    }
    repository.restrictTo();
    clock.advance(80 * minuteMs);
    await rig.check();
    expect(await seen()).toMatchObject({ checkError: null, nextCheckAt: clock.now() + 5 * minuteMs });
  });

  test('tells members whom to ask about a blocked address, and the operator what to configure', async () => {
    const rig = await openRepositoryRig({ kind });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    await rig.index(repository.url);
    const checkError =
      'git.example resolves to 10.0.0.1, which is not a public address (private), so it is not contacted. If this is your own server, add git.example:443 to LECTERN_ALLOW_HOSTS and start again.';
    await rig.ctx.db.query.updateTable('repositories').set({ checkError }).execute();
    const seenBy = async (ctx: typeof rig.ctx) => (await listRepositories(ctx))[0]?.checkError;
    expect(await seenBy(rig.ctx)).toBe(checkError);
    expect(await seenBy({ ...rig.ctx, actor: { kind: 'user', userId: 'bert' } })).toBe(
      'git.example is not a public address (private), so it is not contacted. Ask the operator of this installation to allow it.',
    );
  });

  test('retries a failed run with growing delays, but not a cancelled one', async () => {
    const clock = createSettableClock();
    const rig = await openRepositoryRig({ kind, clock, limits: { fetchBytesMax: 100_000 } });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    await rig.index(repository.url);
    const noise = Buffer.from(Array.from({ length: 3_000_000 }, () => Math.floor(Math.random() * 256)));
    await repository.commit({ 'noise.md': noise });
    clock.advance(5 * minuteMs);
    await rig.check();
    expect((await rig.runNext()).error).toContain('too large');
    clock.advance(5 * minuteMs);
    await rig.check();
    expect((await listRepositories(rig.ctx))[0]).toMatchObject({
      checkError: expect.stringContaining('too large'),
      nextCheckAt: clock.now() + 10 * minuteMs,
    });
    const [again] = await listJobs(rig.ctx);
    await cancelJob(rig.ctx, { jobId: again?.id ?? '' }, rig.notices);
    clock.advance(10 * minuteMs);
    await rig.check();
    expect(await listJobs(rig.ctx)).toHaveLength(3);
    await repository.commit({ 'noise.md': '# Quiet' });
    clock.advance(5 * minuteMs);
    await rig.check();
    expect(await rig.runNext()).toMatchObject({ status: 'COMPLETE', fetched: 1, unchanged: 1 });
  });

  test('a push event makes the sources of its branch due at once, for any form of the address', async () => {
    const clock = createSettableClock();
    const rig = await openRepositoryRig({ kind, clock });
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    await repository.commit({ 'README.md': '# Next' }, { branch: 'next' });
    await rig.index(repository.url);
    await rig.index(repository.url, { ref: { kind: 'branch', name: 'next' } });
    const told = (url: string, ref?: string) =>
      rig.ctx.db.transaction((tx) => repositoryPushed(tx, { urls: [url], ref }));
    expect(await told('https://elsewhere.example/team/handbook')).toEqual([]);
    expect(await told(repository.url.replace('.git', ''), 'refs/heads/other')).toHaveLength(1);
    expect(await rig.check()).toBe(1);
    expect(await told(repository.url.toUpperCase().replace('HTTP:', 'http:'), 'refs/heads/next')).toHaveLength(2);
    expect(await rig.check()).toBe(2);
    await repository.commit({ 'README.md': '# Next but one' }, { branch: 'next' });
    // During a run the check is repeated as soon as the run may be over.
    await rig.start(repository.url, { ref: { kind: 'branch', name: 'next' } });
    await told(repository.url, 'refs/heads/next');
    await rig.check();
    expect((await listRepositories(rig.ctx)).map(({ nextCheckAt }) => nextCheckAt - clock.now())).toContain(3_000);
  });

  test('strangers see nothing of other users’ repositories, and only the operator can forget a host', async () => {
    const rig = await openRepositoryRig({ kind });
    for (const id of ['anna', 'bert']) {
      await rig.ctx.db.query.insertInto('users').values({ id, createdAt: 0 }).execute();
    }
    const repository = await rig.server.add('team/handbook');
    await repository.commit({ 'README.md': '# One' });
    await rig.start(repository.url, { visibility: 'private' }, rig.as('anna'));
    await rig.runNext();
    expect(await listRepositories(rig.as('anna'))).toHaveLength(1);
    expect(await listRepositories(rig.as('bert'))).toEqual([]);
    const visitor = { ...rig.ctx, actor: { kind: 'anonymous' as const }, workspace: null };
    await expect(listRepositories(visitor)).rejects.toMatchObject({ code: 'unauthenticated' });
    const knownKeys = '[git.example.org]:2222 ssh-ed25519 AAAA';
    const row = { host: '[git.example.org]:2222', knownKeys, firstSeenAt: 0 };
    await rig.ctx.db.query.insertInto('gitHosts').values(row).execute();
    const forget = (ctx: typeof rig.ctx) => forgetHostKey(ctx, { host: 'Git.example.org:2222' });
    await expect(forget(rig.as('anna'))).rejects.toMatchObject({ code: 'permission-denied' });
    const outcomes = await Promise.all([forget(rig.ctx), forget(rig.ctx)]);
    expect(outcomes.filter(({ wasKnown }) => wasKnown)).toHaveLength(1);
  });
});

test('a push event has the change read at once, not at the next check', async () => {
  const rig = await openRepositoryRig();
  const repository = await rig.server.add('team/handbook');
  await repository.commit({
    'README.md': '# One',
    ...Object.fromEntries([...Array(200).keys()].map((n) => [`docs/${n}.md`, `# Page ${n}\n\nText ${n}.`])),
  });
  const runner = startJobRunner(rig.ctx, rig.deps, { owner: 'process', atOnce: 2 });
  const stops = [rig.bus.subscribe(topics.queued, () => runner.wake())];
  const jobs = startScheduledJobs(rig.ctx, [
    {
      name: 'check repositories',
      where: 'worker',
      everyMs: 3_600_000,
      wakeOn: (wake) => void stops.push(rig.bus.subscribe(pushedTopic, wake)),
      run: (ctx, signal) => checkRepositories(ctx, rig.repositories, signal),
    },
  ]);
  onTestFinished(async () => {
    for (const stop of stops) stop();
    await jobs.stop();
    await runner.stop();
  });
  await rig.start(repository.url);
  const url = `${rig.server.origin}/team/handbook.git/main/README.md`;
  await until('it is indexed', async () => (await listJobs(rig.ctx))[0]?.status === 'COMPLETE');
  await repository.commit({ 'README.md': '# Two\n\nA new paragraph.' });
  await rig.ctx.db.transaction((tx) => repositoryPushed(tx, { urls: [repository.url], ref: 'refs/heads/main' }));
  await until('the change is served', async () => (await rig.read(url))?.includes('A new paragraph'));
});
