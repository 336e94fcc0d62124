import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type * as OpenSearchSdk from '@opensearch-project/opensearch';
import type { Client } from '@opensearch-project/opensearch';
import type { Holder } from '../store-claim.ts';
import { isPassing, translateClusterError } from './cluster-errors.ts';
import {
  checkVersion,
  indexNames,
  isPublic,
  isReadOnly,
  makeIndexes,
  readHolder,
  soonAnswered,
  writeHolder,
} from './cluster-layout.ts';
import {
  type ClusterHealth,
  type ClusterPlace,
  type ClusterSnippet,
  type FoundSnippet,
  type IndexIds,
  type SearchCluster,
  type SearchClusterConfig,
  SearchClusterError,
  type WriteControl,
} from './search-cluster.ts';
import { type BulkEntry, writeBulk } from './write-snippets.ts';

type Sdk = Pick<typeof OpenSearchSdk, 'Client'>;

/**
 * Snippets requested from each index: their pages are ranked in detail, so more would cost time and find next to
 * nothing.
 */
const snippetsAsked = 300;
const requestTimeoutMs = 10_000;
/** Time limit of a search with all its attempts, for nodes that accept requests but don't respond. */
const searchLimitMs = 20_000;
/** Leaves time for a third node if two hang. */
const searchTimeoutMs = 8_000;
const refreshTimeoutMs = 120_000;
/** Other nodes are tried at once; these pauses are for a cluster that is relocating a shard or electing a manager. */
const pausesMs = [100, 400, 1_200, 2_500, 5_000];
/** Most snippets deleted by one request. */
const droppedAtOnce = 20_000;

/**
 * Opens a client for an OpenSearch cluster without sending a request yet. Needs the optional package
 * `@opensearch-project/opensearch`.
 */
export async function openSearchCluster(
  config: SearchClusterConfig,
  importSdk: () => Promise<Sdk> = () => import('@opensearch-project/opensearch'),
): Promise<SearchCluster> {
  const sdk = await loadSdk(importSdk);
  const client = new sdk.Client({
    nodes: config.nodes,
    // Try every node before trying one twice.
    maxRetries: Math.max(3, config.nodes.length),
    requestTimeout: requestTimeoutMs,
    ...(config.authority === undefined ? {} : { ssl: { ca: config.authority } }),
  });
  return new OpenSearchCluster(client, config);
}

async function loadSdk(importSdk: () => Promise<Sdk>): Promise<Sdk> {
  try {
    return await importSdk();
  } catch (error) {
    throw new SearchClusterError(
      'package-missing',
      'LECTERN_SEARCH_URL needs the package @opensearch-project/opensearch, which is not installed. Install it: npm install @opensearch-project/opensearch',
      { cause: error },
    );
  }
}

class OpenSearchCluster implements SearchCluster {
  readonly #client: Client;
  readonly #config: SearchClusterConfig;
  readonly #names: IndexIds;
  readonly #hosts: string;

  constructor(client: Client, config: SearchClusterConfig) {
    this.#client = client;
    this.#config = config;
    this.#names = indexNames(config);
    this.#hosts = config.nodes.map((node) => new URL(node).host).join(', ');
  }

  prepare(signal?: AbortSignal): Promise<IndexIds> {
    return this.#translated(async () => {
      await checkVersion(this.#client, this.#hosts, signal);
      return makeIndexes(this.#client, this.#config);
    });
  }

  readHolder(): Promise<Holder | undefined> {
    return this.#translated(() => readHolder(this.#client, this.#names));
  }

  writeHolder(holder: Holder): Promise<void> {
    return this.#translated(() => writeHolder(this.#client, this.#names, holder));
  }

