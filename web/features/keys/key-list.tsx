import { Eye, EyeOff } from 'lucide-react';
import { type ApiKey, keyRightLabels } from '#contract/keys.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { actionsColumn, type Column, Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useKnownSecrets, useRevealKey, useSecret, useSecretReader } from './known-secrets.ts';

interface KeyListProps {
  keys: ApiKey[];
  /** True if the list also contains other users' keys and names their creators. */
  hasMakers: boolean;
  onRevoke: (key: ApiKey) => void;
}

export function KeyList({ keys, hasMakers, onRevoke }: KeyListProps) {
  return (
    <Table caption="Your API keys" columns={columnsFor(hasMakers, onRevoke)} rows={keys} rowKey={({ id }) => id} />
  );
}

function columnsFor(hasMakers: boolean, onRevoke: (key: ApiKey) => void): Column<ApiKey>[] {
  const maker: Column<ApiKey> = {
    id: 'maker',
    label: 'Created by',
    isWide: true,
    sortBy: ({ userName }) => userName ?? '',
    cell: ({ userName }) => <span className="wrap-anywhere text-soft">{userName}</span>,
  };
  return [
    {
      id: 'name',
      label: 'Name',
      sortBy: ({ name }) => name,
      cell: (key) => (
        <div className="flex min-w-0 flex-col gap-0.5">
          <span
            className={classNames('wrap-anywhere font-medium', key.isActive ? 'text-ink' : 'text-faint line-through')}
          >
            {key.name}
          </span>
          <span className="text-faint text-xs">{rightsInWords(key)}</span>
          {hasMakers && <span className="wrap-anywhere text-faint text-xs md:hidden">Created by {key.userName}</span>}
          <div className="md:hidden">
            <KeyCell apiKey={key} />
          </div>
        </div>
      ),
    },
    {
      id: 'key',
      label: 'Key',
      isWide: true,
      cell: (key) => <KeyCell apiKey={key} />,
    },
    ...(hasMakers ? [maker] : []),
    {
      id: 'created',
      label: 'Created',
      isWide: true,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => (
        <span className="text-soft">
          <RelativeTime at={createdAt} />
        </span>
      ),
    },
    {
      id: 'used',
      label: 'Last used',
      isWide: true,
      sortBy: ({ lastUsed }) => lastUsed ?? 0,
      cell: ({ lastUsed }) =>
        lastUsed === null ? (
          <span className="text-faint">Never</span>
        ) : (
          <span className="text-soft">
            <RelativeTime at={lastUsed} />
          </span>
        ),
    },
    actionsColumn((key) =>
      key.isActive ? (
        <Button look="quiet" size="sm" aria-label={`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
          Revoke
        </Button>
      ) : (
        <Badge>Revoked</Badge>
      ),
    ),
  ];
}

function rightsInWords({ rights, mayAskToIndex, hasDeepResearchTools }: ApiKey): string {
  return [
    ...rights.map((right) => keyRightLabels[right]),
    ...(mayAskToIndex ? ['Can request sources'] : []),
    ...(hasDeepResearchTools ? ['Deep research tools'] : []),
  ].join(', ');
}

/** A key in its row: masked until revealed, with a reveal and a copy button. */
function KeyCell({ apiKey }: { apiKey: ApiKey }) {
  const known = useSecret(apiKey.id);
  // Since it was revealed, the key may have been revoked, or its team may have switched to showing keys once.
  const secret = apiKey.isRevealable ? known : undefined;
  const reveal = useRevealKey();
  const readSecret = useSecretReader();
  const { forget } = useKnownSecrets();
  const toast = useToast();
  const isShown = secret !== undefined;

  const toggle = (button: Element) => {
    if (isShown) return forget(apiKey.id);
    reveal.mutate(apiKey.id, {
      onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', target: button, durationMs: 5_000 }),
    });
  };
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code
        className={classNames(
          'min-w-0 font-mono text-sm',
          isShown ? 'wrap-anywhere rounded-xs bg-sunken px-1' : 'whitespace-nowrap',
          apiKey.isActive ? 'text-soft' : 'text-faint line-through',
        )}
      >
        {secret ?? apiKey.maskedKey}
      </code>
      <Button
        look="quiet"
        size="icon-sm"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${apiKey.name}`}
        disabled={!apiKey.isRevealable}
        isBusy={reveal.isPending}
        onClick={({ currentTarget }) => toggle(currentTarget)}
      >
        {isShown ? <EyeOff aria-hidden className="size-3.5" /> : <Eye aria-hidden className="size-3.5" />}
      </Button>
      <CopyButton
        text={secret ?? (() => readSecret(apiKey.id))}
        label={`Copy ${apiKey.name}`}
        isDisabled={!apiKey.isRevealable}
      />
    </div>
  );
}
