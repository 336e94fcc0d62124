import { randomUUID } from 'node:crypto';
import type { Context } from '#server/context.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { createHostCheck } from '#server/platform/outbound/index.ts';

/** Returns a function that creates contexts of the installation's operator. */
export function contextsOf(platform: Platform, userId: string): () => Context {
  const base = { ...baseOf(platform), actor: { kind: 'operator', userId }, workspace: `user:${userId}` } as const;
  return () => ({ ...base, requestId: randomUUID() });
}

/** Returns the parts that contexts share, regardless of the actor. */
export function baseOf({ db, clock, log, config }: Platform): Omit<Context, 'actor' | 'workspace' | 'requestId'> {
  const checkHost = createHostCheck({ allowHosts: config.allowHosts });
  return { db, clock, log, checkHost, ...(config.areCreditsOn ? { hasPlanLimits: true } : {}) };
}
