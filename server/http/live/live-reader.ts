import { createHash } from 'node:crypto';
import { type LiveEvent, type LiveQueryName, liveQueries } from '#contract/live.ts';
import type { Context } from '#server/context.ts';
import type { Change } from '#server/platform/bus/announce-change.ts';
import type { FeedEntry } from './change-feed.ts';

/** What decides whether a sender is still who they were, and in the team they act in. */
const identityCollections = new Set(['users', 'webSessions', 'apiKeys', 'memberships', 'teams']);
/** Collections of a workspace: a reader in a team receives the team's changes, not their own. */
const workspaceCollections = new Set(['modules', 'jobRuns']);

/** One subscription: who listens to which queries. */
export interface LiveReader {
  /** Ends every id this reader is sent, so that no one continues from where someone else was. */
  tag: string;
  /** Ends the position that the reader's pages begin with, in any workspace. */
  pageTag: string;
  /** Returns an entry as this reader gets it; nothing when it is another's or not subscribed to. */
  eventsOf(entry: FeedEntry): LiveEvent[];
  /** Whether the entry may have ended the reader's session, revoked their key or taken them out of their team. */
  concernsIdentity(entry: FeedEntry): boolean;
}

/**
 * A reader hears of the public index, of the workspace they act in and, when it is a person, of their own account, but in
 * a team not of their own documentation.
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

/** Returns what ends the positions of one reader. */
export function tagOf(reader: unknown): string {
  return createHash('sha256').update(JSON.stringify(reader)).digest('hex').slice(0, 12);
}
