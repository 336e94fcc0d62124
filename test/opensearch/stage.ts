import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Context } from '#server/context.ts';
import { type PageRecord, SegmentBuilder } from '#server/engine/index.ts';
import { createClusterClaim } from '#server/features/catalog/claim-cluster.ts';
import { fillCluster } from '#server/features/catalog/fill-cluster.ts';
import { createPageFinder, type PageFinder } from '#server/features/catalog/page-finder.ts';
import { OpenShelf } from '#server/features/catalog/shelf.ts';
import { createSearch } from '#server/features/search/index.ts';
import {
  openSearchCluster,
  type SearchCluster,
  type SearchClusterConfig,
} from '#server/platform/search-cluster/index.ts';
import { openRig, type Rig } from '../library/rig.ts';
import { moduleRow } from '../services/rows.ts';
import { samplePage } from '../services/sample-records.ts';

export type Workspace = Parameters<typeof moduleRow>[0]['workspace'];
const manyBytes = 1_000_000_000;
// Each module is a different library, since a search picks one version per library.
const sourceOf = (id: string) =>
  JSON.stringify({ kind: 'site', url: `https://${id}.example/`, seeds: [], maxPages: 10 });

/** A test installation, searched in the process or through a cluster. */
export interface Stage {
  rig: Rig;
  shelf: OpenShelf;
  cluster: SearchCluster | undefined;
  finder: PageFinder | undefined;
  config: SearchClusterConfig;
  /** Adds a module that serves these versions, oldest first; returns their segment ids. */
  addModule(id: string, workspace: Workspace, versions: PageRecord[][]): Promise<string[]>;
  /** Replaces everything that a module serves by one version. */
  replace(id: string, pages: PageRecord[]): Promise<string>;
  /** Writes served passages to the cluster, and removes deleted ones. */
  fill(): Promise<void>;
  /** Opens another shelf over the same rows and files. */
  shelfOver(cluster: SearchCluster): OpenShelf;
  fillOf(cluster: SearchCluster): Promise<void>;
  /** Returns the addresses found, best first, without fragments, each once. */
  ask(ctx: Context, query: string): Promise<string[]>;
}

/**
 * Opens a stage on the cluster of `nodes` with indexes for this test only, or without a cluster. Two shards, so that
 * routing matters.
 */
export async function openStage(nodes: string[] | undefined, replicas = 0): Promise<Stage> {
  const rig = await openRig();
  const { db, clock } = rig.ctx;
  const config = {
    nodes: nodes ?? [],
    ...{ authority: undefined, index: `test-${randomUUID()}`, shards: 2, replicas },
  };
  const cluster = nodes === undefined ? undefined : await openSearchCluster(config);
  await cluster?.prepare();
  const finder = cluster === undefined ? undefined : createPageFinder({ db, cluster, clock });
  const large = finder === undefined ? undefined : { finder, openedBytesMax: manyBytes };
  const shelf = new OpenShelf({ db, blobs: rig.blobs, large });
  const search = createSearch({ shelf });
  onTestFinished(async () => {
    shelf.close();
    await cluster?.close();
  });
  const fillOf = (other: SearchCluster) => {
    return fillCluster(rig.ctx, { blobs: rig.blobs, cluster: other, claim: createClusterClaim(rig.ctx, other) });
  };
  return {
    ...{ rig, shelf, cluster, finder, config },
    shelfOver: (other) => {
      const over = { finder: createPageFinder({ db, cluster: other, clock }), openedBytesMax: manyBytes };
      return new OpenShelf({ db, blobs: rig.blobs, large: over });
    },
    fillOf,
    async addModule(id, workspace, versions) {
      const segments: string[] = [];
      for (const pages of versions) segments.push(await storeSegment(rig, id, pages));
      const row = moduleRow({
        id,
        workspace,
        source: sourceOf(id),
        segments: JSON.stringify(segments),
        lastUpdatedAt: 1,
      });
      await db.query.insertInto('modules').values(row).execute();
      return segments;
    },
    async replace(id, pages) {
      const segmentId = await storeSegment(rig, id, pages);
      await db.query
        .updateTable('modules')
        .set({ segments: JSON.stringify([segmentId]) })
        .where('id', '=', id)
        .execute();
      return segmentId;
    },
    async fill() {
      if (cluster !== undefined) await fillOf(cluster);
    },
    async ask(ctx, query) {
      const { results } = await search.searchDocs(ctx, { query, budget: 20_000 }, undefined);
      return [...new Set(results.map(({ url }) => url.replace(/#.*$/, '')))];
    },
  };
}

async function storeSegment(rig: Rig, moduleId: string, pages: PageRecord[]): Promise<string> {
  const builder = new SegmentBuilder();
  for (const page of pages) builder.addPage(page);
  const id = randomUUID();
  const blobKey = `segments/${moduleId}/${id}.seg`;
  const byteCount = await rig.blobs.put(blobKey, builder.finish());
  await rig.ctx.db.query.insertInto('segments').values({ id, moduleId, blobKey, byteCount, createdAt: 0 }).execute();
  return id;
}

export const addressOf = (path: string) => `https://docs.example/${path}`;

/** Creates a page of one passage for each path; an empty text marks the page as removed. */
export function pagesOf(texts: Record<string, string>): PageRecord[] {
  return Object.entries(texts).map(([path, text]) => samplePage(addressOf(path), text));
}
