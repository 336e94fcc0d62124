import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { maskApiKeysIn } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { type Context, credentialOf } from '#server/context.ts';
import { countAttemptsIn } from '#server/features/accounts/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { isWritten } from '../known-fault.ts';
import { traceOf } from './passage-blocks.ts';
import {
  type CallRow,
  deleteSessionsSeenBefore,
  findSessionByHandle,
  findSessionByIdentity,
  insertCall,
  insertSession,
  listCalls,
  retireSession,
  type SessionRow,
  touchSession,
} from './store.ts';
import type { AgentRef } from './types.ts';

const minuteMs = 60_000;
/** Most recent calls of a session to recall; passages sent earlier than these may be sent again. */
const callsRecalledMax = 400;
/** Minimum interval between updates of a session's `lastSeenAt`, so that most calls write only one row. */
const touchEveryMs = 5 * minuteMs;
const pruneEveryMs = 60 * minuteMs;
/** Most sessions deleted during one call: deleting a hundred thousand at once blocks the process for seconds. */
const prunedAtOnce = 200;

/** The agent's earlier calls and the passages it received; lists are newest first. */
export interface Recollection {
  sessionId: string;
  handle: string;
  sentWhole: Set<string>;
  /** Passages sent in part: traces of the sentences and lines sent, by passage id. */
  sentInPart: Map<string, Set<string>>;
  queries: string[];
  reads: { url: string; withheldTokens: number }[];
}

/** A call to record; `snippetIds` are the passages sent whole, `parts` the blocks shown of cut passages. */
export interface CallRecord {
  tool: 'search' | 'read';
  query: string | null;
  url: string | null;
  snippetIds: string[];
  parts: { id: string; blocks: string[] }[];
  pageUrls: string[];
  tokens: number;
  wholePageTokens: number;
  withheldTokens: number;
  latencyMs: number;
}

export interface AgentMemory {
  /** Starts a session of the transport and returns its id, none on a full disk or where the user began too many; `canElicit`: its client can ask its person. */
  openSession(ctx: Context, clientName: string, canElicit?: boolean): Promise<string | undefined>;
  /** Returns the client of a session that `openSession` started for this user; undefined for any other id. */
  findSession(ctx: Context, sessionId: string): Promise<{ clientName: string; canElicit: number } | undefined>;
  /**
   * Forgets the passages sent in a session; returns false if this user has no session with that id. Its calls stay on
   * record.
   */
  endSession(ctx: Context, sessionId: string): Promise<boolean>;
  /** Returns the row id of the agent's conversation; creates the conversation if there is none. */
  conversationId(ctx: Context, agent: AgentRef): Promise<string>;
  /** Returns the conversation's id without creating it. */
  knownConversationId(ctx: Context, agent: AgentRef): Promise<string | undefined>;
  /**
   * Runs one call of an agent with what it got so far, and records what it gets, if anything, before the answer leaves. Calls of one
   * agent run one after the other in this process, so that two at once cannot be sent the same passage.
   */
  during<T>(
    ctx: Context,
    agent: AgentRef,
    call: (memory: Recollection) => Promise<{ answer: T; record: CallRecord | undefined }>,
  ): Promise<T>;
}

/** Creates a memory stored in the database: it survives restarts and is shared by all processes. */
export function createAgentMemory(): AgentMemory {
  const turns = new Map<string, Promise<unknown>>();
  let prunedAt = 0;

  async function prune(ctx: Context): Promise<void> {
    const now = ctx.clock.now();
    if (now - prunedAt < pruneEveryMs) return;
    prunedAt = now;
    const before = now - limits.agentSessionDays * 24 * 60 * minuteMs;
    // More are left: the next call deletes the next batch.
    if ((await deleteSessionsSeenBefore(ctx.db.query, before, prunedAtOnce)) === prunedAtOnce) prunedAt = 0;
  }

  return {
    async openSession(ctx, clientName, canElicit = false) {
      const sessionId = randomUUID();
      const session = newSession(ctx, { sessionId, clientName }, transportIdentity(ctx, sessionId));
      const row = { ...session, canElicit: Number(canElicit) };
      return (await isBegun(ctx, (tx) => insertSession(tx, row))) ? sessionId : undefined;
    },
    async findSession(ctx, sessionId) {
      return findSessionByIdentity(ctx.db.query, userOf(ctx), transportIdentity(ctx, sessionId));
    },
    async endSession(ctx, sessionId) {
      return write(ctx, (tx) => retireSession(tx, userOf(ctx), transportIdentity(ctx, sessionId)));
    },
    async conversationId(ctx, agent) {
      return (await resolveSession(ctx, agent)).id;
    },
    async knownConversationId(ctx, agent) {
      return (await findSession(ctx, agent)).current?.id;
    },
    async during(ctx, agent, call) {
      return inTurn(turns, identityOf(ctx, agent), async () => {
        const session = await resolveSession(ctx, agent);
        const { answer, record } = await call(await recall(ctx, session));
        if (record !== undefined && session.isUnkept !== true) await isWritten(ctx, remember(ctx, session, record));
        await isWritten(ctx, prune(ctx));
        return answer;
      });
    },
  };
}

