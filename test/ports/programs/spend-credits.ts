import { randomUUID } from 'node:crypto';
import { createCallMeter } from '#server/features/credits/call-meter.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { DatabaseConfig } from '#server/platform/db/database.ts';
import { openDatabase } from '#server/platform/db/open-database.ts';
import { createLogger } from '#server/platform/log.ts';

interface Input {
  config: DatabaseConfig;
  userId: string;
  /** The team in which the calls are made. */
  teamId?: string;
  /** One call for each query, several in progress at a time; equal queries are one call. */
  queries: string[];
  atOnce: number;
}

/** Charges a user's searches as fast as possible and prints how many were paid and refused. */
const { config, userId, teamId, queries, atOnce } = JSON.parse(process.argv[2] ?? '') as Input;
const db = await openDatabase(config);
const meter = createCallMeter({ publicUrl: 'http://127.0.0.1' });
const outcomes = { paid: 0, refused: 0 };
const waiting = [...queries];
const worker = async () => {
  for (let query = waiting.shift(); query !== undefined; query = waiting.shift()) {
    const ctx = {
      actor: { kind: 'key' as const, userId, keyId: `key of ${userId}`, clientKind: null },
      workspace: teamId === undefined ? (`user:${userId}` as const) : (`team:${teamId}` as const),
      membership: teamId === undefined ? undefined : { membershipId: 'member', teamId, role: 'reader' as const },
      ...{ db, clock: systemClock, log: createLogger('silent'), requestId: randomUUID() },
    };
    const call = { tool: 'search' as const, args: { query }, clientName: 'spender' };
    try {
      await meter.settle(ctx, call, { hasContent: true, tokens: 10, wholePageTokens: 100, withheldTokens: 0 });
      outcomes.paid += 1;
    } catch (error) {
      if ((error as { code?: string }).code !== 'credits-exhausted') throw error;
      outcomes.refused += 1;
    }
  }
};
await Promise.all(Array.from({ length: atOnce }, worker));
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
await db.close();
