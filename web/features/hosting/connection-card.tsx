import { useQuery } from '@tanstack/react-query';
import { ExternalLink, FolderGit2 } from 'lucide-react';
import {
  type HostedRepository,
  type HostingConnection,
  type HostingMethod,
  hostingEndpoints,
} from '#contract/hosting.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { installationsOptions, useConnect } from './queries.ts';

interface ConnectionCardProps {
  connection: HostingConnection;
  repositories: HostedRepository[];
  methods: HostingMethod[];
}

/** The connected account, the connection's method, and a button to disconnect. */
export function ConnectionCard({ connection, repositories, methods }: ConnectionCardProps) {
  const disconnecting = useDisconnecting(
    repositories.filter(({ addedBy, paused }) => addedBy?.isYou === true && paused === null).length,
  );
  const { login, url, method, state, readsPrivate, connectedAt } = connection;
  const isOver = state === 'reconnect';
  const ways = methods.includes(method) ? [method] : methods;
  return (
    <section
      aria-label="Connection to GitHub"
      className="flex flex-wrap items-center gap-x-4 gap-y-3 rounded-xl border border-line bg-surface px-4 py-3.5 shadow-sm"
    >
      <FolderGit2 aria-hidden className="size-5 shrink-0 text-faint" />
      <div className="min-w-0 flex-1 basis-56">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium text-ink">
            GitHub:{' '}
            <a href={url} target="_blank" rel="noreferrer" className="underline underline-offset-2">
              {login}
            </a>
          </span>
          <Badge tone={isOver ? 'warn' : 'good'}>{isOver ? 'Connect again' : 'Connected'}</Badge>
        </p>
        <p className="mt-0.5 text-faint text-xs">
          {isOver ? (
            'GitHub no longer accepts this connection. Its repositories are paused.'
          ) : (
            <>
              {method === 'app' ? 'Through the GitHub App' : 'Through OAuth'}
              {readsPrivate ? '' : ', public repositories only'} · since <RelativeTime at={connectedAt} />
            </>
          )}
        </p>
      </div>
      <div className="flex flex-wrap items-start gap-2">
        {isOver && <ConnectButtons methods={ways} label="Connect again" size="sm" />}
        {!isOver && method === 'app' && <InstallLink />}
        <Button size="sm" onClick={() => disconnecting.ask(connection)}>
          Disconnect
        </Button>
      </div>
      {disconnecting.dialog}
    </section>
  );
}

/** Link to GitHub, where the App's repositories are selected. */
function InstallLink() {
  const { data } = useQuery(installationsOptions);
  if (!data?.installUrl) return null;
  return (
    <a href={data.installUrl} target="_blank" rel="noreferrer" className={buttonClasses('plain', 'sm')}>
      {data.installations.length === 0 ? 'Install the App' : 'Choose repositories'}
      <ExternalLink aria-hidden className="size-3.5" />
      <span className="sr-only">(on GitHub, in a new tab)</span>
    </a>
  );
}

/**
 * Asks for confirmation before the account is disconnected. `count`: the workspace's repositories that are read through
 * this user's connection.
 */
function useDisconnecting(count: number) {
  const toast = useToast();
  return useConfirm(
    {
      title: ({ login }: HostingConnection) => `Disconnect ${login}?`,
      body: () => (
        <p>
          This also revokes access on GitHub. Repositories you added are paused, here and in every team
          {count > 0 ? ` (${count === 1 ? '1 repository' : `${count} repositories`} in this workspace)` : ''}: they stay
          searchable but are not updated until they are resumed.
        </p>
      ),
      actionLabel: 'Disconnect',
      onDone: (_, { isRevoked }) =>
        toast(
          isRevoked
            ? { message: 'GitHub disconnected' }
            : { message: 'Disconnected; access on GitHub ends once GitHub responds', durationMs: 6_000 },
        ),
    },
    useAction(hostingEndpoints.disconnectGithub, { invalidates: ['hosting'] }),
    () => ({}),
  );
}

const labels: Record<HostingMethod, string> = {
  app: 'Connect with the GitHub App',
  oauth: 'Connect with OAuth',
};

interface ConnectButtonsProps {
  methods: HostingMethod[];
  /** Label of the button if there is only one way. */
  label?: string;
  size?: 'md' | 'sm';
}

/** A button for each way to connect; the first is the preferred one. */
export function ConnectButtons({ methods, label = 'Connect GitHub', size = 'md' }: ConnectButtonsProps) {
  const connect = useConnect();
  return (
    <div className="flex flex-col items-center gap-2">
      <div className="flex flex-wrap justify-center gap-2">
        {methods.map((method, at) => (
          <Button
            key={method}
            size={size}
            look={at === 0 ? 'action' : 'plain'}
            isBusy={connect.isPending && connect.variables === method}
            onClick={() => connect.mutate(method)}
          >
            {methods.length === 1 ? label : labels[method]}
          </Button>
        ))}
      </div>
      <Fault error={connect.error} />
    </div>
  );
}
