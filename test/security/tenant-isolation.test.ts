import { describe, expect, test } from 'vitest';
import { askDocsPath, chatEndpoints } from '#contract/chat.ts';
import { creditEndpoints } from '#contract/credits.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { searchEndpoints } from '#contract/search.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration as admin, teamEndpoints } from '#contract/teams.ts';
import type { Sender } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { moduleRow } from '../services/rows.ts';
import { sampleTeam } from '../services/sample-team.ts';
import { type Answer, askAgent, openStage, openStageWithDocs, type Stage, type Team } from './team-cast.ts';

/** Cases by id that are tested in another file. */
const elsewhere: Record<string, string> = {
  'tenant-0011': 'test/security/tenant-sources.test.ts',
  'tenant-0017': 'test/security/tenant-sources.test.ts',
  'tenant-0018': 'test/security/tenant-sources.test.ts',
  'tenant-0020': 'test/security/tenant-sources.test.ts',
  'tenant-0026': 'server/features/indexing/job-lease.test.ts',
  'tenant-0030': 'test/security/tenant-statements.test.ts',
};

const unknownId = 'no-such-thing';

/** Requests something of tenant A and something that does not exist, and requires the same response. */
async function expectSame(ask: (id: string) => Promise<Answer>, id: string): Promise<void> {
  const [foreign, missing] = [await ask(id), await ask(unknownId)];
  expect([403, 404]).toContain(foreign.status);
  expect({ ...foreign, body: foreign.body.replaceAll(id, unknownId) }).toEqual(missing);
}

/** Returns all of tenant A's data. */
async function dumpOf({ rig }: Stage, { teamId }: Team) {
  const { query } = rig.running.installation.base.db;
  const workspace = `team:${teamId}` as const;
  return [
    await query.selectFrom('teams').selectAll().where('id', '=', teamId).execute(),
    await query.selectFrom('memberships').selectAll().where('teamId', '=', teamId).orderBy('id').execute(),
    await query.selectFrom('apiKeys').selectAll().where('teamId', '=', teamId).orderBy('id').execute(),
    await query.selectFrom('modules').selectAll().where('workspace', '=', workspace).orderBy('id').execute(),
    await query.selectFrom('pdfSets').selectAll().where('workspace', '=', workspace).orderBy('id').execute(),
    await query.selectFrom('pdfUploads').selectAll().orderBy('id').execute(),
    await query.selectFrom('auditLog').selectAll().where('teamId', '=', teamId).orderBy('id').execute(),
  ];
}

/** Opens tenant A as `acme`; the outsider is tenant B, with their own team. */
async function openTenants() {
  const stage = await openStage();
  const acme = await stage.team();
  const { db } = stage.rig.running.installation.base;
  const otherId = await sampleTeam(db, { id: 'other-team', name: 'Other', members: { outsider: 'admin' } });
  const b: Sender = stage.senders.outsider;
  const inOther: Sender = { ...b, [teamHeader]: otherId };
  return { ...stage, acme, otherId, b, inOther };
}

/** Tries to change A's data as B, with the id alone and through B's team, and requires that A is unchanged. */
async function expectUntouched(
  attempts: (t: Awaited<ReturnType<typeof openTenants>>) => [Endpoint, Record<string, unknown>, Sender][],
) {
  const tenants = await openTenants();
  const before = await dumpOf(tenants, tenants.acme);
  for (const [endpoint, input, sender] of attempts(tenants)) {
    const { status } = await tenants.ask(endpoint, input, sender);
    expect([endpoint.path, [403, 404].includes(status) ? 'refused' : status]).toEqual([endpoint.path, 'refused']);
  }
  expect(await dumpOf(tenants, tenants.acme)).toEqual(before);
}

/** Creates a set of A with an unfinished upload. */
async function pdfSetOf({ rig, senders }: Stage, { teamId }: Team) {
  const asFounder = { ...senders.founder, [teamHeader]: teamId };
  const { set } = await rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'Secret manuals' }, asFounder);
  const start = { setId: set.setId, fileName: 'a.pdf', sizeBytes: 5_000 };
  const { upload } = await rig.ask(pdfSetEndpoints.startPdfUpload, start, asFounder);
  return { setId: set.setId, uploadId: upload.uploadId };
}

