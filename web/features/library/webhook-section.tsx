import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { LibraryModule } from '#contract/library.ts';
import { type RepositoryTelling, repositoryEndpoints } from '#contract/repositories.ts';
import { Fault } from '../../kit/fault.tsx';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { callApi } from '../../lib/api-client.ts';
import { ApiError, sentenceForPeople } from '../../lib/api-error.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { DeliveryList } from './delivery-list.tsx';
import type { ListedSource } from './listed-sources.ts';
import { MadeWebhook } from './webhook-set.tsx';

/** How pushes of a repository are heard of, and what the last of them came to. For the person who may change the source. */
export function WebhookSection({ source }: { source: ListedSource }) {
  const telling = useQuery(tellingOptions(useWorkspaceId(), source));
  // What is public is changed by the operator: there is nothing here for others.
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
  const renew = useRenewWebhook(source);
  const [secret, setSecret] = useState<string>();
  const make = () => renew.mutate(undefined, { onSuccess: (made) => setSecret(made.secret) });
  return (
    <Frame badge={badgeOf(telling)}>
      {webhook !== null ? (
        <MadeWebhook
          key={webhook.createdAt}
          {...{ webhook, source, secret, renew: make, isRenewing: renew.isPending }}
          renewError={renew.error ? sentenceForPeople(renew.error) : undefined}
          onSecretDone={() => setSecret(undefined)}
          onRemoved={() => setSecret(undefined)}
        />
      ) : host?.isTold === true ? (
        <p className="text-soft">
          GitHub reports this repository's pushes automatically, through the account that added it. You don't need to
          set up anything.
        </p>
      ) : (
        <NoWebhook onMake={make} isBusy={renew.isPending} error={renew.error} />
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
        <h2 id="pushes" className="heading-part">
          Pushes
        </h2>
        {badge && <Badge tone={badge.tone}>{badge.label}</Badge>}
      </div>
      <div className="flex flex-col gap-5 px-4 py-4 sm:px-5">{children}</div>
    </section>
  );
}

type NamedModule = Pick<LibraryModule, 'moduleId' | 'visibility'>;

/** Someone who sets a webhook up waits in front of the screen for what they have the host send. */
const withWebhookEveryMs = 3_000;
const everyMs = 20_000;

/** A repository's webhook and its last deliveries. */
function tellingOptions(workspace: string, { moduleId, visibility }: NamedModule) {
  return queryOptions({
    queryKey: ['repositoryTelling', workspace, visibility, moduleId],
    queryFn: ({ signal }) =>
      callApi(repositoryEndpoints.getRepositoryWebhook, { moduleId, visibility }, signal, workspace),
    refetchInterval: ({ state: { data } }) => (data?.webhook ? withWebhookEveryMs : everyMs),
  });
}

/** Makes a webhook, or a new secret for it. */
function useRenewWebhook(module: NamedModule) {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const { moduleId, visibility } = module;
  return useMutation({
    mutationFn: () =>
      callApi(repositoryEndpoints.renewRepositoryWebhook, { moduleId, visibility }, undefined, workspace),
    onSuccess: () => client.invalidateQueries({ queryKey: tellingOptions(workspace, module).queryKey }),
  });
}
