import type { KeyRight } from '#contract/endpoint.ts';
import type { TeamRole } from '#contract/teams.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { Logger } from '#server/platform/log.ts';
import type { CheckHost } from '#server/platform/outbound/index.ts';

/** The caller. The operator is anyone who can read the data folder, through the command line of this machine. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'operator'; userId: string }
  /** `sessionId`: the user's browser session. `hasToken`: a program acts with an identity token of that session. */
  | { kind: 'user'; userId: string; sessionId?: string; hasToken?: boolean }
  | {
      kind: 'key';
      userId: string;
      keyId: string;
      keyName?: string;
      clientKind: 'deep-research' | null;
      mayAskToIndex?: boolean;
      rights?: readonly KeyRight[];
      /** True if one of the key's rights covers this call, which the key makes on its owner's behalf. */
      isActing?: true;
    }
  /** An application that the user authorized in the browser. */
  | { kind: 'connection'; userId: string; connectionId: string; clientName: string; mayAskToIndex?: boolean };

/** Returns the agent's key or connection; a person's agents with different credentials count as different agents. */
export function credentialOf(actor: Actor): { id: string; name: string | undefined } | undefined {
  if (actor.kind === 'key') return { id: actor.keyId, name: actor.keyName };
  return actor.kind === 'connection' ? { id: actor.connectionId, name: actor.clientName } : undefined;
}

/** Returns true for a program that acts with a key, a connection or a token, as opposed to a person at a browser. */
export function isProgram(actor: Actor): boolean {
  return actor.kind === 'key' || actor.kind === 'connection' || (actor.kind === 'user' && actor.hasToken === true);
}

/** The workspace the actor acts in: their personal one or a team's. Public modules are visible from every workspace. */
export type Workspace = `user:${string}` | `team:${string}`;

/** Returns the team of a workspace; undefined for a personal workspace. */
export function teamOf(workspace: string): string | undefined {
  return workspace.startsWith('team:') ? workspace.slice('team:'.length) : undefined;
}

/** The actor's membership in the team they act in. */
export interface TeamMembership {
  membershipId: string;
  teamId: string;
  role: TeamRole;
}

/** The first argument of every verb. */
export interface Context {
  actor: Actor;
  workspace: Workspace | null;
  /** Set exactly when `workspace` is a team's; `enterTeam` of features/teams sets both. */
  membership?: TeamMembership;
  /** Set on installations with billing, where plans limit usage. */
  hasPlanLimits?: true;
  /** Checks the addresses of every index run before it is queued; always set in an installation. */
  checkHost?: CheckHost;
  db: Database;
  clock: Clock;
  log: Logger;
  requestId: string;
  /** Network address of the request; undefined for calls within the process. */
  address?: string | undefined;
  /**
   * The caller's current project, under the name the caller gives: its lockfiles take precedence over those of other
   * projects.
   */
  project?: string | undefined;
  /** Given by the caller: repeated calls with the same key are carried out once. */
  idempotencyKey?: string;
}
