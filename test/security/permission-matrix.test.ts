import { describe, expect, test } from 'vitest';
import { billingAdministration } from '#contract/billing.ts';
import { callables } from '#contract/callables.ts';
import { askDocsPath, chatEndpoints } from '#contract/chat.ts';
import { creditEndpoints } from '#contract/credits.ts';
import { documentEndpoints } from '#contract/documents.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import { endpointGroups } from '#contract/reference.ts';
import { teamHeader } from '#contract/team-header.ts';
import { teamAdministration } from '#contract/teams.ts';
import type { Sender } from '../http/http-rig.ts';
import { attacksOf } from '../services/attacks.ts';
import { openHostStage, teamRepository } from './host-stage.ts';
import { askAgent, openStage, openStageWithDocs, type Person, type Stage, type Team } from './team-cast.ts';

interface PermissionCase {
  id: string;
  call: string;
  role: 'anonymous' | 'outsider' | 'invited' | 'removed' | 'member' | 'admin' | 'owner';
  expect: 'allow' | 'allow (self)' | 'deny 401' | 'deny 403 or 404';
}

/** Maps the list's roles to ours: the founder, an admin and, for its member, both a writer and a reader. */
const ours: Record<Exclude<PermissionCase['role'], 'anonymous'>, Person[]> = {
  ...{ owner: ['founder'], admin: ['admin'], member: ['writer'] },
  ...{ invited: ['invited'], removed: ['removed'], outsider: ['outsider'] },
};
/** Calls that every member may make, including readers. */
const forReadersToo = /^(list team keys|read |createApiKey|POST \/teams$|MCP |document viewer|export or delete)/;

/** Calls that need a connection to the code host. */
const isAboutHost = /code host|repository/;

type Asked = { stage: Stage; team: Team; sender: Sender; person: Person | undefined };
type Call = (asked: Asked) => Promise<string>;

const verdictOf = ({ status, body }: { status: number; body: string }) => {
  if (status === 200) return 'allow';
  if (status === 401) return 'deny 401';
  return status === 403 || status === 404 ? 'deny 403 or 404' : `${status}: ${body}`;
};
const ask = async (
  { stage, sender }: Asked,
  ...[endpoint, input]: [Parameters<Stage['ask']>[0], Record<string, unknown>]
) => verdictOf(await stage.ask(endpoint, input, sender));
const inTeam = ({ sender, team, ...rest }: Asked): Asked => ({
  ...rest,
  team,
  sender: { ...sender, [teamHeader]: team.teamId },
});
const ofTeam = ({ team }: Asked) => ({ teamId: team.teamId });
const admin = teamAdministration;

