import { useQuery } from '@tanstack/react-query';
import { KeyRound, Trash2 } from 'lucide-react';
import { type FormEvent, useRef, useState } from 'react';
import { type SourceCredential, sourceCredentialEndpoints } from '#contract/source-credentials.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { TextField } from '../../ui/field.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { actionsColumn, type Column, Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import {
  type CredentialProblems,
  credentialKindLabels,
  emptyCredentialFields,
  kindsFor,
  readCredentialForm,
} from './credential-form.ts';
import { CredentialInputs } from './credential-inputs.tsx';
import { credentialsOptions, useCreateCredential } from './queries.ts';
import { addressOf, isAddressOrFolder } from './source-form.ts';

/** Credentials for private sources, each for one host. */
export function CredentialsTab() {
  const credentials = useQuery(credentialsOptions(useWorkspaceId()));
  const [isAdding, setIsAdding] = useState(false);
  const mayWrite = useMayWrite();
  if (credentials.data === undefined) {
    return credentials.isError ? (
      <RetryNotice query={credentials} title="Couldn't load the credentials" />
    ) : (
      <Loading label="Loading credentials…" className="rounded-lg border border-line bg-surface p-4">
        <Skeleton className="mb-3 h-4 w-64" />
        <Skeleton className="h-4 w-52" />
      </Loading>
    );
  }
  const isEmpty = credentials.data.length === 0;
  return (
    <section aria-labelledby="credentials" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <PartHeading id="credentials">Credentials</PartHeading>
          <p className="text-pretty text-faint text-sm">
            For sites and repositories that require sign-in. Stored encrypted, never shown again, and sent only to their
            host.
          </p>
        </div>
        {mayWrite && !isAdding && !isEmpty && <Button onClick={() => setIsAdding(true)}>Add a credential</Button>}
      </div>
      {isAdding && <AddCredential onDone={() => setIsAdding(false)} />}
      {!isEmpty && <CredentialTable credentials={credentials.data} mayWrite={mayWrite} />}
      {isEmpty && !isAdding && (
        <EmptyState
          icon={<KeyRound aria-hidden className="size-5" />}
          title="No credentials yet"
          action={
            mayWrite && (
              <Button look="action" onClick={() => setIsAdding(true)}>
                Add a credential
              </Button>
            )
          }
        >
          Add a header, a cookie, a password, a token or an SSH key to index private documentation. You can also add it
          with the source.
        </EmptyState>
      )}
    </section>
  );
}

function AddCredential({ onDone }: { onDone: () => void }) {
  const [url, setUrl] = useState('');
  const [fields, setFields] = useState(emptyCredentialFields);
  const [problems, setProblems] = useState<CredentialProblems & { url?: string }>({});
  const create = useCreateCredential();
  const formRef = useRef<HTMLFormElement>(null);
  const toast = useToast();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    const read = readCredentialForm(fields, addressOf(url));
    const urlProblem = isAddressOrFolder(addressOf(url)) ? {} : { url: 'Enter an address of the host.' };
    const found = { ...urlProblem, ...('problems' in read ? read.problems : {}) };
    setProblems(found);
    if (!('input' in read) || Object.keys(found).length > 0) {
      requestAnimationFrame(() => formRef.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    create.mutate(read.input, {
      onSuccess: ({ credential }) => {
        toast({ message: `${credential.label} stored` });
        onDone();
      },
    });
  };
  return (
    <form
      ref={formRef}
      onSubmit={submit}
      noValidate
      aria-label="Add a credential"
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 shadow-sm"
    >
      <TextField
        label="Host"
        hint="Any address on the host. The credential is sent only there."
        placeholder="https://docs.example.com/"
        type="url"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        value={url}
        onValueChange={setUrl}
        error={problems.url ?? (create.error ? sentenceForPeople(create.error) : undefined)}
      />
      <CredentialInputs
        fields={fields}
        problems={problems}
        kinds={kindsFor('any')}
        onChange={(change) => setFields((known) => ({ ...known, ...change }))}
      />
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={create.isPending}>
          Store credential
        </Button>
        <Button onClick={onDone}>Cancel</Button>
      </div>
    </form>
  );
}

function CredentialTable({ credentials, mayWrite }: { credentials: SourceCredential[]; mayWrite: boolean }) {
  const removing = useConfirm(
    {
      title: ({ label }: SourceCredential) => `Remove ${label}?`,
      body: ({ origin }) =>
        `Sources at ${origin} that need it can no longer be refreshed. Their indexed pages stay until you remove the source.`,
      actionLabel: 'Remove credential',
      toast: ({ label }) => `${label} removed`,
    },
    useAction(sourceCredentialEndpoints.removeSourceCredential, { invalidates: ['sourceCredentials'] }),
    ({ id }) => ({ credentialId: id }),
  );
  return (
    <>
      <Table
        caption="Stored credentials"
        columns={columnsFor(mayWrite, removing.ask)}
        rows={credentials}
        rowKey={({ id }) => id}
        sorting={{ columnId: 'label', direction: 'ascending' }}
      />
      {removing.dialog}
    </>
  );
}

function columnsFor(mayWrite: boolean, onRemove: (credential: SourceCredential) => void): Column<SourceCredential>[] {
  const columns: Column<SourceCredential>[] = [
    {
      id: 'label',
      label: 'Credential',
      sortBy: ({ label }) => label,
      cell: ({ label, origin, kind }) => (
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-2">
            <span className="wrap-anywhere font-medium text-ink">{label}</span>
            <Badge>{credentialKindLabels[kind]}</Badge>
          </div>
          <div className="wrap-anywhere font-mono text-faint text-xs">{origin}</div>
        </div>
      ),
    },
    {
      id: 'created',
      label: 'Stored',
      isWide: true,
      sortBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
    {
      id: 'used',
      label: 'Last used',
      isWide: true,
      sortBy: ({ lastUsedAt }) => lastUsedAt ?? 0,
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? 'Never' : <RelativeTime at={lastUsedAt} />),
    },
  ];
  if (!mayWrite) return columns;
  return [
    ...columns,
    actionsColumn((credential) => (
      <Tooltip content="Remove…">
        <IconButton icon={Trash2} label={`Remove ${credential.label}`} onClick={() => onRemove(credential)} />
      </Tooltip>
    )),
  ];
}
