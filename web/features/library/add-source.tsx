import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { JobRun, RecognisedSource } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import {
  type CredentialFields,
  type CredentialProblems,
  credentialKindLabels,
  credentialsFor,
  kindsFor,
} from './credential-form.ts';
import { CredentialInputs } from './credential-inputs.tsx';
import { credentialsOptions } from './queries.ts';
import { addressOf } from './source-form.ts';
import { KindIcon } from './source-name.tsx';
import { SourceOptions } from './source-options.tsx';
import { useAddSource } from './use-add-source.ts';

/** Only the address is required: all other fields have defaults and are collapsed. */
export function AddSource({ onStarted }: { onStarted: (job: JobRun) => void }) {
  const formRef = useRef<HTMLFormElement>(null);
  const [isExpanded, setIsExpanded] = useState(false);
  const form = useAddSource({
    onStarted: (job) => {
      setIsExpanded(false);
      onStarted(job);
    },
    onProblem: (isInOptions) => {
      if (isInOptions) setIsExpanded(true);
      focusFirstProblem(formRef.current);
    },
  });
  const optionsId = useId();
  useFocusOnHash(formRef);
  const { fields, problems, recognised } = form;
  const isRepository = recognised?.kind === 'git';

  return (
    <form
      ref={formRef}
      onSubmit={form.submit}
      noValidate
      aria-label="Add a source"
      className="rounded-lg border border-line bg-surface shadow-sm"
    >
      <div className="flex flex-wrap items-start gap-2 p-4 pb-2">
        <TextField
          name="source"
          label="Add a source"
          type="url"
          inputMode="url"
          placeholder="Address of a docs site or repository"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.urlCharactersMax}
          value={fields.source}
          onValueChange={(value) => form.change('source', value)}
          error={problems.source ?? form.refusal}
          className="flex-1 basis-72"
        />
        <Button type="submit" look="action" isBusy={form.isBusy} className="max-sm:w-full sm:mt-6.5">
          Index
        </Button>
      </div>
      {fields.source.trim() !== '' && <Recognition recognised={recognised} />}
      <button
        type="button"
        aria-expanded={isExpanded}
        aria-controls={optionsId}
        onClick={() => setIsExpanded(!isExpanded)}
        className="mx-3 mt-1 mb-3 inline-flex h-6 items-center gap-1 rounded-xs px-1 font-medium text-soft text-xs hover:text-ink"
      >
        <ChevronRight aria-hidden className={classNames('size-3.5 transition-transform', isExpanded && 'rotate-90')} />
        {isRepository ? 'Branch, folder, name and credential' : 'Name, limits and credential'}
      </button>
      <div id={optionsId} hidden={!isExpanded} className="flex flex-col gap-5 border-line border-t px-4 py-4">
        <SourceOptions fields={fields} problems={problems} isRepository={isRepository} onChange={form.change} />
        {recognised?.kind !== 'folder' && (
          <CredentialChoice
            url={recognised?.url ?? addressOf(fields.source)}
            isRepository={isRepository}
            chosen={fields.credential}
            onChoose={(credential) => form.change('credential', credential)}
            fields={form.credential}
            problems={form.credentialProblems}
            onChange={form.changeCredential}
          />
        )}
      </div>
    </form>
  );
}

/** After the next paint, once the fields are marked as invalid. */
function focusFirstProblem(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** Focuses the form if the address ends in "#add". */
function useFocusOnHash(formRef: { current: HTMLFormElement | null }): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === '#add' && key) formRef.current?.querySelector('input')?.focus();
  }, [hash, key, formRef]);
}

/** Says what the typed address is, before it is submitted. */
function Recognition({ recognised }: { recognised: RecognisedSource | undefined }) {
  return (
    <div role="status" className="min-h-5.5 px-4 text-faint text-sm">
      {recognised && (
        <div className="flex gap-2">
          <KindIcon kind={recognised.kind} />
          <p>{wordsFor(recognised)}</p>
        </div>
      )}
    </div>
  );
}

function wordsFor({ kind, url, moduleId, isKnown, ref, folder }: RecognisedSource) {
  const id = <code className="font-mono text-soft text-xs">{moduleId}</code>;
  const what = {
    site: 'A documentation site',
    pdf: 'A PDF file',
    folder: /\.pdf$/i.test(url) ? 'A PDF file on the server' : 'A folder on the server',
    git: `A repository${ref ? `, ${ref.kind} ${ref.name}` : ''}${folder ? `, folder ${folder}` : ''}`,
  }[kind];
  return isKnown ? (
    <>
      {what}. It is already indexed as {id}: indexing refreshes it.
    </>
  ) : (
    <>
      {what}. Its id will be {id}.
    </>
  );
}

interface CredentialChoiceProps {
  /** Address of the source: only credentials for its host are offered. */
  url: string;
  isRepository: boolean;
  chosen: string;
  onChoose: (credential: string) => void;
  fields: CredentialFields;
  problems: CredentialProblems;
  onChange: (change: Partial<CredentialFields>) => void;
}

/** Selects no credential, a stored one for the host, or a new one typed here. */
function CredentialChoice(props: CredentialChoiceProps) {
  const { url, isRepository, chosen, onChoose, fields, problems, onChange } = props;
  const stored = useQuery(credentialsOptions(useWorkspaceId()));
  const fitting = credentialsFor(stored.data ?? [], url);
  const kinds = kindsFor(isRepository ? 'git' : 'site');
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Select
          label="Credential"
          value={chosen === 'none' || chosen === 'new' || fitting.some(({ id }) => id === chosen) ? chosen : 'none'}
          options={[
            { value: 'none', label: 'None' },
            ...fitting.map(({ id, label, kind }) => ({ value: id, label, hint: credentialKindLabels[kind] })),
            { value: 'new', label: 'Add one…' },
          ]}
          onChange={(credential) => {
            if (credential === 'new' && !kinds.includes(fields.kind)) onChange({ kind: kinds[0] ?? 'header' });
            onChoose(credential);
          }}
        />
        <p className="text-faint text-xs">For sites that require sign-in. We send it only to this host.</p>
      </div>
      {chosen === 'new' && (
        <div className="rounded-md border border-line bg-canvas p-4">
          <CredentialInputs fields={fields} problems={problems} kinds={kinds} onChange={onChange} />
          <p className="mt-3 text-faint text-xs">Stored encrypted and never shown again.</p>
        </div>
      )}
    </div>
  );
}