  write(place: ClusterPlace, snippets: Iterable<ClusterSnippet>, control?: WriteControl): Promise<number> {
    return this.#translated(async () => {
      const written = await writeBulk(this.#client, this.#entriesOf(place, snippets), control);
      await this.#refresh(this.#indexOf(place.tenant));
      return written;
    });
  }

  drop({ segmentId, tenant }: ClusterPlace): Promise<void> {
    return this.#translated(async () => {
      const index = this.#indexOf(tenant);
      // Recent writes are not searchable before a refresh.
      await this.#refresh(index);
      for (let deleted = 1; deleted > 0; ) {
        const { body } = await this.#client.deleteByQuery(
          {
            ...{ index, conflicts: 'proceed', refresh: true, max_docs: droppedAtOnce, ...routingOf(tenant) },
            body: { query: { term: { segment: { value: segmentId } } } },
          },
          { requestTimeout: refreshTimeoutMs },
        );
        deleted = (body as { deleted?: number }).deleted ?? 0;
      }
    });
  }

  async find(
    terms: readonly { term: string; weight: number }[],
    places: readonly ClusterPlace[],
  ): Promise<FoundSnippet[]> {
    if (terms.length === 0) return [];
    const should = terms.map(({ term, weight }) => ({ term: { terms: { value: term, boost: weight } } }));
    const found = await this.#searchEach(places, (filter) => ({
      ...{ size: snippetsAsked, query: { bool: { filter, should, minimum_should_match: 1 } } },
    }));
    return found.sort((a, b) => b.score - a.score);
  }

  async segmentsWith(url: string, places: readonly ClusterPlace[]): Promise<string[]> {
    const found = await this.#searchEach(places, (filter) => ({
      ...{ size: 1_000, query: { bool: { filter: [...filter, { term: { url: { value: urlKey(url) } } }] } } },
    }));
    return found.map(({ segmentId }) => segmentId);
  }

  count({ segmentId, tenant }: ClusterPlace): Promise<number> {
    return this.#translated(async () => {
      const query = { term: { segment: { value: segmentId } } };
      const { body } = await this.#client.count({
        ...{ index: this.#indexOf(tenant), ...routingOf(tenant) },
        body: { query },
      });
      return body.count;
    });
  }

  health(): Promise<ClusterHealth> {
    return this.#translated(async () => {
      const index = Object.values(this.#names).join(',');
      const { body } = await this.#client.cluster.health({ index, timeout: '2s' }, soonAnswered);
      const states = { green: 'whole', yellow: 'uncopied', red: 'in-part' } as const;
      return {
        nodes: body.number_of_nodes,
        state: states[body.status.toLowerCase() as keyof typeof states],
        isReadOnly: await isReadOnly(this.#client, index),
      };
    });
  }

  async close(): Promise<void> {
    await this.#client.close();
  }

  #indexOf(tenant: string): string {
    return isPublic(tenant) ? this.#names.public : this.#names.private;
  }

  *#entriesOf({ segmentId, tenant }: ClusterPlace, snippets: Iterable<ClusterSnippet>): Generator<BulkEntry> {
    const to = { _index: this.#indexOf(tenant), ...routingOf(tenant) };
    for (const { snippet, page, url, isFirstOfPage, terms } of snippets) {
      yield [
        JSON.stringify({ index: { ...to, _id: `${segmentId}/${page}/${snippet}` } }),
        JSON.stringify({ segment: segmentId, terms, ...(isFirstOfPage ? { url: urlKey(url) } : {}) }),
      ];
    }
  }

  async #refresh(index: string): Promise<void> {
    await this.#client.indices.refresh({ index }, { requestTimeout: refreshTimeoutMs });
  }

  /** Runs one search over the public places and one over the private places, each only if there are any. */
  async #searchEach(
    places: readonly ClusterPlace[],
    bodyOf: (filter: object[]) => object,
  ): Promise<(FoundSnippet & { score: number })[]> {
    const wanted = new Set(places.map(({ segmentId }) => segmentId));
    const found = await Promise.all(
      [places.filter(({ tenant }) => isPublic(tenant)), places.filter(({ tenant }) => !isPublic(tenant))].map(
        async (group) => {
          if (group.length === 0) return [];
          const tenants = [...new Set(group.map(({ tenant }) => tenant))];
          const filter = [{ terms: { segment: group.map(({ segmentId }) => segmentId) } }];
          return this.#translated(() =>
            this.#search(this.#indexOf(tenants[0] ?? ''), isPublic(tenants[0] ?? '') ? [] : tenants, bodyOf(filter)),
          );
        },
      ),
    );
    return found.flat().filter(({ segmentId }) => wanted.has(segmentId));
  }

  async #search(index: string, tenants: string[], query: object): Promise<(FoundSnippet & { score: number })[]> {
    const deadline = performance.now() + searchLimitMs;
    for (let attempt = 0; ; attempt += 1) {
      const wanted = {
        ...{ index, allow_partial_search_results: false, search_type: 'dfs_query_then_fetch' },
        ...(tenants.length === 0 ? {} : { routing: tenants.map(routeOf).join(',') }),
        body: { ...query, track_total_hits: false, stored_fields: [] },
      } as Parameters<Client['search']>[0];
      const asked = this.#client.search(wanted, { requestTimeout: searchTimeoutMs });
      const ending = setTimeout(() => asked.abort(), deadline - performance.now());
      try {
        const { body } = await asked;
        return body.hits.hits.map((hit) => foundOf(String(hit._id), Number(hit._score ?? 0)));
      } catch (error) {
        const pause = (pausesMs[attempt] ?? Number.POSITIVE_INFINITY) * (0.5 + Math.random() / 2);
        if (performance.now() + pause >= deadline || !isPassing(error)) throw error;
        await delay(pause);
      } finally {
        clearTimeout(ending);
      }
    }
  }

  async #translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Error && error.name === 'AbortError') throw error;
      throw translateClusterError(error, this.#hosts);
    }
  }
}

function foundOf(id: string, score: number): FoundSnippet & { score: number } {
  const [segmentId = '', page, snippet] = id.split('/');
  return { segmentId, page: Number(page), snippet: Number(snippet), score };
}

/** Commas separate routes. */
function routeOf(tenant: string): string {
  return tenant.replaceAll(',', '_');
}

function routingOf(tenant: string): { routing?: string } {
  return isPublic(tenant) ? {} : { routing: routeOf(tenant) };
}

/** Addresses may exceed the length limit of keywords. */
function urlKey(url: string): string {
  return createHash('sha256').update(url).digest('base64url');
}
