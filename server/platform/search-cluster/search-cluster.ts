import { CodedError } from '../coded-error.ts';
import type { Holder } from '../store-claim.ts';

/** A cluster of search nodes, for indexes that exceed the memory of one machine. */
export interface SearchClusterConfig {
  /** Addresses of one or more nodes, with user and password if required. */
  nodes: string[];
  /** Certificate (PEM) of the authority that signed theirs; undefined to trust the machine's authorities. */
  authority: string | undefined;
  /** Prefix of index names. */
  index: string;
  /** Shards of each index, set at its creation. */
  shards: number;
  /** Replicas of each shard. */
  replicas: number;
}

/**
 * Where a segment's snippets are stored: `tenant` is `public`, or the workspace that owned the module when they were
 * written.
 */
export interface ClusterPlace {
  segmentId: string;
  tenant: string;
}

export interface ClusterSnippet {
  /** Number of the snippet in the segment. */
  snippet: number;
  page: number;
  url: string;
  /** Only one snippet of a page carries the page's address. */
  isFirstOfPage: boolean;
  /** Terms from our analyzer, separated by spaces, each repeated as often as it counts. */
  terms: string;
}

export interface FoundSnippet {
  segmentId: string;
  page: number;
  snippet: number;
}

/** All methods throw SearchClusterError. A request that fails on one node is sent to another. */
export interface SearchCluster {
  /**
   * Checks that the cluster is usable, and creates what is missing. Returns the identities of the snippet indexes: if
   * one differs from before, its snippets must be written again.
   */
  prepare(signal?: AbortSignal): Promise<IndexIds>;
  /** Returns the holder named in the indexes; undefined until one is written. */
  readHolder(): Promise<Holder | undefined>;
  writeHolder(holder: Holder): Promise<void>;
  /** Writes a segment's snippets; they are searchable once it resolves. Writing them again changes nothing. */
  write(place: ClusterPlace, snippets: Iterable<ClusterSnippet>, control?: WriteControl): Promise<number>;
  /** Removes all snippets of a segment, if there are any. */
  drop(place: ClusterPlace): Promise<void>;
  /** Returns the best snippets of these segments, best first; other segments have no influence on the result. */
  find(terms: readonly { term: string; weight: number }[], places: readonly ClusterPlace[]): Promise<FoundSnippet[]>;
  /** Returns which of these segments have snippets of the page with this address. */
  segmentsWith(url: string, places: readonly ClusterPlace[]): Promise<string[]>;
  /** Returns the number of a segment's searchable snippets. */
  count(place: ClusterPlace): Promise<number>;
  /** Returns the state of nodes and copies; writes nothing. */
  health(): Promise<ClusterHealth>;
  close(): Promise<void>;
}

export interface ClusterHealth {
  /** Number of nodes that respond. */
  nodes: number;
  /**
   * `uncopied`: everything is searchable, but some data is on one node only; `in-part`: some data is on no responding
   * node.
   */
  state: 'whole' | 'uncopied' | 'in-part';
  /** True if an index refuses writes, for example because disks are nearly full. */
  isReadOnly: boolean;
}

export interface IndexIds {
  public: string;
  private: string;
}

export interface WriteControl {
  signal?: AbortSignal | undefined;
  /** Called after each part is written; an exception stops the writing. */
  onProgress?: ((written: number) => Promise<void>) | undefined;
}

export type SearchClusterErrorCode =
  | 'package-missing'
  | 'unreachable'
  | 'refused'
  | 'other-version'
  | 'other-layout'
  | 'other-installation'
  | 'overloaded'
  | 'full'
  | 'failed';

/** A failure of the search cluster; the message says what to do. */
export class SearchClusterError extends CodedError<SearchClusterErrorCode> {
  override readonly name = 'SearchClusterError';
}
