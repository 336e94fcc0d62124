import { type FormEvent, useState } from 'react';
import { Link } from 'react-router';
import { ecosystemLabels, type Fit, type PinnedLibrary, type Profile } from '#contract/profile.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useIndexLibraries } from './queries.ts';

const fits: Record<Fit, { label: string; tone: Tone } | undefined> = {
  exact: undefined,
  'same-minor': { label: 'Same minor', tone: 'quiet' },
  'same-major': { label: 'Same major', tone: 'quiet' },
  other: { label: 'Other version', tone: 'warn' },
  unversioned: { label: 'No version given', tone: 'quiet' },
};

interface LibraryRowsProps {
  profile: Profile;
  libraries: PinnedLibrary[];
  mayWrite: boolean;
}

export function LibraryRows({ profile, libraries, mayWrite }: LibraryRowsProps) {
  const columns: Column<PinnedLibrary>[] = [
    { id: 'name', label: 'Library', sortBy: ({ name }) => name, cell: (library) => <NameCell library={library} /> },
    {
      id: 'version',
      label: 'Pinned',
      isWide: true,
      sortBy: ({ version }) => version,
      cell: ({ version }) => <span className="tabular wrap-anywhere font-mono text-sm">{version}</span>,
    },
    {
      id: 'indexed',
      label: 'Indexed',
      sortBy: ({ answer }) => answer?.version ?? '',
      cell: (library) => <IndexedCell library={library} />,
    },
    {
      id: 'action',
      label: 'Action',
      isLabelHidden: true,
      cell: (library) => mayWrite && <IndexCell profile={profile} library={library} />,
    },
  ];
  return (
    <Table
      caption={`Libraries of ${profile.name}`}
      columns={columns}
      rows={libraries}
      rowKey={({ ecosystem, name, version }) => `${ecosystem} ${name} ${version}`}
    />
  );
}

function NameCell({ library }: { library: PinnedLibrary }) {
  const { name, version, ecosystem, isDirect, isDev, offers, answer } = library;
  const [best] = offers ?? [];
  return (
    <span className="flex min-w-0 flex-col gap-0.5">
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="wrap-anywhere font-medium text-ink">{name}</span>
        <span className="text-faint text-sm">{ecosystemLabels[ecosystem]}</span>
        {isDev && <Badge>dev</Badge>}
        {!isDirect && <Badge>indirect</Badge>}
      </span>
      <span className="tabular text-faint text-sm md:hidden">pinned {version}</span>
      {answer === null && best !== undefined && (
        <span className="wrap-anywhere text-faint text-sm max-md:hidden">
          {best.address}
          {best.tag !== null && ` at ${best.tag}`}
        </span>
      )}
    </span>
  );
}

function IndexedCell({ library: { answer, job } }: { library: PinnedLibrary }) {
  const isRunning = job !== null && job.status !== 'COMPLETE' && job.status !== 'FAILED';
  if (answer === null) {
    return isRunning ? <Badge tone="busy">Indexing</Badge> : <span className="text-faint text-sm">Not yet</span>;
  }
  const fit = fits[answer.fit];
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Link
        to={`/resources/${encodeURIComponent(answer.moduleId)}`}
        className="wrap-anywhere text-lamp text-sm underline underline-offset-2"
      >
        {answer.version ?? answer.displayName}
      </Link>
      {fit && <Badge tone={fit.tone}>{fit.label}</Badge>}
      {isRunning && <Badge tone="busy">Indexing</Badge>}
    </span>
  );
}

/** Starts indexing a library; if its registry has no address, asks the user for one. */
function IndexCell({ profile, library }: { profile: Profile; library: PinnedLibrary }) {
  const index = useIndexLibraries();
  const [address, setAddress] = useState('');
  const { ecosystem, name, version, answer, job, offers, offersFault } = library;
  if (answer !== null && (answer.fit === 'exact' || answer.fit === 'same-minor')) return null;
  if (job !== null && job.status !== 'FAILED' && job.status !== 'COMPLETE') return null;
  const [outcome] = index.data ?? [];
  const reason = index.error
    ? sentenceForPeople(index.error)
    : (outcome?.fault ?? offersFault ?? job?.error ?? undefined);
  const hasNoAddress = offers?.length === 0 || reason !== undefined;
  const start = (given?: string) =>
    index.mutate({
      profileId: profile.profileId,
      libraries: [{ ecosystem, name, version, ...(given === undefined ? {} : { address: given }) }],
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start(address.trim() === '' ? undefined : address.trim());
  };
  if (!hasNoAddress) {
    return (
      <span className="flex justify-end">
        <Button size="sm" aria-label={`Index ${name} ${version}`} isBusy={index.isPending} onClick={() => start()}>
          Index
        </Button>
      </span>
    );
  }
  return (
    <form noValidate onSubmit={submit} className="ml-auto flex max-w-72 flex-col gap-1.5">
      <span className="flex items-end gap-2 max-md:flex-col">
        <TextField
          label={`Address for ${name}`}
          isLabelHidden
          type="url"
          placeholder="https://…"
          value={address}
          onValueChange={setAddress}
          className="w-full flex-1"
        />
        <Button type="submit" aria-label={`Index ${name} ${version}`} isBusy={index.isPending}>
          Index
        </Button>
      </span>
      <span role={index.isError || outcome?.fault ? 'alert' : undefined} className="wrap-anywhere text-sm text-warn">
        {reason ?? 'No address found. Enter one.'}
      </span>
    </form>
  );
}
