import { expect, test } from 'vitest';
import { openRig } from '#test/library/rig.ts';
import { createAgentMemory } from './agent-memory.ts';

const dayMs = 24 * 60 * 60_000;

test('old conversations are deleted in batches, so that no call waits for all of them', async () => {
  const { ctx } = await openRig();
  const { query } = ctx.db;
  const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : '';
  for (let number = 0; number < 450; number += 1) {
    const at = ctx.clock.now() - 31 * dayMs;
    const names = { id: `old-${number}`, identity: `agent-${number}`, handle: `h${number}` };
    await query
      .insertInto('agentSessions')
      .values({ ...names, userId, keyId: null, clientName: 'agent', teamId: null, createdAt: at, lastSeenAt: at })
      .execute();
  }
  const memory = createAgentMemory();
  const sizes = { tokens: 0, wholePageTokens: 0, withheldTokens: 0, latencyMs: 0 };
  const record = {
    tool: 'search' as const,
    query: 'looms',
    url: null,
    snippetIds: [],
    parts: [],
    pageUrls: [],
    ...sizes,
  };
  const left: number[] = [];
  for (let call = 0; call < 3; call += 1) {
    await memory.during(ctx, { clientName: 'agent' }, async () => ({ answer: '', record }));
    left.push((await query.selectFrom('agentSessions').select('id').where('id', 'like', 'old-%').execute()).length);
  }
  expect(left).toEqual([250, 50, 0]);
});
