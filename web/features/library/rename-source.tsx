import { useRef, useState } from 'react';
import { libraryEndpoints } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import type { ListedSource } from './listed-sources.ts';

interface RenameSourceProps {
  /** The source to rename; undefined while the dialog is closed. */
  source: ListedSource | undefined;
  onClose: () => void;
}

/** Asks for a source's new name. */
export function RenameSource({ source, onClose }: RenameSourceProps) {
  const [shown, setShown] = useState(source);
  const [name, setName] = useState(source?.displayName ?? '');
  const inputRef = useRef<HTMLInputElement>(null);
  const rename = useAction(libraryEndpoints.renameModule, {
    onDone: onClose,
    toast: ({ module }) => `Renamed to ${module.displayName}`,
    invalidates: ['modules', 'jobRuns', 'pdfSets', 'search'],
  });
  if (source !== shown) {
    setShown(source);
    setName(source?.displayName ?? '');
    rename.reset();
  }
  const isMissing = name.trim() === '';
  const submit = () => {
    if (isMissing) inputRef.current?.focus();
    else if (source) {
      const { moduleId, visibility } = source;
      rename.mutate({ moduleId, visibility, displayName: name });
    }
  };
  return (
    <FormDialog
      isOpen={source !== undefined}
      onClose={onClose}
      title={`Rename ${source?.displayName ?? ''}`}
      actionLabel="Rename"
      onSubmit={submit}
      isBusy={rename.isPending}
      initialFocus={inputRef}
    >
      <TextField
        ref={inputRef}
        label="Name"
        hint={
          <>
            Agents keep using the id <code className="font-mono text-soft">{source?.moduleId}</code>.
          </>
        }
        autoComplete="off"
        maxLength={limits.displayNameCharactersMax}
        value={name}
        onValueChange={setName}
        error={isMissing ? 'Enter a name.' : rename.error ? sentenceForPeople(rename.error) : undefined}
      />
    </FormDialog>
  );
}
