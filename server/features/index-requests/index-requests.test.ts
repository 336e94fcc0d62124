import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { type LibraryNotices, listJobs } from '#server/features/indexing/index.ts';
import { removeTeamLibrary } from '#server/features/indexing/remove-module.ts';
import { createHostCheck } from '#server/platform/outbound/index.ts';
import { freshDatabase, onEachDatabase } from '#test/services/database.ts';
import { silentLog } from '#test/services/log.ts';
import { actingInTeam, leaveSampleTeam, sampleTeam } from '#test/services/sample-team.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { askToIndex as askWithin } from './ask-to-index.ts';
import { answerByAgent, approveIndexRequest, declineIndexRequest } from './decide.ts';
import type { AskInput, Standing } from './index.ts';
import { listIndexRequests } from './list-index-requests.ts';
import { deleteRequests } from './store.ts';

type Sample = Context & { clock: SettableClock };

const address = 'https://docs.example/guide/';
const hourMs = 3_600_000;
const checkHost = createHostCheck({ allowHosts: ['10.1.2.3:8080'] });
const askToIndex = (ctx: Context, input: AskInput) => askWithin(ctx, input, { checkHost });
const silent: LibraryNotices = {
  jobChanged: () => undefined,
  jobQueued: () => undefined,
  cancelRequested: () => undefined,
};

