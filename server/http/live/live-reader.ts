import { createHash } from 'node:crypto';
import { type LiveEvent, type LiveQueryName, liveQueries } from '#contract/live.ts';
import type { Context } from '#server/context.ts';
import type { FeedEntry } from './change-feed.ts';

/** What decides whether a sender is still who they were, and belongs where they act. */
const identityCollections = new Set(['users', 'webSessions', 'apiKeys', 'memberships']);

/** One subscription: who listens to which queries. */
export interface LiveReader {
  /** Ends every id this reader is sent, so that nobody goes on from where somebody else was. */
  tag: string;
  /** What this reader is told of an entry; nothing when it is not theirs or not asked for. */
  eventsOf(entry: FeedEntry): LiveEvent[];
  /** Whether the entry may have ended the reader's session or revoked their key. */
  concernsIdentity(entry: FeedEntry): boolean;
}

/** A reader hears of the public index, of the workspace they act in and, when it is a person, of their own account. */
export function liveReader(
  { actor, workspace }: Pick<Context, 'actor' | 'workspace'>,
  names: LiveQueryName[],
): LiveReader {
  const isPerson = actor.kind === 'user' || actor.kind === 'operator';
  const account = actor.kind === 'anonymous' ? undefined : `user:${actor.userId}`;
  const audiences = new Set<string>(['public']);
  if (workspace !== null) audiences.add(workspace);
  if (isPerson && account !== undefined) audiences.add(account);
  const queries = names.filter((name) => isPerson || liveQueries[name].readers === 'everyone');
  return {
    tag: createHash('sha256').update(JSON.stringify(actor)).digest('hex').slice(0, 12),
    eventsOf({ change }) {
      if (change === 'gap') return [{ type: 'refresh' }];
      if (!audiences.has(change.audience)) return [];
      // A row of one's own workspace has no place in the lists of the team one acts in.
      const isElsewhere = change.audience === account && account !== workspace;
      return queries
        .filter((name) => (liveQueries[name].collections as readonly string[]).includes(change.collection))
        .map((query) => ({ type: 'changed', query, row: isElsewhere ? undefined : change.row }));
    },
    concernsIdentity({ change }) {
      if (account === undefined) return false;
      return change === 'gap' || (change.audience === account && identityCollections.has(change.collection));
    },
  };
}
