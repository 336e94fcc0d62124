import { createHash } from 'node:crypto';
import { type LiveEvent, type LiveQueryName, liveQueries } from '#contract/live.ts';
import type { Context } from '#server/context.ts';
import type { Change } from '#server/platform/bus/announce-change.ts';
import type { FeedEntry } from './change-feed.ts';

/** Collections whose changes can affect a sender's identity or team membership. */
const identityCollections = new Set(['users', 'webSessions', 'apiKeys', 'memberships', 'teams']);
/** Workspace collections: a reader in a team receives the team's changes, not those of their personal workspace. */
const workspaceCollections = new Set(['modules', 'jobRuns']);

/** One subscription: a reader and the queries they follow. */
export interface LiveReader {
  /** Suffix of every id sent to this reader, so that no one resumes from another reader's position. */
  tag: string;
  /** Suffix of the position in the reader's pages; the same in all workspaces. */
  pageTag: string;
  /** Returns an entry's events for this reader; empty if the entry belongs to someone else or is not subscribed to. */
  eventsOf(entry: FeedEntry): LiveEvent[];
  /**
   * Returns true if the entry may have ended the reader's session, revoked their key or removed them from their team.
   */
  concernsIdentity(entry: FeedEntry): boolean;
}

/**
 * Creates a reader that receives changes of the public index, of the current workspace and, for a person, of their
 * account; in a team, not of their personal documentation.
 */
export function liveReader(
  { actor, workspace }: Pick<Context, 'actor' | 'workspace'>,
  names: LiveQueryName[],
): LiveReader {
  const isPerson = actor.kind === 'user' || actor.kind === 'operator';
  const account = actor.kind === 'anonymous' ? undefined : (`user:${actor.userId}` as const);
  const hears = ({ audience, collection }: Change): boolean => {
    if (audience === 'public' || audience === workspace) return true;
    return isPerson && audience === account && !workspaceCollections.has(collection);
  };
  const queries = names.filter((name) => isPerson || liveQueries[name].readers === 'everyone');
  return {
    // A reader who switches teams must not resume from this position.
    tag: tagOf([actor, workspace]),
    pageTag: tagOf(actor),
    eventsOf({ change }) {
      if (change === 'gap') return [{ type: 'refresh' }];
      if (!hears(change)) return [];
      return queries
        .filter((name) => (liveQueries[name].collections as readonly string[]).includes(change.collection))
        .map((query) => ({ type: 'changed', query, ...(query === change.collection ? { row: change.row } : {}) }));
    },
    concernsIdentity({ change }) {
      if (account === undefined) return false;
      if (change === 'gap') return true;
      return (
        (change.audience === account || change.audience === workspace) && identityCollections.has(change.collection)
      );
    },
  };
}

/** Returns the suffix of one reader's positions. */
export function tagOf(reader: unknown): string {
  return createHash('sha256').update(JSON.stringify(reader)).digest('hex').slice(0, 12);
}
