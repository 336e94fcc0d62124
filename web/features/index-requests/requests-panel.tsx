import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { MessageCircleQuestionMark } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { type IndexRequest, indexRequestEndpoints } from '#contract/index-requests.ts';
import { Fault } from '../../kit/fault.tsx';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { callApi } from '../../lib/api-client.ts';
import { indexRequestsOptions } from '../../lib/index-request-queries.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { withJob } from '../../lib/live/apply-live-event.ts';
import { useMayWrite, useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ActionLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Sources requested by agents: pending requests first, then the results of the others. */
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
        action={<ActionLink to="/keys#new">Create a key that can request sources</ActionLink>}
      >
        Agents can request missing documentation if their key allows it.{' '}
        {mayAnswer ? 'You decide here whether to index it.' : 'Writers and admins decide whether to index it.'}
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="waiting" className="flex flex-col gap-3">
        <div>
          <PartHeading id="waiting">Pending</PartHeading>
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
          <PartHeading id="answered">Answered</PartHeading>
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

const states: Record<IndexRequest['state'], { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'warn' },
  approved: { label: 'Approved', tone: 'good' },
  declined: { label: 'Declined', tone: 'quiet' },
  expired: { label: 'Expired', tone: 'quiet' },
};
const kinds = { site: 'Site', git: 'Repository', pdf: 'PDF file', folder: 'Folder' } as const;

/** A request: the address, who sent it, and buttons to approve or decline it. */
function RequestCard({ request, mayAnswer }: { request: IndexRequest; mayAnswer: boolean }) {
  const answer = useAnswerRequest();
  const toast = useToast();
  const { id, address, kind, state, library, version } = request;
  const give = (isApproved: boolean) =>
    answer.mutate(
      { requestId: id, isApproved },
      {
        onSuccess: () => toast({ message: isApproved ? `Indexing ${address}` : `Declined ${address}` }),
      },
    );
  const named = [library, version].filter((part) => part !== null).join(' ');
  return (
    <li className="flex flex-wrap items-center gap-x-6 gap-y-3 rounded-lg border border-line bg-surface p-4 shadow-sm">
      <div className="flex min-w-0 flex-1 basis-80 flex-col gap-1.5">
        <div className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium font-mono text-ink text-sm">{address}</span>
          <Badge>{kinds[kind]}</Badge>
          {state !== 'pending' && <Badge tone={states[state].tone}>{states[state].label}</Badge>}
        </div>
        <p className="text-faint text-sm">
          {named !== '' && `As ${named}. `}
          <Told request={request} />
        </p>
        <Fault error={answer.error} />
      </div>
      {mayAnswer && (
        <div className="flex gap-2">
          <Button aria-label={`Decline ${address}`} isBusy={answer.isPending} onClick={() => give(false)}>
            Decline
          </Button>
          <Button look="action" aria-label={`Approve ${address}`} isBusy={answer.isPending} onClick={() => give(true)}>
            Approve
          </Button>
        </div>
      )}
      {state === 'approved' && (
        <Link
          to={`/resources/${encodeURIComponent(request.moduleId)}`}
          className="text-lamp text-sm underline underline-offset-2"
        >
          Show the source
        </Link>
      )}
    </li>
  );
}

function Told({ request }: { request: IndexRequest }): ReactNode {
  const { askedBy, askedFor, askedAt, state, answeredAt, answeredBy, expiresAt } = request;
  return (
    <>
      Requested by {askedBy} of {askedFor} <RelativeTime at={askedAt} />
      {state === 'pending' && (
        <>
          , expires <RelativeTime at={expiresAt} />
        </>
      )}
      {answeredAt !== null && (
        <>
          , {state} {answeredBy !== null && <>by {answeredBy} </>}
          <RelativeTime at={answeredAt} />
        </>
      )}
      .
    </>
  );
}

/** Approves or declines a request; if someone else answered it meanwhile, reloads it. */
function useAnswerRequest() {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { queryKey } = indexRequestsOptions(workspace);
  return useMutation({
    mutationFn: async ({ requestId, isApproved }: { requestId: string; isApproved: boolean }) => {
      if (!isApproved) {
        const input = { requestId };
        return {
          ...(await callApi(indexRequestEndpoints.declineIndexRequest, input, undefined, workspace)),
          job: null,
        };
      }
      return callApi(indexRequestEndpoints.approveIndexRequest, { requestId }, undefined, workspace);
    },
    onSuccess: ({ request, job }) => {
      client.setQueryData(queryKey, (known: IndexRequest[] | undefined) =>
        known?.map((other) => (other.id === request.id ? request : other)),
      );
      if (job !== null) {
        client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => jobs && withJob(jobs, job));
      }
    },
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}
