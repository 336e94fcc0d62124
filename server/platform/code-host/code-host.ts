import type { HostingInstallation, HostingMethod } from '#contract/hosting.ts';

/** The secrets that tie one connection attempt to its browser. */
export interface ConnectSecrets {
  state: string;
  codeVerifier: string;
}

/** The tokens of a person's connection. Instants are epoch milliseconds; null for no expiry. */
export interface HostToken {
  accessToken: string;
  expiresAt: number | null;
  refreshToken: string | null;
  refreshExpiresAt: number | null;
}

export interface HostAccount {
  /** Never changes, and is never reassigned to another account. */
  accountId: string;
  login: string;
  url: string;
  /** The token's permissions as reported by the host. */
  scopes: string[];
}

export interface HostRepository {
  /** Never changes, unlike names, which another repository may later take. */
  repositoryId: string;
  /** `owner/name` */
  fullName: string;
  url: string;
  cloneUrl: string;
  description: string | null;
  isPrivate: boolean;
  isFork: boolean;
  isArchived: boolean;
  defaultBranch: string;
  sizeBytes: number;
  pushedAt: number | null;
}

/** A limited list; `isCut` is true if there are more items. */
export interface HostList<T> {
  found: T[];
  isCut: boolean;
}

/** The subject of an event; it is only a hint to look again, and nothing else in it is trusted. */
export interface HostEvent {
  kind: 'ping' | 'push' | 'repository' | 'installation' | 'revoked' | 'other';
  /** Ids at the host of the repositories to check again. */
  repositoryIds: string[];
  installationId: string | undefined;
  accountId: string | undefined;
}

/**
 * A host of repositories. `token` is a person's. All calls throw CodeHostError, also for a response that cannot be
 * understood.
 */
export interface CodeHost {
  readonly name: string;
  /** Base address of pages and repositories, without a trailing slash. */
  readonly url: string;
  /** The configured ways to connect; the first is offered first. */
  readonly methods: HostingMethod[];
  /** Returns the address to send the browser to. */
  authorizeUrl(method: HostingMethod, redirectUri: string, secrets: ConnectSecrets): Promise<string>;
  /** Exchanges the query from the browser's return for a token. */
  exchange(
    method: HostingMethod,
    query: URLSearchParams,
    redirectUri: string,
    secrets: ConnectSecrets,
  ): Promise<HostToken>;
  refresh(method: HostingMethod, refreshToken: string): Promise<HostToken>;
  /** Revokes a token at the host; succeeds if it has already ended. */
  revoke(method: HostingMethod, accessToken: string): Promise<void>;
  whoAmI(token: string): Promise<HostAccount>;
  /** Returns the repositories the person may read, most recently pushed first. */
  listRepositories(method: HostingMethod, token: string, max: number): Promise<HostList<HostRepository>>;
  /** Returns a repository the person may read; throws `not-found` if there is none. */
  findRepository(token: string, named: { fullName: string } | { repositoryId: string }): Promise<HostRepository>;
  /** Returns names of branches or tags that contain `query`. */
  listRefs(
    token: string,
    fullName: string,
    wanted: { kind: 'branch' | 'tag'; query: string; max: number },
  ): Promise<HostList<string>>;
  hasRef(token: string, fullName: string, ref: { kind: 'branch' | 'tag'; name: string }): Promise<boolean>;
  /** Returns the paths of all files; `isCut` if the host does not list them all. */
  listFiles(token: string, fullName: string, ref: { kind: 'branch' | 'tag'; name: string }): Promise<HostList<string>>;
  /** Subscribes to signed push events; returns the webhook's id, or undefined if the person may not subscribe. */
  createWebhook(token: string, fullName: string, hook: { url: string; secret: string }): Promise<string | undefined>;
  /** Deletes a webhook; succeeds if it no longer exists. */
  deleteWebhook(token: string, fullName: string, webhookId: string): Promise<void>;
  /** Returns the accounts with the App installed that the person may see. */
  listInstallations(token: string): Promise<HostingInstallation[]>;
  /** Page at the host for installing the App on another account; undefined without an App. */
  readonly installUrl: string | undefined;
  /** Returns the installation that may read a repository; undefined if there is none, or it is suspended. */
  findInstallation(fullName: string): Promise<{ installationId: string; accountLogin: string } | undefined>;
  /** Returns a token that can only read this one repository, for at most an hour. */
  installationToken(installationId: string, repositoryId: string): Promise<string>;
  /** Returns the credentials that git sends for a token of this host. */
  gitCredential(token: string): { username: string; password: string };
  /** Returns the subject of a signed event; throws `forged` unless one of the secrets signed exactly these bytes. */
  readEvent(delivery: {
    body: Uint8Array;
    event: string;
    signature: string;
    secretsOf(repositoryId: string | undefined): string[];
  }): Promise<HostEvent>;
}

export type CodeHostFault =
  | 'cancelled'
  | 'forged'
  | 'forbidden'
  | 'not-found'
  | 'rate-limited'
  | 'refused'
  | 'unauthorized'
  | 'unreachable';

/**
 * `cancelled`: the person declined; `unauthorized`: the token has expired or was revoked; `forbidden`: the token lacks
 * permission; `not-found`: it does not exist, or the person may not see it; `rate-limited`: too many requests until
 * `retryAt`; `unreachable`: no response; `refused`: an unusable response. The message is for the log.
 */
export class CodeHostError extends Error {
  override readonly name = 'CodeHostError';
  readonly fault: CodeHostFault;
  /** Epoch milliseconds. */
  readonly retryAt: number | undefined;

  constructor(fault: CodeHostFault, message: string, options: { cause?: unknown; retryAt?: number } = {}) {
    super(message, { cause: options.cause });
    this.fault = fault;
    this.retryAt = options.retryAt;
  }
}
