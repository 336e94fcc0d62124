import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { LibraryModule } from '#contract/library.ts';
import { type RepositoryDelivery, type RepositoryTelling, repositoryEndpoints } from '#contract/repositories.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { callApi } from '../../lib/api-client.ts';
import { ApiError } from '../../lib/api-error.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import type { ListedSource } from './listed-sources.ts';
import { MadeWebhook } from './webhook-set.tsx';
import { deliveryWords, shortRef } from './webhook-words.ts';

/**
 * Shows how pushes to a repository are noticed, and the results of the latest deliveries. For users who may change the
 * source.
 */
export function WebhookSection({ source }: { source: ListedSource }) {
  const telling = useQuery(tellingOptions(useWorkspaceId(), source));
  // Only the operator may change public sources, so other users see nothing here.
  if (telling.error instanceof ApiError && telling.error.code === 'permission-denied') return null;
  if (telling.data !== undefined) return <Telling telling={telling.data} source={source} />;
  return (
    <Frame>
      {telling.isError ? (
        <RetryNotice query={telling} title="Couldn't load the webhook" />
      ) : (
        <Loading label="Loading the webhook…" className="flex flex-col gap-3">
          <Skeleton className="h-4 w-4/5" />
          <Skeleton className="h-8 w-40" />
        </Loading>
      )}
    </Frame>
  );
}

function Telling({ telling, source }: { telling: RepositoryTelling; source: ListedSource }) {
  const { webhook, host, deliveries } = telling;
  const [secret, setSecret] = useState<string>();
  const make = useAction(repositoryEndpoints.renewRepositoryWebhook, {
    invalidates: ['repositoryTelling'],
    onDone: (made) => setSecret(made.secret),
  });
  const { moduleId, visibility } = source;
  return (
    <Frame badge={badgeOf(telling)}>
      {webhook !== null ? (
        <MadeWebhook
          key={webhook.createdAt}
          {...{ webhook, source, secret }}
          onSecret={setSecret}
          onSecretDone={() => setSecret(undefined)}
          onRemoved={() => setSecret(undefined)}
        />
      ) : host?.isTold === true ? (
        <p className="text-soft">
          GitHub reports this repository's pushes automatically, through the account that added it. You don't need to
          set up anything.
        </p>
      ) : (
        <NoWebhook onMake={() => make.mutate({ moduleId, visibility })} isBusy={make.isPending} error={make.error} />
      )}
      {(webhook !== null || deliveries.length > 0) && <DeliveryList deliveries={deliveries} />}
    </Frame>
  );
}

function NoWebhook({ onMake, isBusy, error }: { onMake: () => void; isBusy: boolean; error: Error | null }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <p className="max-w-prose flex-1 basis-80 text-soft">
        The repository is checked every five minutes. With a webhook, its host reports each push immediately, and
        changes are searchable within seconds.
      </p>
      <Button isBusy={isBusy} onClick={onMake}>
        Set up a webhook
      </Button>
      <Fault error={error} className="basis-full" />
    </div>
  );
}

function badgeOf({ webhook, host, deliveries }: RepositoryTelling): { label: string; tone: Tone } | undefined {
  if (webhook === null) return host?.isTold === true ? { label: 'Webhook active', tone: 'good' } : undefined;
  if (webhook.receivedAt !== null && deliveries[0]?.outcome !== 'refused')
    return { label: 'Webhook active', tone: 'good' };
  if (deliveries[0]?.outcome === 'refused') return { label: 'Last delivery rejected', tone: 'bad' };
  return { label: 'Waiting for the first delivery', tone: 'busy' };
}

function Frame({ badge, children }: { badge?: { label: string; tone: Tone } | undefined; children: ReactNode }) {
  return (
    <section aria-labelledby="pushes" className="rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-line border-b px-4 py-2.5 sm:px-5">
        <PartHeading id="pushes">Pushes</PartHeading>
        {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      </div>
      <div className="flex flex-col gap-5 px-4 py-4 sm:px-5">{children}</div>
    </section>
  );
}

type NamedModule = Pick<LibraryModule, 'moduleId' | 'visibility'>;

/** Short, because users who set up a webhook wait on this screen for its first delivery. */
const withWebhookEveryMs = 3_000;
const everyMs = 20_000;

/** A repository's webhook and its latest deliveries. */
function tellingOptions(workspace: string, { moduleId, visibility }: NamedModule) {
  return queryOptions({
    queryKey: ['repositoryTelling', workspace, visibility, moduleId],
    queryFn: ({ signal }) =>
      callApi(repositoryEndpoints.getRepositoryWebhook, { moduleId, visibility }, signal, workspace),
    refetchInterval: ({ state: { data } }) => (data?.webhook ? withWebhookEveryMs : everyMs),
  });
}

const shownFirst = 8;

/** The host's latest deliveries and their results. */
function DeliveryList({ deliveries }: { deliveries: RepositoryDelivery[] }) {
  const [isWhole, setIsWhole] = useEntryState('Last deliveries', false);
  const shown = isWhole ? deliveries : deliveries.slice(0, shownFirst);
  return (
    <div>
      <h3 className="mb-1.5 font-medium text-ink text-sm">Last deliveries</h3>
      {deliveries.length === 0 ? (
        <p className="rounded-md border border-line border-dashed px-3 py-4 text-faint text-sm">
          No deliveries yet. A test from the host or a push appears here within seconds.
        </p>
      ) : (
        <Table caption="Last deliveries" columns={columns} rows={shown} rowKey={({ id }) => id} />
      )}
      {shown.length < deliveries.length && (
        <Button look="quiet" size="sm" className="mt-1.5 -ml-2.5" onClick={() => setIsWhole(true)}>
          Show {countOf(deliveries.length - shown.length, 'older delivery', 'older deliveries')}
        </Button>
      )}
    </div>
  );
}

const columns: Column<RepositoryDelivery>[] = [
  {
    id: 'at',
    label: 'When',
    cell: ({ at, times }) => (
      <span className="whitespace-nowrap text-soft">
        <RelativeTime at={at} />
        {times > 1 && <span className="block text-faint text-xs">{times} times</span>}
      </span>
    ),
  },
  {
    id: 'event',
    label: 'Event',
    isWide: true,
    cell: ({ event, ref }) => <Told event={event} refName={ref} />,
  },
  {
    id: 'outcome',
    label: 'Result',
    cell: (delivery) => {
      const { label, tone, detail } = deliveryWords(delivery);
      return (
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Badge tone={tone}>{label}</Badge>
          <span className="min-w-0 flex-1 basis-40 text-soft text-sm">{detail}</span>
          <span className="basis-full md:hidden">
            <Told event={delivery.event} refName={delivery.ref} />
          </span>
        </span>
      );
    },
  },
];

function Told({ event, refName }: { event: string | null; refName: string | null }) {
  if (event === null) return <span className="text-faint max-md:hidden">–</span>;
  return (
    <span className="wrap-anywhere text-ink text-sm">
      {event}
      {refName !== null && <code className="block font-mono text-faint text-xs">{shortRef(refName)}</code>}
    </span>
  );
}
