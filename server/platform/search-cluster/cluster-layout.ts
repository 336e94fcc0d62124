import type { API, Client } from '@opensearch-project/opensearch';
import type { Holder } from '../store-claim.ts';
import { statusOf, typeOf } from './cluster-errors.ts';
import { type IndexIds, type SearchClusterConfig, SearchClusterError } from './search-cluster.ts';

/** Incremented with every change of the stored format: each layout has its own indexes. */
const layout = 1;
const oldestVersion = [2, 4] as const;
/** For requests that a node serves at once: if one hangs, the next is tried within the time of a status check. */
export const soonAnswered = { requestTimeout: 3_000 };

/**
 * Private snippets have their own index, so that a private search uses one of its shards and not those of public
 * snippets.
 */
export function indexNames({ index }: Pick<SearchClusterConfig, 'index'>): IndexIds {
  return { public: `${index}-${layout}-public`, private: `${index}-${layout}-private` };
}

/**
 * Returns true for public snippets, which are spread over all shards; each other tenant's snippets are in one shard.
 */
export function isPublic(tenant: string): boolean {
  return tenant === 'public';
}

/** Throws unless the cluster runs a supported version of OpenSearch. */
export async function checkVersion(client: Client, hosts: string, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  const asked = client.info({}, soonAnswered);
  const end = () => {
    // Returns nothing, because `abort` returns a promise that would throw if a listener returned it.
    asked.abort();
  };
  signal?.addEventListener('abort', end, { once: true });
  const { body } = await asked.finally(() => signal?.removeEventListener('abort', end));
  const { number = '', distribution = '' } = body.version as { number?: string; distribution?: string };
  const [major = 0, minor = 0] = number.split('.').map(Number);
  const isOld = major < oldestVersion[0] || (major === oldestVersion[0] && minor < oldestVersion[1]);
  if (distribution === 'opensearch' && !isOld) return;
  throw new SearchClusterError(
    'other-version',
    `${hosts} runs ${distribution || 'a server that is not OpenSearch, version'} ${number}. Use OpenSearch ${oldestVersion.join('.')} or newer.`,
  );
}

/** Creates missing templates and indexes, and sets the configured number of replicas. */
export async function makeIndexes(client: Client, config: SearchClusterConfig): Promise<IndexIds> {
  const names = indexNames(config);
  await client.indices.putIndexTemplate({
    name: `${config.index}-${layout}`,
    body: {
      index_patterns: [`${config.index}-${layout}-*`],
      priority: 500,
      // The declared type of similarities omits the one named `default`.
      template: { settings: settingsOf(config) as unknown as IndexSettings, mappings },
    },
  });
  return {
    public: await makeIndex(client, names.public, config),
    private: await makeIndex(client, names.private, config),
  };
}

async function makeIndex(client: Client, name: string, config: SearchClusterConfig): Promise<string> {
  if ((await client.indices.exists({ index: name })).statusCode === 404) {
    try {
      await client.indices.create({ index: name });
    } catch (error) {
      // Another process created it first.
      if (statusOf(error) !== 400 || typeOf(error) !== 'resource_already_exists_exception') throw error;
    }
  }
  const { body } = await client.indices.get({ index: name });
  const { mappings: found, settings } = body[name] as unknown as FoundIndex;
  if (found._meta?.lecternLayout !== layout) {
    throw new SearchClusterError(
      'other-layout',
      `The index ${name} of the search cluster was not created by this program. Set another name in LECTERN_SEARCH_INDEX, or delete it.`,
    );
  }
  if (settings.index.number_of_replicas !== String(config.replicas)) {
    await client.indices.putSettings({ index: name, body: { index: { number_of_replicas: config.replicas } } });
  }
  return settings.index.uuid;
}

/** Returns true if one of these indexes is write-protected. */
export async function isReadOnly(client: Client, index: string): Promise<boolean> {
  const asked = { index, name: 'index.blocks.*', ignore_unavailable: true };
  const { body } = await client.indices.getSettings(asked, soonAnswered);
  return JSON.stringify(body).includes('"true"');
}

/**
 * Returns the holder named in the indexes; if only some name one, for example after one was recreated, their holder.
 */
export async function readHolder(client: Client, names: IndexIds): Promise<Holder | undefined> {
  const { body } = await client.indices.getMapping({ index: Object.values(names) }, soonAnswered);
  const found = body as unknown as Record<string, Pick<FoundIndex, 'mappings'>>;
  return Object.values(names).flatMap((name) => found[name]?.mappings._meta?.lecternHolder ?? [])[0];
}

export async function writeHolder(client: Client, names: IndexIds, holder: Holder): Promise<void> {
  const _meta = { ...mappings._meta, lecternHolder: holder };
  // The declared type of mappings omits our field.
  const body = { _meta } as unknown as API.Indices_PutMapping_RequestBody;
  await client.indices.putMapping({ index: Object.values(names), body });
}

type Template = NonNullable<API.Indices_PutIndexTemplate_RequestBody['template']>;
type IndexSettings = NonNullable<Template['settings']>;

interface FoundIndex {
  mappings: { _meta?: { lecternLayout?: number; lecternHolder?: Holder } };
  settings: { index: { uuid: string; number_of_replicas: string } };
}

function settingsOf({ shards, replicas }: SearchClusterConfig) {
  return {
    index: {
      number_of_shards: shards,
      number_of_replicas: replicas,
      // Segment ids in one search.
      max_terms_count: 200_000,
      similarity: { default: { type: 'BM25', k1: 1.5, b: 0.5 } },
    },
  };
}

const mappings = {
  _meta: { lecternLayout: layout },
  dynamic: 'strict' as const,
  // Texts stay in the segments: the cluster's content can be rebuilt from them.
  _source: { enabled: false },
  properties: {
    segment: { type: 'keyword' as const, doc_values: false },
    url: { type: 'keyword' as const, doc_values: false },
    terms: { type: 'text' as const, analyzer: 'whitespace', index_options: 'freqs' as const },
  },
};
