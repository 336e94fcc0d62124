import { outboxEndpoints } from '#contract/outbox.ts';
import { useEndpoint } from '../../kit/endpoint-query.ts';
import { useSeenMails } from '../../lib/seen-mails.ts';
import { countOf } from '../../ui/quantities.ts';

const askedEveryMs = 30_000;

/** Beside the operator's way to the outbox: how many new mails wait there. */
export function WaitingMails() {
  const seen = useSeenMails();
  const mails = useEndpoint(outboxEndpoints.listOutbox, {}, { everyMs: askedEveryMs }).data?.mails ?? [];
  const waiting = mails.filter(({ sentAt }) => sentAt > seen).length;
  if (waiting === 0) return null;
  return (
    <span className="relative ml-auto inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full border border-warn-line bg-warn-ground px-1 text-2xs text-warn tabular-nums">
      <span aria-hidden>{waiting}</span>
      <span className="sr-only">, {countOf(waiting, 'email')} waiting</span>
    </span>
  );
}
