import { type FormEvent, useRef, useState } from 'react';
import type { KeyRight } from '#contract/endpoint.ts';
import { sentenceOf } from '#contract/errors.ts';
import { keyRightLabels } from '#contract/keys.ts';
import * as limits from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';

export interface NewKey {
  name: string;
  mayAskToIndex: boolean;
  hasDeepResearchTools?: boolean;
  rights?: KeyRight[];
}

interface CreateKeyFormProps {
  isBusy: boolean;
  error: unknown;
  onCreate: (key: NewKey) => void;
  /** Undefined if the form cannot be cancelled. */
  onCancel?: (() => void) | undefined;
}

const grantable = [
  { right: 'index', hint: 'For scripts and CI: start, refresh and cancel runs.' },
  { right: 'manage', hint: 'Remove sources and projects.' },
] as const;

export function CreateKeyForm({ isBusy, error, onCreate, onCancel }: CreateKeyFormProps) {
  const [name, setName] = useState('');
  const [mayAskToIndex, setMayAskToIndex] = useState(false);
  const [hasDeepResearchTools, setHasDeepResearchTools] = useState(false);
  const [rights, setRights] = useState<KeyRight[]>([]);
  const [isMissing, setIsMissing] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isBusy) return;
    if (name.trim() === '') {
      setIsMissing(true);
      inputRef.current?.focus();
      return;
    }
    onCreate({ name: name.trim(), mayAskToIndex, hasDeepResearchTools, rights });
  };

  const problem = isMissing ? sentenceOf('key-name-empty') : error ? sentenceForPeople(error) : undefined;
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => event.key === 'Escape' && onCancel?.()}
      noValidate
      aria-label="New API key"
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 shadow-sm"
    >
      <TextField
        ref={inputRef}
        label="Name"
        hint="Where you will use it, such as “Claude Code on the laptop”."
        autoFocus
        autoComplete="off"
        maxLength={limits.keyNameCharactersMax}
        value={name}
        onValueChange={(value) => {
          setName(value);
          setIsMissing(false);
        }}
        error={problem}
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-2 text-soft text-sm">Permissions beyond searching and reading</legend>
        {grantable.map(({ right, hint }) => (
          <Checkbox
            key={right}
            label={keyRightLabels[right]}
            hint={hint}
            isChecked={rights.includes(right)}
            onChange={(isChecked) =>
              setRights((given) => (isChecked ? [...given, right] : given.filter((other) => other !== right)))
            }
          />
        ))}
        <Checkbox
          label="Can request sources"
          hint="The agent can request missing documentation. Nothing is indexed until someone approves it."
          isChecked={mayAskToIndex}
          onChange={setMayAskToIndex}
        />
      </fieldset>
      <Checkbox
        label="Deep research tools"
        hint="Agents see the tools as search and fetch, the names that deep research clients look for."
        isChecked={hasDeepResearchTools}
        onChange={setHasDeepResearchTools}
      />
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={isBusy}>
          Create key
        </Button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}
