import { useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { type AvailableRepository, hostingEndpoints, type RepositoryRef } from '#contract/hosting.ts';
import * as limits from '#contract/limits.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Select } from '../../ui/select.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { branchesOptions } from './queries.ts';

interface PartFormProps {
  workspace: string;
  repository: AvailableRepository;
  onBack: () => void;
  onAdded: () => void;
}

/** Selects a branch or tag, and a folder; defaults to the whole default branch. */
export function PartForm({ workspace, repository, onBack, onAdded }: PartFormProps) {
  const [ref, setRef] = useState<RepositoryRef>({ kind: 'branch', name: repository.defaultBranch });
  const [folder, setFolder] = useState('');
  const add = useAction(hostingEndpoints.addRepository, {
    invalidates: ['hosting'],
    toast: () => `${repository.fullName} is being indexed`,
    onDone: onAdded,
  });
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ repository: repository.fullName, ref, folder });
      }}
    >
      <RefChoice workspace={workspace} repository={repository} value={ref} onChange={setRef} />
      <TextField
        label="Folder"
        placeholder="docs"
        hint="Only this folder is indexed. Leave empty for the whole repository."
        maxLength={limits.repositoryFolderCharactersMax}
        autoComplete="off"
        spellCheck={false}
        value={folder}
        onValueChange={setFolder}
      />
      {add.isError && <Notice tone="bad">{sentenceForPeople(add.error)}</Notice>}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onBack}>Choose another</Button>
        <Button type="submit" look="action" isBusy={add.isPending}>
          Add repository
        </Button>
      </div>
    </form>
  );
}

interface RefChoiceProps {
  workspace: string;
  repository: AvailableRepository;
  value: RepositoryRef;
  onChange: (ref: RepositoryRef) => void;
}

function RefChoice({ workspace, repository, value, onChange }: RefChoiceProps) {
  const [text, setText] = useState('');
  const query = useDeferredValue(text.trim());
  const refs = useQuery(branchesOptions(workspace, repository.fullName, query));
  const [wasCut, setWasCut] = useState(false);
  if (refs.data?.isCut === true && !wasCut) setWasCut(true);
  if (refs.isError) {
    return <RetryNotice query={refs} isSmall />;
  }
  if (refs.data === undefined && !wasCut) {
    return (
      <Loading label="Loading branches and tags…">
        <Skeleton className="h-8 w-56" />
      </Loading>
    );
  }
  const options = optionsOf(repository.defaultBranch, refs.data, value);
  return (
    <div className="flex flex-wrap items-end gap-3">
      {wasCut && (
        <TextField
          className="w-full sm:w-64"
          label="Find a branch or tag"
          hint="Not all are listed."
          autoComplete="off"
          value={text}
          onValueChange={setText}
        />
      )}
      <Select
        label="Branch or tag"
        className="max-w-full"
        options={options}
        value={keyOf(value)}
        onChange={(key) => onChange(refOf(key))}
      />
    </div>
  );
}

const keyOf = ({ kind, name }: RepositoryRef) => `${kind}:${name}`;

function refOf(key: string): RepositoryRef {
  const at = key.indexOf(':');
  return { kind: key.slice(0, at) === 'tag' ? 'tag' : 'branch', name: key.slice(at + 1) };
}

/** Returns the options, default branch first; the selected one stays listed during a search. */
function optionsOf(
  defaultBranch: string,
  refs: { branches: string[]; tags: string[] } | undefined,
  chosen: RepositoryRef,
) {
  const all: RepositoryRef[] = [
    { kind: 'branch', name: defaultBranch },
    chosen,
    ...(refs?.branches ?? []).map((name): RepositoryRef => ({ kind: 'branch', name })),
    ...(refs?.tags ?? []).map((name): RepositoryRef => ({ kind: 'tag', name })),
  ];
  const byKey = new Map(all.map((ref) => [keyOf(ref), ref]));
  return [...byKey].map(([value, { kind, name }]) => ({
    value,
    label: name,
    note: kind === 'tag' ? 'tag' : name === defaultBranch ? 'default' : 'branch',
  }));
}
