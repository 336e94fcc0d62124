import { type FormEvent, useState } from 'react';
import { limits } from '#contract/limits.ts';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { useRenamePdfSet } from './queries.ts';

export function RenameSet({ set, onDone }: { set: PdfSet; onDone: () => void }) {
  const [name, setName] = useState(set.displayName);
  const rename = useRenamePdfSet();
  const isMissing = name.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (rename.isPending || isMissing) return;
    rename.mutate({ setId: set.setId, displayName: name.trim() }, { onSuccess: onDone });
  };
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onDone()}
      noValidate
      aria-label={`Rename ${set.displayName}`}
      className="flex min-w-0 flex-1 flex-wrap items-start gap-2"
    >
      <TextField
        label="Name"
        isLabelHidden
        autoFocus
        autoComplete="off"
        maxLength={limits.displayNameCharactersMax}
        value={name}
        onValueChange={setName}
        error={isMissing ? 'Enter a name.' : rename.error ? sentenceForPeople(rename.error) : undefined}
        className="flex-1 basis-56"
      />
      <Button type="submit" isBusy={rename.isPending}>
        Rename
      </Button>
      <Button look="quiet" onClick={onDone}>
        Cancel
      </Button>
    </form>
  );
}
