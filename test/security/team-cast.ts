import { randomUUID } from 'node:crypto';
import { Client, SdkHttpError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type Endpoint, toRequest } from '#contract/endpoint.ts';
import { keyEndpoints } from '#contract/keys.ts';
import { libraryEndpoints } from '#contract/library.ts';
import { teamHeader } from '#contract/team-header.ts';
import { hashToken, newToken } from '#server/features/accounts/index.ts';
import { openWebSession } from '#server/features/accounts/web-session.ts';
import { type HttpRig, openHttpRig, type Sender } from '../http/http-rig.ts';
import { startSampleSite } from '../library/sample-site.ts';
import { moduleRow, userRow } from '../services/rows.ts';
import { leaveSampleTeam, sampleTeam } from '../services/sample-team.ts';
import { until } from '../services/until.ts';

/** The people in tests of a team: its founder, its members by role, invited and removed people, and outsiders. */
export const people = ['founder', 'admin', 'writer', 'reader', 'invited', 'removed', 'outsider'] as const;
export type Person = (typeof people)[number];

/** A response without its request id, so that two can be compared. */
export interface Answer {
  status: number;
  body: string;
}

export interface Team {
  teamId: string;
  /** Ids of the memberships and the invite. */
  membershipIds: Record<'founder' | 'admin' | 'writer' | 'reader' | 'invited' | 'removed', string>;
  inviteToken: string;
  /** A module without a served version. */
  moduleId: string;
}

export interface Stage {
  rig: HttpRig;
  senders: Record<Person, Sender>;
  anonymous: Sender;
  /** Creates a new team with everyone in their roles. */
  team(): Promise<Team>;
  ask(endpoint: Endpoint, input: Record<string, unknown>, sender: Sender): Promise<Answer>;
  send(method: string, path: string, sender: Sender, body?: unknown): Promise<Answer>;
  /** Creates a team key as this person. */
  teamKey(team: Team, person: Person): Promise<{ keyId: string; secret: string }>;
}

/** Starts a server with one account per person, named like them. */
export async function openStage(environment: Record<string, string> = {}): Promise<Stage> {
  const rig = await openHttpRig(environment);
  const { db } = rig.running.installation.base;
  const senders = {} as Stage['senders'];
  for (const id of people) {
    await db.query
      .insertInto('users')
      .values(userRow({ id, emailVerifiedAt: 0, credits: 100 }))
      .execute();
    const browser = { address: '127.0.0.1', userAgent: 'test', sessionToken: undefined };
    const { sessionToken } = await db.transaction((tx) => openWebSession(tx, Date.now(), id, browser));
    senders[id] = { cookie: `lectern_session=${sessionToken}`, 'x-lectern-csrf': '1' };
  }
  const send: Stage['send'] = async (method, path, sender, body) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await rig.send(path, { method, headers: sender, body: text });
    const requestId = response.headers.get('x-request-id') ?? '-';
    return { status: response.status, body: (await response.text()).replaceAll(requestId, 'request') };
  };
  return {
    ...{ rig, senders, send, anonymous: {} },
    ask(endpoint, input, sender) {
      const { path, body } = toRequest(endpoint, input);
      return send(endpoint.method, path, sender, body === undefined ? undefined : JSON.parse(body));
    },
    team: () => newTeam(rig),
    async teamKey(team, person) {
      const { teamId } = team;
      const isMember = person !== 'invited' && person !== 'removed' && person !== 'outsider';
      // Only members can create a team key; for others a row simulates one.
      const input = { name: 'agent', ...(isMember ? { teamId } : {}) };
      const { key, secret } = await rig.ask(keyEndpoints.createKey, input, senders[person]);
      if (!isMember) await db.query.updateTable('apiKeys').set({ teamId }).where('id', '=', key.id).execute();
      return { keyId: key.id, secret };
    },
  };
}

async function newTeam(rig: HttpRig): Promise<Team> {
  const { db } = rig.running.installation.base;
  const members = { founder: 'admin', admin: 'admin', writer: 'writer', reader: 'reader', removed: 'writer' } as const;
  const teamId = await sampleTeam(db, { id: randomUUID(), name: 'Acme', members });
  await leaveSampleTeam(db, teamId, 'removed');
  const inviteToken = newToken();
  await db.query
    .insertInto('memberships')
    .values({
      ...{ id: randomUUID(), teamId, email: 'invited@example.org', role: 'writer', state: 'invited', joinedAt: 0 },
      ...{ inviteTokenHash: hashToken(inviteToken), inviteExpiresAt: Date.now() + 3_600_000, lastInviteSentAt: 0 },
    })
    .execute();
  const moduleId = `module-${randomUUID().slice(0, 8)}`;
  const workspace = `team:${teamId}` as const;
  await db.query
    .insertInto('modules')
    .values(moduleRow({ id: randomUUID(), slug: moduleId, workspace }))
    .execute();
  const rows = await db.query.selectFrom('memberships').selectAll().where('teamId', '=', teamId).execute();
  const idOf = (person: string) => rows.find(({ email }) => email === `${person}@example.org`)?.id ?? '';
  const membershipIds = {
    ...{ founder: idOf('founder'), admin: idOf('admin'), writer: idOf('writer'), reader: idOf('reader') },
    ...{ invited: idOf('invited'), removed: idOf('removed') },
  };
  return { teamId, membershipIds, inviteToken, moduleId };
}

/** Opens a stage with a team whose index contains a small unreachable site; returns what a member finds there. */
export async function openStageWithDocs() {
  const site = await startSampleSite(2);
  const stage = await openStage({ LECTERN_ALLOW_HOSTS: site.host });
  const team = await stage.team();
  const asFounder = { ...stage.senders.founder, [teamHeader]: team.teamId };
  const source = { source: site.url, moduleId: 'secret-docs', visibility: 'private' as const };
  const { job } = await stage.rig.ask(libraryEndpoints.startIndexJob, source, asFounder);
  const hasEnded = async () =>
    (await stage.rig.ask(libraryEndpoints.getJob, { jobId: job.id }, asFounder)).job.endTime !== null;
  await until('indexed', hasEnded, 50_000);
  await site.close();
  return { ...stage, acme: team, jobId: job.id, pageUrl: `${site.url}page0.html`, content: 'Original text 0' };
}

/** Returns a tool's response to an agent with this key; `refused` without access. */
export async function askAgent(
  rig: HttpRig,
  secret: string | undefined,
  name: string,
  values: object,
  meta: Record<string, unknown> = {},
) {
  const headers = secret === undefined ? {} : { authorization: `Bearer ${secret}` };
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  const transport = new StreamableHTTPClientTransport(new URL(`${rig.url}/mcp`), { requestInit: { headers } });
  onTestFinished(() => client.close());
  try {
    await client.connect(transport);
    return JSON.stringify(await client.callTool({ name, arguments: { ...values }, _meta: meta }));
  } catch (error) {
    // A key can be revoked between the two requests.
    if (error instanceof SdkHttpError && error.status === 401) return 'refused';
    throw error;
  }
}
