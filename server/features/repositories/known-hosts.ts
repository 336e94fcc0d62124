import type { Context } from '#server/context.ts';
import type { KnownHosts } from '#server/platform/git/index.ts';
import { keepKnownKeys, readKnownKeys } from './store.ts';

/** The keys of SSH hosts, kept in the database, so that every process knows them alike. */
export function createKnownHosts({ db, clock }: Pick<Context, 'db' | 'clock'>): KnownHosts {
  return {
    read: (host) => readKnownKeys(db.query, host),
    keep: (host, lines) => keepKnownKeys(db.query, { host, knownKeys: lines, now: clock.now() }),
  };
}