onEachDatabase('index requests of agents', (kind) => {
  /** Anna is an admin, Bert a writer and Carl a reader of one team; Dora is in another. Each has an agent there. */
  async function tenants() {
    const db = await freshDatabase(kind);
    const teamId = await sampleTeam(db, { name: 'Acme', members: { anna: 'admin', bert: 'writer', carl: 'reader' } });
    const otherId = await sampleTeam(db, { members: { dora: 'admin' } });
    const own: Sample = {
      ...{ actor: { kind: 'anonymous' }, workspace: null },
      ...{ db, clock: createSettableClock(), log: silentLog, requestId: 'r' },
    };
    const agent = async (userId: string, inTeam = teamId, keyId = `key-of-${userId}`): Promise<Sample> => {
      const actor = { kind: 'key' as const, userId, keyId, keyName: `${userId}’s agent`, clientKind: null };
      return { ...(await actingInTeam(own, userId, inTeam)), actor: { ...actor, mayAskToIndex: true } };
    };
    const inTeam = (userId: string) => actingInTeam(own, userId, teamId);
    const alone = (userId: string): Sample => ({
      ...{ ...own, actor: { kind: 'user' as const, userId } },
      workspace: `user:${userId}`,
    });
    return { db, teamId, otherId, clock: own.clock, agent, inTeam, alone };
  }
  const faultOf = async (work: Promise<unknown>) =>
    work.then(
      () => 'none',
      ({ code }: { code: string }) => code,
    );
  const pendingOf = (standing: Standing) => {
    if (standing.state !== 'pending') throw new Error(`it is ${standing.state}`);
    return standing;
  };

  test('a request waits for a writer, whose approval queues a private run of the requested source', async () => {
    const { agent, inTeam } = await tenants();
    const carl = await agent('carl');
    const standing = pendingOf(await askToIndex(carl, { address, library: 'Guide', version: '2' }));
    expect(standing).toMatchObject({ isNew: true, mayAnswer: false, address });
    const [request] = await listIndexRequests(await inTeam('carl'));
    expect(request).toMatchObject({ state: 'pending', askedBy: 'carl’s agent', askedFor: 'carl', library: 'Guide' });
    const requestId = standing.request.id;
    expect(await faultOf(approveIndexRequest(await inTeam('carl'), { requestId }, silent))).toBe('permission-denied');
    const { request: approved, job } = await approveIndexRequest(await inTeam('bert'), { requestId }, silent);
    expect(approved).toMatchObject({ state: 'approved', answeredBy: 'bert', jobId: job.id });
    expect(job).toMatchObject({ url: address, visibility: 'private', status: 'QUEUED', startedByUserId: 'bert' });
    expect(await askToIndex(carl, { address })).toMatchObject({ state: 'under-way', job: { id: job.id } });
  });

  test('the same address is one request, even if two agents ask concurrently', async () => {
    const { agent, inTeam } = await tenants();
    const [bert, carl] = [await agent('bert'), await agent('carl')];
    const standings = await Promise.all([bert, carl, carl].map((one) => askToIndex(one, { address })));
    const ids = new Set(standings.map((standing) => pendingOf(standing).request.id));
    expect(ids.size).toBe(1);
    expect(standings.filter((standing) => pendingOf(standing).isNew)).toHaveLength(1);
    expect(await listIndexRequests(await inTeam('anna'))).toHaveLength(1);
  });

  test('an address longer than what every database can look up is refused', async () => {
    const { agent } = await tenants();
    const bert = await agent('bert');
    const ofLength = (length: number) =>
      `${address}${randomBytes(length)
        .toString('hex')
        .slice(0, length - address.length)}`;
    expect(pendingOf(await askToIndex(bert, { address: ofLength(limits.indexedAddressBytesMax) })).isNew).toBe(true);
    const tooLong = askToIndex(bert, { address: ofLength(limits.indexedAddressBytesMax + 1) });
    expect(await faultOf(tooLong)).toBe('source-refused');
  });

  test('a request is decided once, even by two users concurrently', async () => {
    const { agent, inTeam } = await tenants();
    const { request } = pendingOf(await askToIndex(await agent('carl'), { address }));
    const [anna, bert] = [await inTeam('anna'), await inTeam('bert')];
    const input = { requestId: request.id };
    const outcomes = await Promise.all([
      faultOf(approveIndexRequest(anna, input, silent)),
      faultOf(approveIndexRequest(bert, input, silent)),
      faultOf(declineIndexRequest(bert, input)),
    ]);
    expect(outcomes.filter((outcome) => outcome === 'none')).toHaveLength(1);
    expect(new Set(outcomes)).toEqual(new Set(['none', 'index-request-settled']));
    expect((await listJobs(anna)).length).toBeLessThanOrEqual(1);
  });

  test('a declined address stays declined for a day and can then be requested again', async () => {
    const { agent, inTeam, clock } = await tenants();
    const carl = await agent('carl');
    const { request } = pendingOf(await askToIndex(carl, { address }));
    await declineIndexRequest(await inTeam('bert'), { requestId: request.id });
    clock.advance(limits.indexRequestDeclinedHours * hourMs - 1);
    expect(await askToIndex(carl, { address })).toMatchObject({ state: 'declined', until: clock.now() + 1 });
    clock.advance(1);
    expect(pendingOf(await askToIndex(carl, { address })).request.id).not.toBe(request.id);
    expect(await listJobs(await inTeam('anna'))).toEqual([]);
  });

  test('a request expires undecided and can then not be approved', async () => {
    const { agent, inTeam, clock } = await tenants();
    const carl = await agent('carl');
    const { request } = pendingOf(await askToIndex(carl, { address }));
    clock.advance(limits.indexRequestLifetimeDays * 24 * hourMs);
    const bert = await inTeam('bert');
    expect(await faultOf(approveIndexRequest(bert, { requestId: request.id }, silent))).toBe('index-request-settled');
    expect((await listIndexRequests(bert))[0]?.state).toBe('expired');
    expect(pendingOf(await askToIndex(carl, { address })).isNew).toBe(true);
  });

  test('another user gets the same response as for a missing request', async () => {
    const { agent, otherId, alone, inTeam } = await tenants();
    const { request } = pendingOf(await askToIndex(await agent('carl'), { address }));
    for (const stranger of [alone('bert'), alone('dora')]) {
      for (const requestId of [request.id, 'ask-missing']) {
        expect(await faultOf(approveIndexRequest(stranger, { requestId }, silent))).toBe('index-request-not-found');
        expect(await faultOf(declineIndexRequest(stranger, { requestId }))).toBe('index-request-not-found');
      }
      expect(await listIndexRequests(stranger)).toEqual([]);
    }
    const dora = await agent('dora', otherId);
    const answer = { requestId: request.id, answer: 'approve' as const };
    expect(await faultOf(answerByAgent(dora, answer, silent))).toBe('index-request-not-found');
    expect((await listIndexRequests(await inTeam('anna')))[0]?.state).toBe('pending');
  });

  test('the user at the client can decide what they can on the screen, while they have the right', async () => {
    const { db, agent, inTeam, teamId } = await tenants();
    const [bert, carl] = [await agent('bert'), await agent('carl')];
    const ofCarl = pendingOf(await askToIndex(carl, { address: 'https://carl.example/' }));
    const ofBert = pendingOf(await askToIndex(bert, { address }));
    expect([ofCarl.mayAnswer, ofBert.mayAnswer]).toEqual([false, true]);
    const approve = (one: Context, { request }: { request: { id: string } }) =>
      faultOf(answerByAgent(one, { requestId: request.id, answer: 'approve' }, silent));
    expect(await approve(carl, ofCarl)).toBe('permission-denied');
    expect(await approve(bert, ofCarl)).toBe('index-request-not-found');
    // The agent's call arrived while Bert was a writer.
    await db.query.updateTable('memberships').set({ role: 'reader' }).where('userId', '=', 'bert').execute();
    expect(await approve(bert, ofBert)).toBe('permission-denied');
    await leaveSampleTeam(db, teamId, 'bert');
    expect(await approve(bert, ofBert)).toBe('team-not-found');
    const states = (await listIndexRequests(await inTeam('anna'))).map(({ state }) => state);
    expect(states).toEqual(['pending', 'pending']);
  });

  test('only a key or connection with the permission can request, and no agent can decide for users', async () => {
    const { agent, inTeam } = await tenants();
    const plain = await agent('bert');
    if (plain.actor.kind === 'key') plain.actor.mayAskToIndex = false;
    for (const one of [plain, await inTeam('bert')]) {
      expect(await faultOf(askToIndex(one, { address }))).toBe('permission-denied');
    }
    const asking = await agent('bert', undefined, 'other-key');
    const { request } = pendingOf(await askToIndex(asking, { address }));
    for (const work of [
      approveIndexRequest(asking, { requestId: request.id }, silent),
      declineIndexRequest(asking, { requestId: request.id }),
      listIndexRequests(asking),
    ]) {
      expect(await faultOf(work)).not.toBe('none');
    }
  });

  test('a key can request a limited number of sources a day', async () => {
    const { agent, clock } = await tenants();
    const [bert, other] = [await agent('bert'), await agent('bert', undefined, 'other-key')];
    for (let n = 0; n < limits.indexRequestsPerDayMax; n += 1) await askToIndex(bert, { address: `${address}${n}/` });
    expect(await faultOf(askToIndex(bert, { address }))).toBe('index-requests-exhausted');
    expect(pendingOf(await askToIndex(bert, { address: `${address}0/` })).isNew).toBe(false);
    expect(pendingOf(await askToIndex(other, { address })).isNew).toBe(true);
    clock.advance(24 * hourMs + 1);
    expect(pendingOf(await askToIndex(bert, { address: `${address}more/` })).isNew).toBe(true);
  });

  test('the daily limit of a key holds for concurrent requests', async () => {
    const { agent } = await tenants();
    const bert = await agent('bert');
    for (let n = 1; n < limits.indexRequestsPerDayMax; n += 1) await askToIndex(bert, { address: `${address}${n}/` });
    const asked = ['a', 'b', 'c', 'd'].map((name) => faultOf(askToIndex(bert, { address: `${address}${name}/` })));
    expect((await Promise.all(asked)).sort()).toEqual([...Array(3).fill('index-requests-exhausted'), 'none']);
  });

  test('each step is in the audit log of the team and deleted with the team', async () => {
    const { db, agent, inTeam, teamId } = await tenants();
    const { request } = pendingOf(await askToIndex(await agent('carl'), { address }));
    await approveIndexRequest(await inTeam('bert'), { requestId: request.id }, silent);
    const rows = await db.query
      .selectFrom('auditLog')
      .select(['action', 'actorUserId', 'teamId'])
      .where('entityId', '=', request.id)
      .orderBy('action')
      .execute();
    expect(rows).toEqual([
      { action: 'index-request.approve', actorUserId: 'bert', teamId },
      { action: 'index-request.ask', actorUserId: 'carl', teamId },
    ]);
    await db.transaction(async (tx) => {
      await removeTeamLibrary(tx, teamId, 0);
      await deleteRequests(tx, `team:${teamId}`);
    });
    expect(await db.query.selectFrom('indexRequests').select('id').execute()).toEqual([]);
  });

  test.each(['/etc', 'https://u:p@docs.example/', 'ftp://docs.example/', 'nonsense'])(
    'an invalid source for an agent is refused: %s',
    async (refused) => {
      const { agent, inTeam } = await tenants();
      expect(await faultOf(askToIndex(await agent('bert'), { address: refused }))).toBe('source-refused');
      expect(await listIndexRequests(await inTeam('anna'))).toEqual([]);
    },
  );

  test.each([
    'http://127.0.0.1/',
    'https://127.0.0.1:8443/docs/',
    'http://2130706433/',
    'https://10.1.2.3/',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/',
    'http://metadata.google.internal/',
    'https://wiki/',
    'ssh://git@192.168.1.4/a/b.git',
    'git@10.0.0.9:team/docs.git',
    'git+http://localhost:3000/a/b',
  ])('a private address is refused without a request: %s', async (privateAddress) => {
    const { agent, inTeam } = await tenants();
    const refusal = await askToIndex(await agent('bert'), { address: privateAddress }).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: 'source-refused' });
    const { message } = refusal as Error;
    expect(message).toContain('is not a public address');
    expect(message).toContain('Ask the operator of this installation to allow it.');
    expect(message).not.toContain('LECTERN_ALLOW_HOSTS');
    expect(await listIndexRequests(await inTeam('anna'))).toEqual([]);
  });

  test.each(['https://docs..example/', `https://${'a'.repeat(64)}.example/`, 'https://docs.exam!ple.com/'])(
    'an address without a host is refused without a request: %s',
    async (noHost) => {
      const { agent, inTeam } = await tenants();
      const refusal = askToIndex(await agent('bert'), { address: noHost });
      await expect(refusal).rejects.toMatchObject({
        code: 'source-refused',
        message: expect.stringContaining('is not a host name. Check the spelling.'),
      });
      expect(await listIndexRequests(await inTeam('anna'))).toEqual([]);
    },
  );

  test('a private address that the operator allows is requested like any other', async () => {
    const { agent } = await tenants();
    expect(pendingOf(await askToIndex(await agent('bert'), { address: 'http://10.1.2.3:8080/docs/' })).isNew).toBe(
      true,
    );
  });
});
