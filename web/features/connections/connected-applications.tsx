import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { type Connection, connectionEndpoints } from '#contract/connections.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { connectionsOptions } from './queries.ts';

/** The applications that act for this person without an API key. */
export function ConnectedApplications() {
  const revoke = useAction(connectionEndpoints.revokeConnection, {
    invalidates: ['connections'],
    onDone: () => ending.close(),
  });
  const ending = useConfirm<Connection>(
    {
      title: ({ clientName }) => `Revoke the access of “${clientName}”`,
      body: () => 'Its next call fails. To use it again, connect it in the browser.',
      actionLabel: 'Revoke access',
    },
    revoke,
    ({ id }) => revoke.run({ connectionId: id }),
  );
  return (
    <SettingsSection
      id="applications"
      title="Connected applications"
      about="Agents and editors that you connected in the browser. They can search and read for you until you revoke their access."
    >
      <Connections onEnd={ending.ask} />
      {ending.dialog}
    </SettingsSection>
  );
}

function Connections({ onEnd }: { onEnd: (connection: Connection) => void }) {
  const connections = useQuery(connectionsOptions);
  if (connections.data?.length === 0) {
    return (
      <SettingsRow>
        <p className="text-soft">
          No application is connected. Give one the MCP endpoint's address without a key, and it asks for access here.
        </p>
      </SettingsRow>
    );
  }
  if (connections.data) {
    return connections.data.map((connection) => (
      <ConnectionRow key={connection.id} connection={connection} onEnd={() => onEnd(connection)} />
    ));
  }
  if (connections.isError) {
    return (
      <SettingsRow className="flex flex-wrap items-center justify-between gap-3">
        <p role="alert" className="text-danger">
          {sentenceForPeople(connections.error)}
        </p>
        <Button size="sm" isBusy={connections.isFetching} onClick={() => void connections.refetch()}>
          Try again
        </Button>
      </SettingsRow>
    );
  }
  return (
    <SettingsRow>
      <Loading label="Loading connected applications…" className="flex items-center gap-4">
        <Skeleton className="size-5" />
        <Skeleton className="h-4 w-44" />
        <Skeleton className="ml-auto h-4 w-16" />
      </Loading>
    </SettingsRow>
  );
}

function ConnectionRow({ connection, onEnd }: { connection: Connection; onEnd: () => void }) {
  const { clientName, vouchedBy, workspaceName, mayAskToIndex, connectedAt, lastUsedAt } = connection;
  return (
    <SettingsRow className="flex items-center gap-4">
      <Plug aria-hidden className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="wrap-anywhere font-medium text-ink text-sm">{clientName}</p>
        <p className="wrap-anywhere mt-0.5 text-faint text-xs">
          {vouchedBy ?? 'a name it chose itself'} · {workspaceName} · {mayAskToIndex && 'may ask for sources · '}
          connected <RelativeTime at={connectedAt} />,{' '}
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              used <RelativeTime at={lastUsedAt} />
            </>
          )}
        </p>
      </div>
      <Button size="sm" aria-label={`Revoke the access of ${clientName}`} onClick={onEnd}>
        Revoke
      </Button>
    </SettingsRow>
  );
}
