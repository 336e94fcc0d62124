import { CodedError } from '../coded-error.ts';
import type { Holder } from '../store-claim.ts';

/** A cluster of search nodes that keeps what outgrows the memory of one machine. */
export interface SearchClusterConfig {
  /** One or more of its nodes, with name and password where it asks for them. */
  nodes: string[];
  /** Certificate of the authority that vouches for them, as PEM; undefined: those the machine trusts. */
  authority: string | undefined;
  /** Names of indexes begin with it. */
  index: string;
  /** Parts of each index, when it is made. */
  shards: number;
  /** Copies of each part beside the first. */
  replicas: number;
}

/** Where the snippets of a segment lie: `tenant` is `public`, or the workspace that owned its module when it was written. */
export interface ClusterPlace {
  segmentId: string;
  tenant: string;
}

export interface ClusterSnippet {
  /** Their numbers in the segment. */
  snippet: number;
  page: number;
  url: string;
  /** Only one snippet of a page carries its address. */
  isFirstOfPage: boolean;
  /** Terms of our analyzer, separated by spaces, each as often as it counts. */
  terms: string;
}

export interface FoundSnippet {
  segmentId: string;
  page: number;
  snippet: number;
}

/** All methods throw SearchClusterError. What one node does not answer is asked of another. */
export interface SearchCluster {
  /**
   * Checks that the cluster is one that can be used, and makes what is missing there. Answers the identities of the indexes
   * in which snippets of modules lie: another one than before means that they must be written again.
   */
  prepare(signal?: AbortSignal): Promise<IndexIds>;
  /** What the indexes say of whose they are; undefined until it is written. */
  readHolder(): Promise<Holder | undefined>;
  writeHolder(holder: Holder): Promise<void>;
  /** Writes the snippets of a segment; once it resolves they are found. Writing them again changes nothing. */
  write(place: ClusterPlace, snippets: Iterable<ClusterSnippet>, control?: WriteControl): Promise<number>;
  /** Removes all snippets of a segment; nothing when there are none. */
  drop(place: ClusterPlace): Promise<void>;
  /** The best snippets of these segments, best first; nothing of any other segment counts or is answered. */
  find(terms: readonly { term: string; weight: number }[], places: readonly ClusterPlace[]): Promise<FoundSnippet[]>;
  /** Which of these segments have snippets of the page with this address. */
  segmentsWith(url: string, places: readonly ClusterPlace[]): Promise<string[]>;
  /** How many snippets of a segment can be found. */
  count(place: ClusterPlace): Promise<number>;
  /** How its nodes and copies stand; writes nothing. */
  health(): Promise<ClusterHealth>;
  close(): Promise<void>;
}

export interface ClusterHealth {
  /** That answer. */
  nodes: number;
  /** `uncopied`: everything is found, but some of it lies on one node only; `in-part`: some of it is on no node that answers. */
  state: 'whole' | 'uncopied' | 'in-part';
  /** An index takes nothing in, as when disks are nearly full. */
  isReadOnly: boolean;
}

export interface IndexIds {
  public: string;
  private: string;
}

export interface WriteControl {
  signal?: AbortSignal | undefined;
  /** After each part that was written; what it throws ends the writing. */
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

/** Every failure of the search cluster, as one sentence that says what to do. */
export class SearchClusterError extends CodedError<SearchClusterErrorCode> {
  override readonly name = 'SearchClusterError';
}