async function inTurn<T>(turns: Map<string, Promise<unknown>>, key: string, body: () => Promise<T>): Promise<T> {
  const before = turns.get(key) ?? Promise.resolve();
  const mine = before.then(body, body);
  turns.set(key, mine);
  try {
    return await mine;
  } finally {
    if (turns.get(key) === mine) turns.delete(key);
  }
}

/** Returns the agent's session as `found`, and as `current` unless it has expired. */
async function findSession(
  ctx: Context,
  agent: AgentRef,
): Promise<{ current?: SessionRow | undefined; found: SessionRow | undefined }> {
  const found =
    agent.handle !== undefined
      ? await findSessionByHandle(ctx.db.query, { userId: userOf(ctx), teamId: teamIdOf(ctx) }, shortened(agent.handle))
      : await findSessionByIdentity(ctx.db.query, userOf(ctx), identityOf(ctx, agent));
  return found === undefined || hasRunOut(ctx, agent, found) ? { found } : { found, current: found };
}

/** Writes a new session. Returns false, with nothing written, on a full disk or if the user started too many. */
async function isBegun(ctx: Context, insert: (tx: Transaction) => Promise<void>): Promise<boolean> {
  let isWithinLimit = true;
  const begin = write(ctx, async (tx) => {
    const seconds = await countAttemptsIn(tx, ctx.clock.now(), [['agent-session', userOf(ctx)]]);
    isWithinLimit = seconds === undefined;
    if (isWithinLimit) await insert(tx);
  });
  return (await isWritten(ctx, begin)) && isWithinLimit;
}

/** `isUnkept`: its row was not written. */
async function resolveSession(ctx: Context, agent: AgentRef): Promise<SessionRow & { isUnkept?: true }> {
  const { current, found } = await findSession(ctx, agent);
  if (current !== undefined) return current;
  const identity = identityOf(ctx, agent);
  const row = newSession(ctx, agent, identity);
  const begin = async (tx: Transaction) => {
    if (found !== undefined) await retireSession(tx, found.userId, found.identity);
    await insertSession(tx, row);
  };
  if (!(await isBegun(ctx, begin))) return { ...row, isUnkept: true };
  return (await findSessionByIdentity(ctx.db.query, userOf(ctx), identity)) ?? row;
}

/** Returns true if a session identified only by key and client has expired because the agent was silent too long. */
function hasRunOut(ctx: Context, agent: AgentRef, session: SessionRow): boolean {
  if (agent.sessionId !== undefined || agent.handle !== undefined) return false;
  return ctx.clock.now() - session.lastSeenAt > limits.agentMemoryMinutes * minuteMs;
}

async function recall(ctx: Context, session: SessionRow): Promise<Recollection> {
  const calls = await listCalls(ctx.db.query, session.id, callsRecalledMax);
  const memory: Recollection = {
    sessionId: session.id,
    handle: session.handle,
    sentWhole: new Set(),
    sentInPart: new Map(),
    queries: [],
    reads: [],
  };
  const callKey = callKeyOf(ctx);
  for (const call of calls) {
    // A retry of this call, whose response was lost: send the same passages again.
    if (callKey !== null && call.callKey === callKey) continue;
    for (const id of storedJson<string[]>(call.snippetIds, [])) {
      if (id.startsWith(partMark)) recallPart(memory.sentInPart, id);
      else memory.sentWhole.add(id);
    }
    if (call.tool === 'search' && call.query !== null) memory.queries.push(call.query);
    if (call.tool === 'read' && call.url !== null) {
      memory.reads.push({ url: call.url, withheldTokens: call.withheldTokens });
    }
  }
  return memory;
}

