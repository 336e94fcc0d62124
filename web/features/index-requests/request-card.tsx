import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { IndexRequest } from '#contract/index-requests.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useAnswerRequest } from './queries.ts';

const states: Record<IndexRequest['state'], { label: string; tone: Tone }> = {
  pending: { label: 'Waiting', tone: 'warn' },
  approved: { label: 'Approved', tone: 'good' },
  declined: { label: 'Declined', tone: 'quiet' },
  expired: { label: 'Expired', tone: 'quiet' },
};
const kinds = { site: 'Site', git: 'Repository', pdf: 'PDF file', folder: 'Folder' } as const;

/** One request: what is asked for, by whom, and the two answers. */
export function RequestCard({ request, mayAnswer }: { request: IndexRequest; mayAnswer: boolean }) {
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
        {answer.isError && (
          <p role="alert" className="text-danger text-sm">
            {sentenceForPeople(answer.error)}
          </p>
        )}
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
      Asked by {askedBy} of {askedFor} <RelativeTime at={askedAt} />
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