const checks: Record<string, () => Promise<void>> = {
  async 'tenant-0001'() {
    const { acme, ask, b, inOther, teamKey } = await openTenants();
    const { keyId } = await teamKey(acme, 'founder');
    for (const sender of [b, inOther]) {
      for (const endpoint of [keyEndpoints.revealKey, keyEndpoints.revokeKey]) {
        await expectSame((id) => ask(endpoint, { keyId: id }, sender), keyId);
      }
    }
  },
  async 'tenant-0002'() {
    const { acme, ask, b } = await openTenants();
    for (const endpoint of [creditEndpoints.getMonthlyUsage, creditEndpoints.getCreditInfo, creditEndpoints.getUsage]) {
      await expectSame((id) => ask(endpoint, {}, { ...b, [teamHeader]: id }), acme.teamId);
    }
    await expectSame((teamId) => ask(creditEndpoints.getMemberUsage, { teamId }, b), acme.teamId);
  },
  async 'tenant-0003'() {
    const { acme, b, inOther, ...stage } = await openTenants();
    const { setId, uploadId } = await pdfSetOf(stage, acme);
    for (const sender of [b, inOther]) {
      await expectSame((id) => stage.ask(pdfSetEndpoints.getPdfSet, { setId: id }, sender), setId);
      await expectSame((id) => stage.ask(pdfSetEndpoints.getPdfUpload, { uploadId: id }, sender), uploadId);
      expect((await stage.ask(pdfSetEndpoints.listPdfSets, {}, sender)).body).not.toContain(setId);
    }
    const { secret } = await stage.rig.ask(keyEndpoints.createKey, { name: 'own' }, stage.senders.outsider);
    const read = (url: string) => askAgent(stage.rig, secret, 'lectern_read_url', { url });
    const [foreign, missing] = [await read('pdf://secret-manuals/a.pdf'), await read('pdf://no-such-thing/a.pdf')];
    expect(foreign.replaceAll('secret-manuals', 'no-such-thing')).toBe(missing);
  },
  async 'tenant-0013'() {
    const tenants = await openTenants();
    const { setId, uploadId } = await pdfSetOf(tenants, tenants.acme);
    const before = await dumpOf(tenants, tenants.acme);
    for (const sender of [tenants.b, tenants.inOther]) {
      const tries: [Endpoint, Record<string, unknown>][] = [
        [pdfSetEndpoints.renamePdfSet, { setId, displayName: 'Mine' }],
        [pdfSetEndpoints.removePdfSet, { setId }],
        [pdfSetEndpoints.indexPdfSet, { setId }],
        [pdfSetEndpoints.removePdfFile, { setId, fileId: uploadId }],
        [pdfSetEndpoints.startPdfUpload, { setId, fileName: 'b.pdf', sizeBytes: 10 }],
        [pdfSetEndpoints.completePdfUpload, { uploadId }],
        [pdfSetEndpoints.abandonPdfUpload, { uploadId }],
      ];
      for (const [endpoint, input] of tries) {
        const { status } = await tenants.ask(endpoint, input, sender);
        expect([endpoint.method, endpoint.path, status]).toEqual([endpoint.method, endpoint.path, 404]);
      }
    }
    expect(await dumpOf(tenants, tenants.acme)).toEqual(before);
  },
  async 'tenant-0004'() {
    const { acme, ask, b, senders } = await openTenants();
    for (const sender of [b, senders.removed, senders.invited]) {
      await expectSame((id) => ask(libraryEndpoints.listModules, {}, { ...sender, [teamHeader]: id }), acme.teamId);
      await expectSame((id) => ask(libraryEndpoints.listJobs, {}, { ...sender, [teamHeader]: id }), acme.teamId);
    }
  },
  async 'tenant-0005'() {
    const { acme, ask, b, inOther } = await openTenants();
    for (const sender of [b, inOther]) {
      await expectSame((moduleId) => ask(libraryEndpoints.removeModule, { moduleId }, sender), acme.moduleId);
      const { body } = await ask(libraryEndpoints.listModules, {}, sender);
      expect(body).not.toContain(acme.moduleId);
    }
  },
  async 'tenant-0006'() {
    const { ask, senders, rig, pageUrl, content, ...stage } = await openStageWithDocs();
    const { key, secret } = await rig.ask(keyEndpoints.createKey, { name: 'own' }, senders.outsider);
    expect(key.teamId).toBeNull();
    const query = { query: 'original text page0' };
    expect(await askAgent(rig, secret, 'lectern_search_documentation', query)).not.toContain(content);
    expect(await askAgent(rig, secret, 'lectern_read_url', { url: pageUrl })).not.toContain(content);
    for (const sender of [senders.outsider, senders.removed, stage.anonymous]) {
      expect((await ask(searchEndpoints.search, query, sender)).body).not.toContain(content);
      expect((await ask(searchEndpoints.read, { url: pageUrl }, sender)).body).not.toContain(content);
    }
  },
  async 'tenant-0007'() {
    const { acme, ask, b } = await openTenants();
    for (const endpoint of [teamEndpoints.getTeam, teamEndpoints.listTeamMembers]) {
      await expectSame((teamId) => ask(endpoint, { teamId }, b), acme.teamId);
    }
    expect((await ask(teamEndpoints.listTeams, {}, b)).body).not.toContain(acme.teamId);
  },
  async 'tenant-0008'() {
    const { acme, otherId, ask, b } = await openTenants();
    const invite = acme.membershipIds.invited;
    for (const teamId of [acme.teamId, otherId]) {
      await expectSame((membershipId) => ask(admin.resendInvite, { teamId, membershipId }, b), invite);
    }
    await expectSame((teamId) => ask(admin.respondToInvite, { teamId, response: 'accept' }, b), acme.teamId);
  },
  async 'tenant-0009'() {
    const { acme, ask, b, inOther, senders, send } = await openTenants();
    const inAcme = { ...senders.founder, [teamHeader]: acme.teamId };
    const { body } = await send('POST', askDocsPath, inAcme, { question: 'Our secret plans?' });
    const chatId = /"chatId":"([^"]+)"/.exec(body)?.[1] ?? '';
    const colleague = { ...senders.admin, [teamHeader]: acme.teamId };
    for (const sender of [b, inOther, colleague, senders.founder]) {
      await expectSame((id) => ask(chatEndpoints.readChat, { chatId: id }, sender), chatId);
      await expectSame((id) => ask(chatEndpoints.renameChat, { chatId: id, title: 'Mine' }, sender), chatId);
      await expectSame((id) => ask(chatEndpoints.removeChat, { chatId: id }, sender), chatId);
      await expectSame((id) => send('POST', askDocsPath, sender, { question: 'And?', chatId: id }), chatId);
      for (const all of [chatEndpoints.listChats, chatEndpoints.exportChats]) {
        const told = (await ask(all, {}, sender)).body;
        if (sender !== senders.founder || all === chatEndpoints.listChats) expect(told).not.toContain('secret plans');
      }
    }
    expect((await ask(chatEndpoints.readChat, { chatId }, inAcme)).body).toContain('Our secret plans?');
  },
  async 'tenant-0010'() {
    const { acme, content, senders, ...stage } = await openStageWithDocs();
    const own = await stage.rig.ask(keyEndpoints.createKey, { name: 'own' }, senders.outsider);
    const { secret } = await stage.teamKey(acme, 'writer');
    const query = 'original text page0';
    const first = await askAgent(stage.rig, secret, 'lectern_search_documentation', { query });
    const { query: rows } = stage.rig.running.installation.base.db;
    const { handle } = await rows.selectFrom('agentSessions').select('handle').executeTakeFirstOrThrow();
    expect(first).toContain(content);
    const stolen = await askAgent(
      stage.rig,
      own.secret,
      'lectern_search_documentation',
      { query },
      {
        'lectern/conversation': handle,
      },
    );
    expect(stolen).not.toContain(content);
  },
  'tenant-0012': () =>
    expectUntouched(({ acme, b, inOther }) => {
      const remove = { moduleId: acme.moduleId };
      return [
        [libraryEndpoints.removeModule, remove, b],
        [libraryEndpoints.removeModule, remove, inOther],
        [libraryEndpoints.removeModule, remove, { ...b, [teamHeader]: acme.teamId }],
        [libraryEndpoints.renameModule, { ...remove, displayName: 'Mine' }, b],
      ];
    }),
  'tenant-0014': () =>
    expectUntouched(({ acme, otherId, b }) =>
      [acme.teamId, otherId].flatMap((teamId): [Endpoint, Record<string, unknown>, Sender][] => {
        const target = { teamId, membershipId: acme.membershipIds.writer };
        return [
          [admin.setMemberRole, { ...target, role: 'admin' }, b],
          [admin.removeMember, target, b],
          [admin.leaveTeam, target, b],
        ];
      }),
    ),
  'tenant-0015': () =>
    expectUntouched(({ acme, otherId, b }) =>
      [acme.teamId, otherId].flatMap((teamId): [Endpoint, Record<string, unknown>, Sender][] => {
        const target = { teamId, membershipId: acme.membershipIds.invited };
        return [
          [admin.resendInvite, target, b],
          [admin.removeMember, target, b],
          [admin.setMemberRole, { ...target, role: 'admin' }, b],
          [admin.respondToInvite, { teamId: acme.teamId, response: 'decline' }, b],
          [admin.acceptInvite, { token: acme.inviteToken }, b],
        ];
      }),
    ),
  'tenant-0016': () =>
    expectUntouched(({ acme, b }) => [
      [teamEndpoints.updateTeam, { teamId: acme.teamId, name: 'Mine' }, b],
      [admin.deleteTeam, { teamId: acme.teamId }, b],
      [admin.inviteMembers, { teamId: acme.teamId, teamMembers: ['me@example.org'] }, b],
    ]),
  async 'tenant-0019'() {
    const { acme, content, senders, ...stage } = await openStageWithDocs();
    const slips = [
      `team:${acme.teamId} text`,
      "' OR 1=1 --",
      '" OR ""="',
      'original NEAR/2 text',
      '*',
      'module:secret-docs text',
      'workspace:* text',
      'visibility:private original text',
    ];
    for (const query of slips) {
      const { status, body } = await stage.ask(searchEndpoints.search, { query }, senders.outsider);
      expect([query, status, body.includes(content)]).toEqual([query, 200, false]);
    }
  },
  async 'tenant-0021'() {
    const { acme, content, ...stage } = await openStageWithDocs();
    const [one, two] = [await stage.teamKey(acme, 'writer'), await stage.teamKey(acme, 'reader')];
    for (const { secret } of [one, two]) {
      const query = { query: 'original text page0' };
      expect(await askAgent(stage.rig, secret, 'lectern_search_documentation', query)).toContain(content);
    }
  },
  async 'tenant-0022'() {
    const { acme, content, pageUrl, senders, ...stage } = await openStageWithDocs();
    const { db } = stage.rig.running.installation.base;
    const otherId = await sampleTeam(db, { id: 'other-team', members: { writer: 'admin' } });
    const input = { name: 'of the other team', teamId: otherId };
    const { secret } = await stage.rig.ask(keyEndpoints.createKey, input, senders.writer);
    const query = { query: 'original text page0' };
    expect(await askAgent(stage.rig, secret, 'lectern_search_documentation', query)).not.toContain(content);
    expect(await askAgent(stage.rig, secret, 'lectern_read_url', { url: pageUrl })).not.toContain(content);
    const header = { authorization: `Bearer ${secret}`, [teamHeader]: acme.teamId };
    expect((await stage.ask(searchEndpoints.search, query, header)).body).not.toContain(content);
  },
  async 'tenant-0023'() {
    const { acme, otherId, send, senders, b } = await openTenants();
    const body = { teamId: otherId, teamMembers: ['new@example.org'] };
    const mixed = await send('POST', `/admin/teams/${acme.teamId}/invite-members`, senders.founder, body);
    expect([mixed.status, mixed.body]).toEqual([400, expect.stringContaining('another teamId than the address')]);
    const own = await send('POST', `/admin/teams/${otherId}/invite-members`, b, { ...body, teamId: acme.teamId });
    expect(own.status).toBe(400);
  },
  async 'tenant-0024'() {
    const { acme, content, senders, ...stage } = await openStageWithDocs();
    const { secret } = await stage.rig.ask(keyEndpoints.createKey, { name: 'own' }, senders.invited);
    expect((await stage.ask(admin.acceptInvite, { token: acme.inviteToken }, senders.invited)).status).toBe(200);
    const query = { query: 'original text page0' };
    expect(await askAgent(stage.rig, secret, 'lectern_search_documentation', query)).not.toContain(content);
  },
  async 'tenant-0025'() {
    const { acme, ask, b, inOther, rig } = await openTenants();
    const times = { createdAt: 0, updatedAt: 0, endTime: 0 };
    const url = 'https://docs.example/?token=secret-of-acme';
    await rig.running.installation.base.db.query
      .insertInto('jobRuns')
      .values({
        ...{ id: 'run-of-acme', workspace: `team:${acme.teamId}`, slug: 'a', displayName: 'a', url, kind: 'site' },
        ...{
          ...times,
          status: 'FAILED',
          error: 'secret-of-acme',
          startedByUserId: 'founder',
          settings: '{"source":{}}',
        },
      })
      .execute();
    for (const sender of [b, inOther]) {
      for (const endpoint of [libraryEndpoints.getJob, libraryEndpoints.cancelJob]) {
        await expectSame((jobId) => ask(endpoint, { jobId }, sender), 'run-of-acme');
      }
      expect((await ask(libraryEndpoints.listJobs, {}, sender)).body).not.toContain('secret-of-acme');
    }
  },
  async 'tenant-0027'() {
    const { acme, ask, senders, rig, teamKey } = await openTenants();
    await teamKey(acme, 'writer');
    const { query } = rig.running.installation.base.db;
    await query
      .insertInto('modules')
      .values(moduleRow({ id: 'public-copy', slug: acme.moduleId }))
      .execute();
    const asked = { id: 'asked', requestId: 'r', userId: 'founder', teamId: acme.teamId, amount: -1, timestamp: 1 };
    const texts = { source: 'usage' as const, details: 'a search', metadata: '{"args":{"query":"secret-of-acme"}}' };
    await query
      .insertInto('creditTransactions')
      .values({ ...asked, ...texts })
      .execute();
    expect((await ask(admin.deleteTeam, { teamId: acme.teamId }, senders.founder)).status).toBe(200);
    expect(await query.selectFrom('modules').select('id').execute()).toEqual([{ id: 'public-copy' }]);
    const [teams, memberships, keys] = await dumpOf({ rig } as Stage, acme);
    expect([teams, memberships, keys]).toEqual([[], [], []]);
    const ledger = await query.selectFrom('creditTransactions').selectAll().where('teamId', '=', acme.teamId).execute();
    expect(ledger).toMatchObject([{ ...asked, details: '', metadata: '{}' }]);
  },
  async 'tenant-0028'() {
    const { acme, send, anonymous, teamKey } = await openTenants();
    const { secret } = await teamKey(acme, 'founder');
    for (const path of ['/healthz', '/api/site', '/api/session', '/status', '/']) {
      const { body } = await send('GET', path, anonymous);
      for (const told of [acme.teamId, 'Acme', '@example.org', secret])
        expect([path, body.includes(told)]).toEqual([path, false]);
    }
  },
  async 'tenant-0029'() {
    const { send, senders } = await openTenants();
    const ids = [
      '%00',
      '%27%20OR%201%3D1',
      encodeURIComponent('{"$ne":null}'),
      'x'.repeat(10_000),
      '%F0%9F%90%8E',
      '..%2f..',
    ];
    for (const id of ids) {
      const [read, write] = [
        await send('GET', `/api/teams/${id}`, senders.founder),
        await send('DELETE', `/admin/teams/${id}`, senders.founder),
      ];
      for (const { status } of [read, write]) expect([id, status === 400 || status === 404]).toEqual([id, true]);
      const header = { ...senders.founder, [teamHeader]: id };
      expect([400, 404, 431]).toContain((await send('GET', '/api/modules', header)).status);
    }
    for (const teamId of [{ $ne: null }, ['a'], 7, null, true, '\u0000', "' OR 1=1"]) {
      const { status } = await send('POST', '/admin/teams/respond-to-invite', senders.founder, {
        teamId,
        response: 'accept',
      });
      expect([teamId, status === 400 || status === 404]).toEqual([teamId, true]);
      const key = await send('POST', '/api/keys', senders.founder, { name: 'a', teamId });
      expect([teamId, key.status === 400 || key.status === 404]).toEqual([teamId, true]);
    }
  },
};

const cases = attacksOf<{ id: string; case: string }>('tenant-isolation.jsonl');

describe.skipIf(cases.length === 0)('tenants', () => {
  test('every case is tested here or elsewhere', () => {
    expect(cases.map(({ id }) => id).filter((id) => checks[id] === undefined && elsewhere[id] === undefined)).toEqual(
      [],
    );
  });

  test.each(cases.filter(({ id }) => checks[id] !== undefined))('$id: $case', async ({ id }) => {
    await checks[id]?.();
  });
});
