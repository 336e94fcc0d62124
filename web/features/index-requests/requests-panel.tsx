import { useQuery } from '@tanstack/react-query';
import { MessageCircleQuestionMark } from 'lucide-react';
import { Link } from 'react-router';
import type { IndexRequest } from '#contract/index-requests.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { indexRequestsOptions } from '../../lib/index-request-queries.ts';
import { useMayWrite, useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { RequestCard } from './request-card.tsx';

/** Sources that agents asked for: those that wait for an answer, then what became of the others. */
export function RequestsPanel() {
  const requests = useQuery(indexRequestsOptions(useWorkspaceId()));
  if (requests.data) return <Requests requests={requests.data} />;
  if (requests.isError) {
    return <RetryNotice query={requests} title="Couldn't load the requests" />;
  }
  return (
    <Loading label="Loading requests…" className="rounded-lg border border-line bg-surface p-4">
      <Skeleton className="mb-3 h-4 w-64" />
      <Skeleton className="h-4 w-52" />
    </Loading>
  );
}

function Requests({ requests }: { requests: IndexRequest[] }) {
  const selected = useSelectedTeam();
  const mayAnswer = useMayWrite();
  const waiting = requests.filter(({ state }) => state === 'pending');
  const answered = requests.filter(({ state }) => state !== 'pending');
  if (requests.length === 0) {
    return (
      <EmptyState
        icon={<MessageCircleQuestionMark aria-hidden className="size-5" />}
        title="No requests yet"
        action={
          <Link to="/keys#new" className={buttonClasses('action')}>
            Create a key that can request sources
          </Link>
        }
      >
        An agent whose key can request sources can request missing documentation.{' '}
        {mayAnswer ? 'You decide here whether to index it.' : 'Writers and admins decide whether to index it.'}
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="waiting" className="flex flex-col gap-3">
        <div>
          <h2 id="waiting" className="heading-part">
            Pending
          </h2>
          <p className="text-pretty text-faint text-sm">
            {mayAnswer
              ? "Approved sources are indexed as private documentation. An agent can't request a declined source again for 24 hours."
              : `Writers and admins of ${selected?.team.name ?? 'the team'} answer these.`}
          </p>
        </div>
        {waiting.length === 0 ? (
          <p className="rounded-lg border border-line border-dashed px-4 py-5 text-soft text-sm">
            No pending requests.
          </p>
        ) : (
          <ul className="flex flex-col gap-3">
            {waiting.map((request) => (
              <RequestCard key={request.id} request={request} mayAnswer={mayAnswer} />
            ))}
          </ul>
        )}
      </section>
      {answered.length > 0 && (
        <section aria-labelledby="answered" className="flex flex-col gap-3">
          <h2 id="answered" className="heading-part">
            Answered
          </h2>
          <ul className="flex flex-col gap-3">
            {answered.map((request) => (
              <RequestCard key={request.id} request={request} mayAnswer={false} />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}
