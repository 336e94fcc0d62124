import { createHmac, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { ServedRepository } from './git-server.ts';

/** A person with an account at the host. */
export interface HostPerson {
  id: number;
  login: string;
  email: string;
}

export interface HostedProject {
  id: number;
  /** `owner/name`; former names redirect here. */
  fullName: string;
  formerNames: string[];
  isPrivate: boolean;
  defaultBranch: string;
  description: string;
  pushedAt: string;
  /** Logins that can read it if it is private. */
  readers: Set<string>;
  /** Logins that can add webhooks. */
  admins: Set<string>;
  /** Names and commits of refs, and a tree's paths, as the API returns them. */
  refs(kind: 'branch' | 'tag'): Promise<{ name: string; sha: string }[]>;
  paths(sha: string): Promise<string[]>;
  isTreeCut: boolean;
  hooks: { id: number; url: string; secret: string }[];
  /** The git repository with its content, if any. */
  served: ServedRepository | undefined;
}

export interface HostInstallationState {
  id: number;
  account: { login: string; type: 'User' | 'Organization' };
  repositoryIds: Set<number>;
  isSuspended: boolean;
}

export interface Grant {
  person: HostPerson;
  client: 'oauth' | 'app' | 'installation';
  scopes: string[];
  expiresAt: number | undefined;
  installation?: { id: number; repositoryIds: number[] };
}

interface CodeGrant {
  person: HostPerson;
  client: 'oauth' | 'app';
  redirectUri: string;
  challenge: string;
  scopes: string[];
}

/** A signed event as it is posted. */
export interface SignedDelivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

export interface CodeHostState {
  url: string;
  now(): number;
  people: HostPerson[];
  projects: HostedProject[];
  installations: HostInstallationState[];
  codes: Map<string, CodeGrant>;
  tokens: Map<string, Grant>;
  refreshTokens: Map<string, Grant>;
  /** Every token ever issued, to search for leaks. */
  givenTokens: string[];
  /** `GET /path` of each request to the API, in order. */
  requests: string[];
  /** Requests that violate GitHub's rules. */
  complaints: string[];
  /** Lifetime of the App's user tokens. */
  accessSeconds: number;
  /** The error that the next API requests get instead. */
  trouble: 'primary-limit' | 'secondary-limit' | 'broken' | undefined;
  /** Origin that the next-page links of empty lists point to. */
  misleadsTo: string | undefined;
  /** Number of requests received, including waiting ones. */
  started: number;
  /** Requests wait for this promise. */
  hold: Promise<void> | undefined;
  deliveries: SignedDelivery[];
  appKey: KeyObject;
  appPublicKey: KeyObject;
}

export const oauthClient = { id: 'hosting-on-loopback', secret: 'not-a-secret%' };
export const appClient = { id: 'Iv1.loopback', secret: 'app-not-a-secret' };
export const app = { id: '4242', slug: 'lectern-on-loopback', webhookSecret: 'events-of-the-app' };

export function newState(now: () => number): CodeHostState {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    ...{ url: '', now, people: [], projects: [], installations: [] },
    ...{ codes: new Map(), tokens: new Map(), refreshTokens: new Map() },
    ...{ givenTokens: [], requests: [], complaints: [], deliveries: [] },
    ...{ accessSeconds: 8 * 3600, trouble: undefined, misleadsTo: undefined, started: 0, hold: undefined },
    ...{ appKey: privateKey, appPublicKey: publicKey },
  };
}

const prefixes = { oauth: 'gho_', app: 'ghu_', installation: 'ghs_', refresh: 'ghr_' };

/** Creates a token; those of OAuth applications do not expire. */
export function giveToken(state: CodeHostState, grant: Omit<Grant, 'expiresAt'>, seconds?: number): string {
  const token = `${prefixes[grant.client]}${randomBytes(18).toString('hex')}`;
  const expiresAt = seconds === undefined ? undefined : state.now() + seconds * 1000;
  state.tokens.set(token, { ...grant, expiresAt });
  state.givenTokens.push(token);
  return token;
}

export function giveRefreshToken(state: CodeHostState, grant: Grant): string {
  const token = `${prefixes.refresh}${randomBytes(18).toString('hex')}`;
  state.refreshTokens.set(token, grant);
  state.givenTokens.push(token);
  return token;
}

/** Returns a valid token's grant. */
export function grantOf(state: CodeHostState, token: string): Grant | undefined {
  const grant = state.tokens.get(token);
  return grant?.expiresAt === undefined || grant.expiresAt > state.now() ? grant : undefined;
}

/** Returns true if a grant allows reading a project. */
export function mayRead(state: CodeHostState, project: HostedProject, grant: Grant | undefined): boolean {
  if (!project.isPrivate) return true;
  if (grant === undefined) return false;
  if (grant.installation !== undefined) return grant.installation.repositoryIds.includes(project.id);
  if (!project.readers.has(grant.person.login)) return false;
  // An App's user token reads repositories with the App installed; an OAuth application needs its scope.
  return grant.client === 'app' ? installationOf(state, project) !== undefined : grant.scopes.includes('repo');
}

export function installationOf(state: CodeHostState, project: HostedProject): HostInstallationState | undefined {
  return state.installations.find((one) => one.repositoryIds.has(project.id) && !one.isSuspended);
}

export function signatureOf(body: string, secret: string): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
}
