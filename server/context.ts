import type { KeyRight } from '#contract/endpoint.ts';
import type { TeamRole } from '#contract/teams.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/platform/db/database.ts';
import type { Logger } from '#server/platform/log.ts';
import type { CheckHost } from '#server/platform/outbound/index.ts';

/** Who acts. The operator is anyone who can read the data folder, through the command line of this machine. */
export type Actor =
  | { kind: 'anonymous' }
  | { kind: 'operator'; userId: string }
  /** `sessionId`: the browser session it acts from. `hasToken`: a program acts with an identity token of that session. */
  | { kind: 'user'; userId: string; sessionId?: string; hasToken?: boolean }
  | {
      kind: 'key';
      userId: string;
      keyId: string;
      keyName?: string;
      clientKind: 'deep-research' | null;
      mayAskToIndex?: boolean;
      rights?: readonly KeyRight[];
      /** One of its rights covers this call, which it makes for its owner. */
      isActing?: true;
    }
  /** An application that the person let in through the browser. */
  | { kind: 'connection'; userId: string; connectionId: string; clientName: string; mayAskToIndex?: boolean };

/** What an agent shows to be let in: agents of one person with different ones are different agents. */
export function credentialOf(actor: Actor): { id: string; name: string | undefined } | undefined {
  if (actor.kind === 'key') return { id: actor.keyId, name: actor.keyName };
  return actor.kind === 'connection' ? { id: actor.connectionId, name: actor.clientName } : undefined;
}

/** Returns true for a program that acts with a key, a connection or a token, and not a person at a browser. */
export function isProgram(actor: Actor): boolean {
  return actor.kind === 'key' || actor.kind === 'connection' || (actor.kind === 'user' && actor.hasToken === true);
}

/** Where the actor acts: in their own workspace, or in a team. Public modules are visible from all of them. */
export type Workspace = `user:${string}` | `team:${string}`;

/** The team of a workspace; undefined for a person's own. */
export function teamOf(workspace: string): string | undefined {
  return workspace.startsWith('team:') ? workspace.slice('team:'.length) : undefined;
}

/** What the actor is in the team they act in. */
export interface TeamMembership {
  membershipId: string;
  teamId: string;
  role: TeamRole;
}

/** First argument of every verb. */
export interface Context {
  actor: Actor;
  workspace: Workspace | null;
  /** There exactly when `workspace` is a team's; `enterTeam` of features/teams puts both there. */
  membership?: TeamMembership;
  /** There where people can pay: their plans then limit what they take up. */
  hasPlanLimits?: true;
  /** What every index run asks of its addresses before it is queued; an installation always has it. */
  checkHost?: CheckHost;
  db: Database;
  clock: Clock;
  log: Logger;
  requestId: string;
  /** Network address that a request came from; undefined within the process. */
  address?: string | undefined;
  /** The project one works on, as the caller names it: its lockfiles count before those of other projects. */
  project?: string | undefined;
  /** Given by the caller: the same call under the same key is one call, however often it is sent. */
  idempotencyKey?: string;
}