/** Creates a PDF set of the team as its founder. */
async function sampleSet({ stage, team }: Asked) {
  const asFounder = { ...stage.senders.founder, [teamHeader]: team.teamId };
  return (await stage.rig.ask(pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' }, asFounder)).set;
}

const calls: Record<string, Call> = {
  'POST /teams': (a) => ask(a, admin.createTeam, { teamName: 'New' }),
  'POST /teams/{id}/invite-members': (a) =>
    ask(a, admin.inviteMembers, { teamId: a.team.teamId, teamMembers: ['new@example.org'] }),
  'POST /teams/respond-to-invite': (a) => ask(a, admin.respondToInvite, { teamId: a.team.teamId, response: 'accept' }),
  'POST /teams/accept-invite': (a) => ask(a, admin.acceptInvite, { token: a.team.inviteToken }),
  'DELETE /teams/{id}': (a) => ask(a, admin.deleteTeam, { teamId: a.team.teamId }),
  'PUT /teams/{id}/members/{mid}': (a) =>
    ask(a, admin.setMemberRole, { teamId: a.team.teamId, membershipId: a.team.membershipIds.reader, role: 'writer' }),
  'DELETE /teams/{id}/members/{mid}': (a) =>
    ask(a, admin.removeMember, { teamId: a.team.teamId, membershipId: a.team.membershipIds.reader }),
  'POST /teams/{id}/members/{mid}/resend-invite': (a) =>
    ask(a, admin.resendInvite, { teamId: a.team.teamId, membershipId: a.team.membershipIds.invited }),
  'POST /teams/{id}/members/{mid}/leave': (a) => {
    const ids = a.team.membershipIds;
    const own = a.person !== undefined && a.person !== 'outsider' ? ids[a.person] : ids.reader;
    return ask(a, admin.leaveTeam, { teamId: a.team.teamId, membershipId: own });
  },
  'POST /teams/{id}/create-subscription': (a) =>
    ask(a, billingAdministration.createSubscription, { ...ofTeam(a), numberOfSeats: 2, priceId: 'price_test_basic' }),
  'PUT /teams/{id}/manage-seats': (a) =>
    ask(a, billingAdministration.manageSeats, { ...ofTeam(a), paidSeatMembershipIds: [] }),
  'POST /teams/{id}/purchase-credits': (a) =>
    ask(a, billingAdministration.purchaseTeamCredits, { ...ofTeam(a), amount: 1_000 }),
  'POST /teams/{id}/portal': (a) => ask(a, billingAdministration.openTeamPortal, ofTeam(a)),
  'createApiKey (team)': (a) => ask(a, keyEndpoints.createKey, { name: 'agent', teamId: a.team.teamId }),
  'createApiKey (individual)': (a) => ask(a, keyEndpoints.createKey, { name: 'agent' }),
  async revokeApiKey(a) {
    const isMember = a.person === 'writer' || a.person === 'reader';
    const { keyId } = await a.stage.teamKey(a.team, isMember && a.person ? a.person : 'founder');
    return ask(a, keyEndpoints.revokeKey, { keyId });
  },
  'list team keys': (a) => ask(a, keyEndpoints.listKeys, { teamId: a.team.teamId }),
  'startIndexJob (team)': (a) =>
    ask(inTeam(a), libraryEndpoints.startIndexJob, { source: 'https://docs.example.org/', visibility: 'private' }),
  'removeModule (team)': (a) => ask(inTeam(a), libraryEndpoints.removeModule, { moduleId: a.team.moduleId }),
  async 'upload PDF set (team)'(a) {
    const set = await sampleSet(a);
    const created = await ask(inTeam(a), pdfSetEndpoints.createPdfSet, { displayName: 'Manuals' });
    const upload = { setId: set.setId, fileName: 'a.pdf', sizeBytes: 5_000 };
    const started = await ask(inTeam(a), pdfSetEndpoints.startPdfUpload, upload);
    return created === started ? created : `${created}, ${started}`;
  },
  async 'delete PDF set (team)'(a) {
    const { setId } = await sampleSet(a);
    return ask(inTeam(a), pdfSetEndpoints.removePdfSet, { setId });
  },
  'read team activity': (a) => ask(inTeam(a), creditEndpoints.listTransactions, {}),
  'read team credit totals': (a) => ask(inTeam(a), creditEndpoints.getCreditInfo, {}),
  'read job runs (team)': (a) => ask(inTeam(a), libraryEndpoints.listJobs, {}),
  'connect code host (self)': (a) => ask(a, hostingEndpoints.connectGithub, {}),
  'add repository to team index': (a) => ask(inTeam(a), hostingEndpoints.addRepository, { repository: 'ada/handbook' }),
  'remove repository from team index': async (a) =>
    ask(inTeam(a), hostingEndpoints.removeRepository, { id: await teamRepository(a.stage, a.team) }),
  'refresh repository stats': async (a) =>
    ask(inTeam(a), hostingEndpoints.refreshRepositoryStats, { id: await teamRepository(a.stage, a.team) }),
  'export or delete own account': async ({ stage, sender }) => {
    const path = `/callable/${callables.deleteUser.name}`;
    return verdictOf(await stage.send('POST', path, sender, { data: {} }));
  },
};

const cases = attacksOf<PermissionCase>('permission-matrix.jsonl');
const byCall = Object.entries(Object.groupBy(cases, (one) => one.call));
const wanted = (one: PermissionCase) => one.expect.replace(' (self)', '');

function sendersOf(one: PermissionCase): (Person | undefined)[] {
  if (one.role === 'anonymous') return [undefined];
  return one.role === 'member' && forReadersToo.test(one.call) ? ['writer', 'reader'] : ours[one.role];
}

describe.skipIf(cases.length === 0)('permissions', () => {
  test('every case is tested', () => {
    const tried = new Set([...Object.keys(calls), ...agentCalls, chatCall, viewerCall, profileCall]);
    expect(cases.filter((one) => !tried.has(one.call)).map(({ id, call }) => `${id} ${call}`)).toEqual([]);
  });

  test.each(byCall.filter(([call]) => calls[call] !== undefined))('%s', async (call, group = []) => {
    const stage = await (isAboutHost.test(call) ? openHostStage() : openStage());
    const { query } = stage.rig.running.installation.base.db;
    const verdicts: string[] = [];
    for (const one of group) {
      for (const person of sendersOf(one)) {
        const sender = person === undefined ? stage.anonymous : stage.senders[person];
        // Each case needs a new team of the founder, who can own only a few unpaid ones.
        const team = await stage.team();
        await query.updateTable('teams').set({ tier: 'Basic' }).where('id', '!=', team.teamId).execute();
        const verdict = await calls[call]?.({ stage, team, sender, person });
        verdicts.push(`${one.id} ${person ?? 'anonymous'}: ${verdict}`);
      }
    }
    const expected = group.flatMap((one) =>
      sendersOf(one).map((person) => `${one.id} ${person ?? 'anonymous'}: ${wanted(one)}`),
    );
    expect(verdicts).toEqual(expected);
  });
});

const agentCalls = ['MCP search with team key', 'MCP read of a private document of the team'];

describe.skipIf(cases.length === 0)('agents’ permissions', () => {
  test.each(agentCalls)('%s', async (call) => {
    const { acme, pageUrl, content, ...stage } = await openStageWithDocs();
    for (const one of cases.filter((other) => other.call === call)) {
      for (const person of sendersOf(one)) {
        // An agent without access gets a 401 that asks for another key, regardless of its user.
        const secret = person === undefined ? undefined : (await stage.teamKey(acme, person)).secret;
        const told =
          call === 'MCP search with team key'
            ? await askAgent(stage.rig, secret, 'lectern_search_documentation', { query: 'original text page0' })
            : await askAgent(stage.rig, secret, 'lectern_read_url', { url: pageUrl });
        const isTold = told.includes(content);
        expect([one.id, person, isTold]).toEqual([one.id, person, one.expect.startsWith('allow')]);
        if (!isTold) expect(told).toBe('refused');
      }
    }
  });
});

const chatCall = 'chat /chat/{moduleId} with private module';

test.skipIf(cases.length === 0)(chatCall, async () => {
  const stage = await openStageWithDocs();
  const [team, moduleId] = [stage.acme, 'secret-docs'];
  for (const one of cases.filter((other) => other.call === chatCall)) {
    for (const person of sendersOf(one)) {
      const sender = person === undefined ? stage.anonymous : stage.senders[person];
      const told = [
        await ask(inTeam({ stage, team, sender, person }), chatEndpoints.describeChat, { moduleId }),
        await ask(inTeam({ stage, team, sender, person }), chatEndpoints.listChats, {}),
        verdictOf(
          await stage.send('POST', askDocsPath, inTeam({ stage, team, sender, person }).sender, {
            question: 'text',
            moduleId,
          }),
        ),
      ];
      expect([one.id, person, told]).toEqual([one.id, person, told.map(() => wanted(one))]);
    }
  }
});

const viewerCall = 'document viewer /document/* private';

test.skipIf(cases.length === 0)(viewerCall, async () => {
  const stage = await openStageWithDocs();
  const [team, url] = [stage.acme, stage.pageUrl];
  for (const one of cases.filter((other) => other.call === viewerCall)) {
    for (const person of sendersOf(one)) {
      const sender = person === undefined ? stage.anonymous : stage.senders[person];
      const asked = inTeam({ stage, team, sender, person });
      const told = [
        await ask(asked, documentEndpoints.showDocument, { url }),
        await ask(asked, documentEndpoints.documentMarkdown, { url }),
      ];
      expect([one.id, person, told]).toEqual([one.id, person, told.map(() => wanted(one))]);
      // In the user's own workspace, without naming the team, it is not found.
      expect((await stage.ask(documentEndpoints.showDocument, { url }, sender)).status).toBe(404);
      const { body } = await stage.send('GET', `/document/${url}`, sender);
      expect(body).not.toContain(stage.content);
    }
  }
});

const profileCall = 'read another user profile';
/**
 * Fields of a team's admin calls that identify a member: these calls take the membership's id, or apply to that team
 * only.
 */
const namesPerson = /^(userId|uid|personId|accountId|email)$/;

test.skipIf(cases.length === 0)(profileCall, async () => {
  const reading = endpointGroups.flatMap(({ endpoints }) => Object.values(endpoints)).filter(isReading);
  expect(reading.length).toBeGreaterThan(40);
  const byPerson = reading.filter(({ input }) => Object.keys(input.shape ?? {}).some((name) => namesPerson.test(name)));
  expect(byPerson.map(({ path }) => path)).toEqual([]);
  const stage = await openStage();
  for (const one of cases.filter((other) => other.call === profileCall)) {
    for (const person of sendersOf(one)) {
      const sender = person === undefined ? stage.anonymous : stage.senders[person];
      for (const path of ['/api/identity/details', '/api/session', '/api/users', '/api/identity', '/api/memberships']) {
        for (const other of [`${path}/admin`, `${path}?userId=admin`, `${path}?uid=admin`]) {
          const { status, body } = await stage.send('GET', other, sender);
          expect([one.id, person, other, status < 500]).toEqual([one.id, person, other, true]);
          expect([one.id, person, other, body.includes('admin@example.org')]).toEqual([one.id, person, other, false]);
        }
      }
      const own = verdictOf(await stage.send('GET', '/api/identity/details', sender));
      expect([one.id, own]).toEqual([one.id, person === undefined ? wanted(one) : 'allow']);
    }
  }
});

function isReading(endpoint: Endpoint): endpoint is Endpoint & { input: { shape?: object } } {
  return endpoint.method === 'GET';
}
