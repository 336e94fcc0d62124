import { type FormEvent, useRef, useState } from 'react';
import * as limits from '#contract/limits.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { chooseFiles } from './choose-files.ts';
import { DropZone, RefusedFiles } from './drop-zone.tsx';
import { useCreatePdfSet } from './queries.ts';

interface NewSetFormProps {
  onCreated: (set: PdfSet, files: File[]) => void;
  onCancel: () => void;
}

/** A name and, optionally, the first files. */
export function NewSetForm({ onCreated, onCancel }: NewSetFormProps) {
  const [name, setName] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const [files, setFiles] = useState<File[]>([]);
  const [refused, setRefused] = useState<string[]>([]);
  const create = useCreatePdfSet();
  const inputRef = useRef<HTMLInputElement>(null);

  const take = (chosen: File[]) => {
    const known = files.map(({ name: fileName, size }) => ({ name: fileName, sizeBytes: size }));
    const room = { filesTaken: files.length, known, unfinished: [] };
    const taken = chooseFiles(chosen, room);
    setFiles([...files, ...taken.files.map(({ file }) => file)]);
    setRefused(taken.refused);
    const [first] = taken.files;
    if (name === '' && first) setName(nameFrom(first.file.name));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (create.isPending) return;
    if (name.trim() === '') {
      setIsMissing(true);
      inputRef.current?.focus();
      return;
    }
    create.mutate(name.trim(), { onSuccess: (set) => onCreated(set, files) });
  };
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      noValidate
      aria-label="New PDF set"
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 shadow-sm"
    >
      <TextField
        ref={inputRef}
        label="Name"
        hint="For example, “Lab manuals”."
        autoFocus
        autoComplete="off"
        maxLength={limits.displayNameCharactersMax}
        value={name}
        onValueChange={(value) => {
          setName(value);
          setIsMissing(false);
        }}
        error={isMissing ? 'Enter a name.' : create.error ? sentenceForPeople(create.error) : undefined}
      />
      <DropZone onFiles={take}>
        Up to {limits.pdfFilesPerSetMax} files of {formatBytes(100_000_000)} each. You can add more later.
      </DropZone>
      <RefusedFiles refused={refused} />
      <div className="flex flex-wrap items-center gap-2">
        <Button type="submit" look="action" isBusy={create.isPending}>
          {files.length === 0 ? 'Create set' : 'Create and upload'}
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
        <span role="status" className="tabular text-faint text-sm">
          {files.length > 0 && `${countOf(files.length, 'file')}, ${formatBytes(bytes)}`}
        </span>
      </div>
    </form>
  );
}

function nameFrom(fileName: string): string {
  return fileName
    .replace(/\.pdf$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim()
    .slice(0, limits.displayNameCharactersMax);
}
