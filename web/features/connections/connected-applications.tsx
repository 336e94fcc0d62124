import { useQuery } from '@tanstack/react-query';
import { Plug } from 'lucide-react';
import { type Connection, connectionEndpoints } from '#contract/connections.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { Button } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { SettingsRow, SettingsSection } from '../../ui/settings.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { connectionsOptions } from './queries.ts';

/** Applications that act for this user without an API key. */
export function ConnectedApplications() {
  const ending = useConfirm(
    {
      title: ({ clientName }: Connection) => `Revoke access for “${clientName}”?`,
      body: () => 'Its next call fails. To use it again, connect it in the browser.',
      actionLabel: 'Revoke access',
    },
    useAction(connectionEndpoints.revokeConnection, { invalidates: ['connections'] }),
    ({ id }) => ({ connectionId: id }),
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
          No application is connected. Give an application the MCP endpoint without a key, and it asks for access in
          your browser.
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
      <SettingsRow>
        <RetryNotice query={connections} title="Couldn't load connected applications" isSmall />
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
        <p className="font-medium text-ink text-sm">{clientName}</p>
        <p className="mt-0.5 text-faint text-xs">
          {vouchedBy ?? 'not verified'} · {workspaceName} · {mayAskToIndex && 'can request sources · '}
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
      <Button size="sm" aria-label={`Revoke access for ${clientName}`} onClick={onEnd}>
        Revoke
      </Button>
    </SettingsRow>
  );
}
