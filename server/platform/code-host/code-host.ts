import type { HostingMethod } from '#contract/hosting.ts';

/** What one attempt at connecting is bound to. */
export interface ConnectSecrets {
  state: string;
  codeVerifier: string;
}

/** What a host gives a person's connection. Instants are epoch milliseconds; null: it does not expire. */
export interface HostToken {
  accessToken: string;
  expiresAt: number | null;
  refreshToken: string | null;
  refreshExpiresAt: number | null;
}

export interface HostAccount {
  /** Never changes, and is never given to another account. */
  accountId: string;
  login: string;
  url: string;
  /** What the token may do, as the host tells it. */
  scopes: string[];
}

export interface HostRepository {
  /** Never changes: names do, and may be taken by another repository afterwards. */
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

export interface HostInstallation {
  installationId: string;
  accountLogin: string;
  accountKind: 'person' | 'organization';
  readsAllRepositories: boolean;
  isSuspended: boolean;
  settingsUrl: string;
}

/** At most so many of something; `isCut`: there are more. */
export interface HostList<T> {
  found: T[];
  isCut: boolean;
}

/** What an event is about; nothing in it is believed beyond "look again". */
export interface HostEvent {
  kind: 'ping' | 'push' | 'repository' | 'installation' | 'revoked' | 'other';
  /** Ids at the host of what to look at again. */
  repositoryIds: string[];
  installationId: string | undefined;
  accountId: string | undefined;
}

/**
 * A place that keeps repositories. `token` is a person's; each call throws CodeHostError, and an answer that cannot be
 * understood is one too.
 */
export interface CodeHost {
  readonly name: string;
  /** Address that pages and repositories are below, without a slash at the end. */
  readonly url: string;
  /** Ways to connect that are configured; the first is offered first. */
  readonly methods: HostingMethod[];
  /** Where the browser is sent. */
  authorizeUrl(method: HostingMethod, redirectUri: string, secrets: ConnectSecrets): Promise<string>;
  /** Turns the query the browser came back with into a token. */
  exchange(
    method: HostingMethod,
    query: URLSearchParams,
    redirectUri: string,
    secrets: ConnectSecrets,
  ): Promise<HostToken>;
  refresh(method: HostingMethod, refreshToken: string): Promise<HostToken>;
  /** Ends a token at the host; one that is over already is no error. */
  revoke(method: HostingMethod, accessToken: string): Promise<void>;
  whoAmI(token: string): Promise<HostAccount>;
  /** What the person may read, the last pushed first. */
  listRepositories(method: HostingMethod, token: string, max: number): Promise<HostList<HostRepository>>;
  /** A repository that the person may read; `not-found` when there is none. */
  findRepository(token: string, named: { fullName: string } | { repositoryId: string }): Promise<HostRepository>;
  /** Names of branches or tags that have `query` in them. */
  listRefs(
    token: string,
    fullName: string,
    wanted: { kind: 'branch' | 'tag'; query: string; max: number },
  ): Promise<HostList<string>>;
  hasRef(token: string, fullName: string, ref: { kind: 'branch' | 'tag'; name: string }): Promise<boolean>;
  /** Paths of all files; `isCut` when the host does not list them all. */
  listFiles(token: string, fullName: string, ref: { kind: 'branch' | 'tag'; name: string }): Promise<HostList<string>>;
  /** Asks for signed events about pushes; answers the webhook's id, or undefined when the person may not ask for them. */
  createWebhook(token: string, fullName: string, hook: { url: string; secret: string }): Promise<string | undefined>;
  /** One that is gone already is no error. */
  deleteWebhook(token: string, fullName: string, webhookId: string): Promise<void>;
  /** Accounts that the App is installed on, as far as the person may see them. */
  listInstallations(token: string): Promise<HostInstallation[]>;
  /** Page at the host where the App is installed on another account; undefined without an App. */
  readonly installUrl: string | undefined;
  /** The installation that may read a repository; undefined when there is none, or it is suspended. */
  findInstallation(fullName: string): Promise<{ installationId: string; accountLogin: string } | undefined>;
  /** A token that reads this one repository and nothing else, for at most an hour. */
  installationToken(installationId: string, repositoryId: string): Promise<string>;
  /** What git names with a token of this host. */
  gitCredential(token: string): { username: string; password: string };
  /** What a signed body is about; `forged` unless one of the secrets made the signature over exactly these bytes. */
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
 * `cancelled`: the person said no; `unauthorized`: the token is over or revoked; `forbidden`: it may not do this;
 * `not-found`: it does not exist, or the person may not see it; `rate-limited`: too many requests until `retryAt`;
 * `unreachable`: no answer; `refused`: an answer that means nothing to us. The message is for the log.
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
