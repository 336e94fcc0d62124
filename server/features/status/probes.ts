import type { StatusPart } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import { type Shelf } from '#server/features/catalog/index.ts';
import { getQueueFigures } from '#server/features/indexing/index.ts';
import type { Search } from '#server/features/search/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import { type SearchCluster, SearchClusterError } from '#server/platform/search-cluster/index.ts';
import type { Claim } from '#server/platform/store-claim.ts';
import type { Probe } from './measure-status.ts';

/** Words found in all kinds of documentation: the results do not matter, only that the search works. */
const probeQuery = 'how to install and configure';
/** A run waiting this long is not being picked up. */
const longWaitMs = 15 * 60_000;
const probeFolder = 'status';
const probeFileAgeMs = 24 * 60 * 60_000;

/** Reads one row, as every call does first. */
export function databaseProbe(): Probe {
  return {
    part: 'database',
    async run({ db }) {
      await db.query.selectFrom('settings').select('name').limit(1).execute();
      return 'good';
    },
  };
}

/**
 * Writes a few bytes, reads them and deletes them; impaired if files cannot be deleted. `process` distinguishes the
 * files of several processes.
 */
export function filesProbe(blobs: Blobs, process: string): Probe {
  let written = 0;
  return {
    part: 'files',
    async run({ clock }) {
      // A new file each time, since an abandoned check may still be running.
      written += 1;
      const key = `${probeFolder}/${process}-${written}`;
      const bytes = new TextEncoder().encode(String(clock.now()));
      await blobs.put(key, bytes);
      const blob = await blobs.open(key);
      let isDeleted = false;
      try {
        const read = blob.read(0, blob.byteLength);
        if (!bytes.every((byte, place) => read[place] === byte))
          throw new Error('what was read is not what was written');
      } finally {
        blob.close();
        isDeleted = await blobs.delete(key).catch(isOfDatabase);
      }
      return isDeleted ? 'good' : 'impaired';
    },
  };
}

/** Returns true for a database error, which has its own check; throws any other. */
function isOfDatabase(error: unknown): true {
  if (isDatabaseError(error)) return true;
  throw error;
}

/** Deletes the files of checks whose process was killed. */
export async function removeOldProbeFiles({ clock, log }: Pick<Context, 'clock' | 'log'>, blobs: Blobs): Promise<void> {
  for (const { key, storedAt } of await blobs.entries(`${probeFolder}/`)) {
    if (!(storedAt <= clock.now() - probeFileAgeMs)) continue;
    await blobs.delete(key);
    log.info({ key, reason: 'the check that wrote it is over' }, 'a file was deleted');
  }
}

/**
 * Searches the public index as a visitor, at no charge: `search` must have no meter. Skipped while nothing public is
 * indexed; impaired if a module cannot be read.
 */
export function searchProbe(search: Search, shelf: Shelf): Probe {
  return {
    part: 'search',
    async run(ctx) {
      const visitor: Context = { ...ctx, actor: { kind: 'anonymous' }, workspace: null };
      const modules = await shelf.readableModules(visitor);
      if (modules.length === 0) return 'skipped';
      const { unreadable } = await shelf.openSound(modules, probeQuery);
      if (unreadable.length === modules.length) throw unreadable[0]?.fault ?? new Error('no module can be read');
      // The unreadable module is already reported: search a sound one instead.
      const unreadableIds = new Set(unreadable.map(({ module }) => module.rowId));
      const sound = modules.find(({ rowId }) => !unreadableIds.has(rowId));
      const module = unreadable.length === 0 ? undefined : sound?.moduleId;
      await search.searchDocs(visitor, { query: probeQuery, ...(module === undefined ? {} : { module }) }, undefined);
      return unreadable.length === 0 ? 'good' : 'impaired';
    },
  };
}

/**
 * Checks that every part of the search cluster's indexes is on a node; impaired if it is read-only or another database
 * uses its indexes. Missing replicas do not affect search: the doctor reports them. If the health cannot be read, tries
 * a search.
 */
export function clusterProbe(cluster: Pick<SearchCluster, 'health' | 'find'>, claim: Pick<Claim, 'standing'>): Probe {
  return {
    part: 'search-cluster',
    async run() {
      const health = await cluster.health().catch(async (error: SearchClusterError) => {
        if (error.code !== 'refused') throw error;
        const places = ['public', 'status'].map((tenant) => ({ segmentId: 'none', tenant }));
        await cluster.find([{ term: 'install', weight: 1 }], places);
        return undefined;
      });
      if (health?.state === 'in-part') throw new Error('a part of the index is on no running node');
      // A database error is reported by its own check.
      const standing = await claim.standing().catch((error: unknown) => {
        if (error instanceof SearchClusterError) throw error;
      });
      return standing === 'other' || health?.isReadOnly === true ? 'impaired' : 'good';
    },
  };
}

/** Checks that this process still looks for runs, and that none has waited too long. */
export function jobsProbe(isRunnerAlive: () => boolean): Probe {
  return {
    part: 'jobs',
    async run(ctx) {
      if (!isRunnerAlive()) throw new Error('no one looks for runs any more');
      const { oldestWaitingSince } = await getQueueFigures(ctx);
      const waits = oldestWaitingSince === null ? 0 : ctx.clock.now() - oldestWaitingSince;
      return waits > longWaitMs ? 'impaired' : 'good';
    },
  };
}

/** Checks that this process has the secret that stored secrets were encrypted with. */
export function secretProbe(isOurSecret: (ctx: Context) => Promise<boolean>): Probe {
  return {
    part: 'secret',
    async run(ctx) {
      if (await isOurSecret(ctx)) return 'good';
      throw new Error('this process has another secret than the one that stored secrets were encrypted with');
    },
  };
}

/** Creates the probe of a configured external service. */
export function partnerProbe(part: StatusPart, ask: () => Promise<unknown>): Probe {
  return {
    part,
    async run() {
      await ask();
      return 'good';
    },
  };
}