/** Prefix of cut passages, stored as `~id:trace.trace`. */
const partMark = '~';

function partAsKept({ id, blocks }: CallRecord['parts'][number]): string {
  return `${partMark}${id}:${blocks.map(traceOf).join('.')}`;
}

function recallPart(sentInPart: Recollection['sentInPart'], kept: string): void {
  const [id = '', traces = ''] = kept.slice(partMark.length).split(':');
  const sent = sentInPart.get(id) ?? new Set();
  for (const trace of traces.split('.')) sent.add(trace);
  sentInPart.set(id, sent);
}

function callKeyOf({ idempotencyKey }: Context): string | null {
  return idempotencyKey === undefined ? null : createHash('sha256').update(idempotencyKey).digest('base64url');
}

let callsRecorded = 0;

async function remember(ctx: Context, session: SessionRow, record: CallRecord): Promise<void> {
  const { snippetIds, parts, pageUrls, ...rest } = record;
  const at = ctx.clock.now();
  // Ids sort by time and, within a millisecond, by write order.
  callsRecorded += 1;
  const id = [
    at.toString(36).padStart(9, '0'),
    callsRecorded.toString(36).padStart(8, '0'),
    randomBytes(6).toString('hex'),
  ];
  const row: CallRow = {
    ...rest,
    // Queries are kept for weeks; API keys pasted into them must not be.
    query: rest.query === null ? null : maskApiKeysIn(rest.query),
    url: rest.url === null ? null : maskApiKeysIn(rest.url),
    id: id.join('-'),
    sessionId: session.id,
    at,
    snippetIds: JSON.stringify([...snippetIds, ...parts.map(partAsKept)]),
    pageUrls: JSON.stringify(pageUrls),
    callKey: callKeyOf(ctx),
    latencyMs: Math.round(record.latencyMs),
  };
  const isShortLived = session.identity.startsWith('client:');
  const isToTouch = at - session.lastSeenAt > (isShortLived ? minuteMs : touchEveryMs);
  await write(ctx, async (tx) => {
    await insertCall(tx, row);
    if (isToTouch) await touchSession(tx, session.id, at);
  });
}

/** Writes without waiting for the disk: if a power failure loses the record, the passages are simply sent again. */
function write<T>(ctx: Context, body: (tx: Transaction) => Promise<T>): Promise<T> {
  return ctx.db.transaction(body, { durability: 'process' });
}

function newSession(ctx: Context, agent: AgentRef, identity: string): NewRow<'agentSessions'> & SessionRow {
  const now = ctx.clock.now();
  return {
    id: randomUUID(),
    identity,
    userId: userOf(ctx),
    teamId: teamIdOf(ctx),
    keyId: credentialOf(ctx.actor)?.id ?? null,
    clientName: agent.clientName.slice(0, 100),
    handle: agent.handle === undefined ? randomBytes(6).toString('base64url') : shortened(agent.handle),
    createdAt: now,
    lastSeenAt: now,
    canElicit: 0,
  };
}

function identityOf(ctx: Context, agent: AgentRef): string {
  if (agent.handle !== undefined) return `named:${placeOf(ctx)}:${shortened(agent.handle)}`;
  if (agent.sessionId !== undefined) return transportIdentity(ctx, agent.sessionId);
  const caller = credentialOf(ctx.actor)?.id ?? placeOf(ctx);
  return `client:${caller}:${agent.clientName.slice(0, 100)}`;
}

function transportIdentity(ctx: Context, sessionId: string): string {
  return `transport:${placeOf(ctx)}:${shortened(sessionId)}`;
}

/** Returns the name, hashed if it is too long: client-chosen names can have any length. */
function shortened(name: string): string {
  return name.length <= 128 ? name : createHash('sha256').update(name).digest('base64url');
}

/** Returns the id of the user that a caller's memory belongs to. */
export function userOf(ctx: Context): string {
  return ctx.actor.kind === 'anonymous' ? 'anonymous' : ctx.actor.userId;
}

function teamIdOf(ctx: Context): string | null {
  return ctx.membership?.teamId ?? null;
}

/** Returns the scope of a conversation: a user's conversations inside and outside of a team are separate. */
function placeOf(ctx: Context): string {
  const teamId = teamIdOf(ctx);
  return teamId === null ? userOf(ctx) : `${teamId}/${userOf(ctx)}`;
}
