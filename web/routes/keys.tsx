import { useQuery } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { type ApiKey, keyEndpoints } from '#contract/keys.ts';
import { CreateKeyForm } from '../features/keys/create-key-form.tsx';
import { FreshKeyPanel } from '../features/keys/fresh-key-panel.tsx';
import { KeyList } from '../features/keys/key-list.tsx';
import {
  keysOptions,
  useChosenKeyId,
  useCreateKey,
  useKnownSecrets,
  useSecret,
} from '../features/keys/known-secrets.ts';
import { SetupPanel } from '../features/keys/setup-panel.tsx';
import { useAction } from '../kit/endpoint-query.ts';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { useConfirm } from '../kit/use-confirm.tsx';
import { isEmailUnverified } from '../lib/api-error.ts';
import { titledPage } from '../lib/page-title.tsx';
import { type SelectedTeam, useSelectedTeam } from '../lib/team-queries.ts';
import { useWorkspaceId } from '../lib/workspace.ts';
import { Button } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import { Notice } from '../ui/notice.tsx';
import { PartHeading } from '../ui/part-heading.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';
import { TextLink } from '../ui/text-link.tsx';
import { useToast } from '../ui/toast.tsx';

function KeysScreen() {
  const location = useLocation();
  const navigate = useNavigate();
  const create = useCreateKey();
  const toast = useToast();
  const { forget } = useKnownSecrets();
  const revoking = useConfirm(
    {
      title: ({ name }: ApiKey) => `Revoke “${name}”?`,
      body: () => 'Are you sure you want to revoke this API key? This action cannot be undone.',
      actionLabel: 'Revoke key',
      toast: ({ name }) => `“${name}” revoked`,
      onDone: ({ id }) => forget(id),
    },
    useAction(keyEndpoints.revokeKey, { invalidates: ['apiKeys'] }),
    ({ id }) => ({ keyId: id }),
  );
  const { data: keys, isPending: areKeysPending } = useQuery(keysOptions(useWorkspaceId()));
  const secret = useChosenSecret(keys);
  const selected = useSelectedTeam();

  // "#new" opens the form, so that the command palette and links can open it directly. One key at a time: a second one
  // would replace the first one's secret on the screen.
  const fresh = keys?.some(({ id, isActive }) => id === create.data?.key.id && !isActive) ? undefined : create.data;
  const isCreating = location.hash === '#new' && !fresh;
  const openForm = () => void navigate({ hash: 'new' }, { replace: true, preventScrollReset: true });
  const closeFresh = () => {
    if (fresh) forget(fresh.key.id);
    create.reset();
  };
  const closeForm = () => {
    create.reset();
    void navigate({ hash: '' }, { replace: true, preventScrollReset: true });
  };

  return (
    <div className="page flex flex-col gap-7 py-10">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h1 className="heading-page">API Keys</h1>
          <p className="mt-1 max-w-prose text-soft">
            {selected
              ? `Keys created here search the documentation of ${selected.team.name}, as long as their owner is a member.`
              : 'Agents send a key with every search and read. Use one key per agent.'}{' '}
            <TextLink to="/install">Set an agent up step by step</TextLink>
            {' or read the '}
            <TextLink to="/mcp">MCP docs</TextLink>.
          </p>
        </div>
        {!isCreating && !fresh && (
          <Button look="action" onClick={openForm}>
            + New API Key
          </Button>
        )}
      </div>

      {isCreating && (
        <CreateKeyForm
          isBusy={create.isPending}
          error={isEmailUnverified(create.error) ? undefined : create.error}
          onCancel={closeForm}
          onCreate={(key) =>
            create.mutate(key, {
              onSuccess: () => void navigate({ hash: '' }, { replace: true, preventScrollReset: true }),
              onError: (error) => {
                if (isEmailUnverified(error)) toast({ message: error.message, tone: 'bad', durationMs: 3_000 });
              },
            })
          }
        />
      )}
      {fresh && (
        <FreshKeyPanel
          key={fresh.key.id}
          name={fresh.key.name}
          secret={fresh.secret}
          isShownOnce={!fresh.key.isRevealable}
          onClose={closeFresh}
        />
      )}

      <Keys onRevoke={revoking.ask} onCreate={openForm} hasOpenForm={isCreating || fresh !== undefined} />

      {!fresh && (
        // Hidden while the keys load, because it would move.
        <section aria-labelledby="connect" hidden={areKeysPending} className="flex flex-col gap-2">
          <PartHeading id="connect">Connect an agent</PartHeading>
          <SetupPanel secret={secret} />
        </section>
      )}
      {revoking.dialog}
    </div>
  );
}

export default titledPage('API Keys', KeysScreen);

/** Returns the secret to fill in: that of a revealed key, as long as it may be shown. */
function useChosenSecret(keys: ApiKey[] | undefined): string | undefined {
  const chosenId = useChosenKeyId();
  const secret = useSecret(chosenId);
  return keys?.some(({ id, isRevealable }) => id === chosenId && isRevealable) ? secret : undefined;
}

/** Explains why some team keys cannot be revealed. */
function TeamKeysNotice({ selected: { team, isAdmin } }: { selected: SelectedTeam }) {
  if (team.showsKeysOnce) {
    return <Notice tone="info">{team.name} shows keys only when they are created. These can't be shown again.</Notice>;
  }
  if (!isAdmin) return null;
  return (
    <p className="text-faint text-sm">Only the person who created a key can reveal it. Admins can revoke any key.</p>
  );
}

interface KeysProps {
  onRevoke: (key: ApiKey) => void;
  onCreate: () => void;
  hasOpenForm: boolean;
}

function Keys({ onRevoke, onCreate, hasOpenForm }: KeysProps) {
  const keys = useQuery(keysOptions(useWorkspaceId()));
  const selected = useSelectedTeam();
  if (keys.data === undefined) {
    return keys.isError ? <RetryNotice query={keys} title="Couldn't load your API keys" /> : <KeysLoading />;
  }
  if (keys.data.length === 0) {
    if (hasOpenForm) return null;
    return (
      <EmptyState
        icon={<KeyRound aria-hidden className="size-5" />}
        title="You don't have any API keys yet."
        action={
          <Button look="action" onClick={onCreate}>
            Create your first key
          </Button>
        }
      >
        Create one and paste its configuration into your agent. The agent can then search your documentation.
      </EmptyState>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      {!keys.data.some(({ isActive }) => isActive) && <Notice tone="info">You don't have any active API keys.</Notice>}
      {selected && <TeamKeysNotice selected={selected} />}
      <KeyList keys={keys.data} hasMakers={selected?.isAdmin === true} onRevoke={onRevoke} />
    </div>
  );
}

function KeysLoading() {
  return (
    <Loading
      label="Loading API keys..."
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
    >
      {['w-44', 'w-32', 'w-44', 'w-32'].map((width, row) => (
        <div key={row} className="flex h-14 items-center justify-between gap-6 px-4">
          <Skeleton className={`h-4 ${width}`} />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </Loading>
  );
}
