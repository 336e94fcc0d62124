import { type FormEvent, useEffect, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { Profile } from '#contract/profile.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { DropZone } from '../../ui/drop-zone.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { useToast } from '../../ui/toast.tsx';
import { chosenFiles, droppedLockfiles, type Picked } from './pick-lockfiles.ts';
import { useSetProfile } from './queries.ts';

interface ProjectFormProps {
  /** Name of the project whose lockfiles are updated; empty for a new one. */
  name: string;
  onDone: (profile: Profile) => void;
  onCancel: () => void;
}

const nothingPicked: Picked = { files: [], refused: [], folder: undefined };

/** A form for a project's name and lockfiles. */
export function ProjectForm({ name: given, onDone, onCancel }: ProjectFormProps) {
  const [name, setName] = useState(given);
  const [picked, setPicked] = useState(nothingPicked);
  const [problems, setProblems] = useState<{ name?: string; files?: string }>({});
  const set = useSetProfile();
  const toast = useToast();
  const formRef = useRef<HTMLFormElement>(null);
  const isNew = given === '';
  useEffect(() => {
    // The form was opened by a button elsewhere, so move the focus into it.
    formRef.current?.querySelector<HTMLElement>('input[name="name"], button')?.focus();
  }, []);
  const take = (more: Picked) => {
    setPicked((known) => ({
      files: [...known.files.filter(({ path }) => more.files.every((one) => one.path !== path)), ...more.files],
      refused: more.refused,
      folder: more.folder ?? known.folder,
    }));
    setProblems({});
    set.reset();
    if (name === '' && more.folder !== undefined) setName(more.folder.slice(0, limits.profileNameCharactersMax));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (set.isPending) return;
    const inFiles = problemOfFiles(picked);
    const found = {
      ...(name.trim() === '' ? { name: 'Enter a name.' } : {}),
      ...(inFiles === undefined ? {} : { files: inFiles }),
    };
    setProblems(found);
    if ('name' in found) formRef.current?.querySelector<HTMLElement>('input[name="name"]')?.focus();
    if (Object.keys(found).length > 0) return;
    set.mutate(
      { name: name.trim(), files: picked.files },
      {
        onSuccess: ({ profile, isChanged, refused }) => {
          const outcome = isChanged
            ? `${countOf(profile.libraryCount, 'library', 'libraries')} pinned`
            : 'Nothing has changed';
          const left = refused.map(({ path, reason }) => `${path} was left out: ${reason}`);
          toast({ message: [outcome, ...left].join('. '), ...(left.length > 0 ? { durationMs: 8_000 } : {}) });
          onDone(profile);
        },
      },
    );
  };
  return (
    <form
      ref={formRef}
      noValidate
      aria-label={isNew ? 'Add a project' : `Lockfiles of ${given}`}
      onSubmit={submit}
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 shadow-sm"
    >
      {isNew ? (
        <TextField
          label="Name"
          name="name"
          value={name}
          maxLength={limits.profileNameCharactersMax}
          onValueChange={setName}
          error={problems.name}
          hint="For example, the name of its folder or repository. Uploading again under the same name replaces the lockfiles."
          className="max-w-md"
        />
      ) : (
        <p className="font-medium text-ink">Choose the current lockfiles of {given}</p>
      )}
      <DropZone
        prompt="Drop lockfiles or a folder here, or"
        onChosen={(files) => take(chosenFiles(files))}
        onDropped={(transfer) => void droppedLockfiles(transfer).then(take)}
      >
        package-lock.json, pnpm-lock.yaml, yarn.lock, requirements.txt, poetry.lock, uv.lock, Pipfile.lock, Cargo.lock,
        go.mod, Gemfile.lock, composer.lock
      </DropZone>
      {problems.files !== undefined && (
        <p role="alert" className="text-danger text-sm">
          {problems.files}
        </p>
      )}
      <PickedFiles
        picked={picked}
        onRemove={(path) => {
          setPicked((known) => ({ ...known, files: known.files.filter((one) => one.path !== path) }));
          setProblems({});
        }}
      />
      {set.error && (
        <Notice tone="bad" title="The project was not changed">
          {sentenceForPeople(set.error)}
        </Notice>
      )}
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={set.isPending}>
          Pin these versions
        </Button>
        <Button look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** Returns why the files cannot be sent. */
function problemOfFiles({ files }: Picked): string | undefined {
  if (files.length === 0) return 'Choose a lockfile.';
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0);
  if (bytes <= limits.profileBytesMax) return undefined;
  return `These files total ${formatBytes(bytes)}; the limit is ${formatBytes(limits.profileBytesMax)}. Leave out files that don't belong to this project, or run ./lectern profile in a subfolder.`;
}

function PickedFiles({ picked, onRemove }: { picked: Picked; onRemove: (path: string) => void }) {
  return (
    <>
      {picked.files.length > 0 && (
        <ul aria-label="Lockfiles" className="flex flex-col divide-y divide-line rounded-md border border-line">
          {picked.files.map(({ path, file }) => (
            <li key={path} className="flex items-center gap-3 px-3 py-1.5">
              <span className="wrap-anywhere min-w-0 flex-1 font-mono text-ink text-sm">{path}</span>
              <span className="tabular text-faint text-sm">{formatBytes(file.size)}</span>
              <Button size="sm" look="quiet" aria-label={`Leave out ${path}`} onClick={() => onRemove(path)}>
                Leave out
              </Button>
            </li>
          ))}
        </ul>
      )}
      {picked.refused.length > 0 && (
        <Notice tone="warn" title="Not accepted">
          <ul>
            {picked.refused.slice(0, 5).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {picked.refused.length > 5 && <p>{countOf(picked.refused.length - 5, 'more file')}.</p>}
        </Notice>
      )}
    </>
  );
}
