import { ChevronRight } from 'lucide-react';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import { limits } from '#contract/limits.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TextField } from '../../ui/field.tsx';
import { formatCount } from '../../ui/quantities.ts';
import { useStartIndexJob } from './queries.ts';
import { emptySourceFields, readSourceForm, type SourceFields, type SourceProblems } from './source-form.ts';

/** One field is enough: everything else has a default and waits folded away. */
export function AddSource({ onStarted }: { onStarted: (job: JobRun) => void }) {
  const empty = useEmptyFields();
  const [fields, setFields] = useState(empty);
  const [problems, setProblems] = useState<SourceProblems>({});
  const [isExpanded, setIsExpanded] = useState(false);
  const start = useStartIndexJob();
  const formRef = useRef<HTMLFormElement>(null);
  const mayPublish = useMayPublish();
  const optionsId = useId();
  useFocusOnHash(formRef);

  const change = <Name extends keyof SourceFields>(name: Name, value: SourceFields[Name]) => {
    setFields((known) => ({ ...known, [name]: value }));
    setProblems(({ [name]: _solved, ...others }) => others);
    if (start.isError) start.reset();
  };

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (start.isPending) return;
    const read = readSourceForm(fields);
    if ('problems' in read) {
      setProblems(read.problems);
      if (Object.keys(read.problems).some((name) => name !== 'source')) setIsExpanded(true);
      focusFirstProblem(formRef.current);
      return;
    }
    setProblems({});
    start.mutate(read.input, {
      onSuccess: ({ job }) => {
        setFields(empty);
        setIsExpanded(false);
        onStarted(job);
      },
      onError: () => focusFirstProblem(formRef.current),
    });
  };

  return (
    <form
      ref={formRef}
      onSubmit={submit}
      noValidate
      aria-label="Add a source"
      className="rounded-lg border border-line bg-surface shadow-sm"
    >
      <div className="flex flex-wrap items-start gap-2 p-4 pb-3">
        <TextField
          name="source"
          label="Add a source"
          type="url"
          inputMode="url"
          placeholder="Paste the address of a documentation site"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.urlCharactersMax}
          value={fields.source}
          onValueChange={(value) => change('source', value)}
          error={problems.source ?? (start.error ? sentenceForPeople(start.error) : undefined)}
          className="flex-1 basis-72"
        />
        <Button type="submit" look="action" isBusy={start.isPending} className="max-sm:w-full sm:mt-6.5">
          Index
        </Button>
      </div>
      <button
        type="button"
        aria-expanded={isExpanded}
        aria-controls={optionsId}
        onClick={() => setIsExpanded(!isExpanded)}
        className="mx-3 mb-3 inline-flex h-6 items-center gap-1 rounded-xs px-1 font-medium text-soft text-xs hover:text-ink"
      >
        <ChevronRight aria-hidden className={classNames('size-3.5 transition-transform', isExpanded && 'rotate-90')} />
        {mayPublish ? 'Name, limits and visibility' : 'Name and limits'}
      </button>
      <div id={optionsId} hidden={!isExpanded} className="border-line border-t px-4 py-4">
        <SourceOptions fields={fields} problems={problems} onChange={change} />
      </div>
    </form>
  );
}

interface SourceOptionsProps {
  fields: SourceFields;
  problems: SourceProblems;
  onChange: <Name extends keyof SourceFields>(name: Name, value: SourceFields[Name]) => void;
}

function SourceOptions({ fields, problems, onChange }: SourceOptionsProps) {
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <TextField
        label="Name"
        hint="What people read. The module id when left empty."
        autoComplete="off"
        value={fields.displayName}
        onValueChange={(value) => onChange('displayName', value)}
        error={problems.displayName}
      />
      <TextField
        label="Module id"
        hint="What agents name it by, such as docs.python.org~3."
        autoComplete="off"
        spellCheck={false}
        value={fields.moduleId}
        onValueChange={(value) => onChange('moduleId', value)}
        error={problems.moduleId}
      />
      <TextField
        label="Pages at most"
        hint={`Up to ${formatCount(limits.pagesPerJobMax)}.`}
        inputMode="numeric"
        placeholder={String(limits.pagesPerJobDefault)}
        value={fields.maxPages}
        onValueChange={(value) => onChange('maxPages', value)}
        error={problems.maxPages}
      />
      <TextField
        label="Links away from the address"
        hint="How deep to follow links. No limit when left empty."
        inputMode="numeric"
        value={fields.depth}
        onValueChange={(value) => onChange('depth', value)}
        error={problems.depth}
      />
      <div className="sm:col-span-2">
        <Visibility isPrivate={fields.isPrivate} onChange={(isPrivate) => onChange('isPrivate', isPrivate)} />
      </div>
    </div>
  );
}

/** Public modules are the operator's to add; what anybody else indexes is for their own workspace. */
function useMayPublish(): boolean {
  return useSession().data?.user?.isOperator === true;
}

function useEmptyFields(): SourceFields {
  const mayPublish = useMayPublish();
  const isInTeam = useWorkspaceId() !== individualWorkspace;
  return { ...emptySourceFields, isPrivate: isInTeam || !mayPublish };
}

function Visibility({ isPrivate, onChange }: { isPrivate: boolean; onChange: (isPrivate: boolean) => void }) {
  const mayPublish = useMayPublish();
  const isInTeam = useWorkspaceId() !== individualWorkspace;
  const reach = isInTeam
    ? 'Found by the members of the team and their keys, never by others on this installation.'
    : 'Found only by your own keys, never by others on this installation.';
  if (!mayPublish) return <p className="text-faint text-xs">{reach}</p>;
  return <Checkbox label="Private" hint={reach} isChecked={isPrivate} onChange={onChange} />;
}

/** After the next paint, when the fields have been marked. */
function focusFirstProblem(form: HTMLFormElement | null): void {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}

/** "#add" in the address leads here. */
function useFocusOnHash(formRef: { current: HTMLFormElement | null }): void {
  const { hash, key } = useLocation();
  useEffect(() => {
    if (hash === '#add' && key) formRef.current?.querySelector('input')?.focus();
  }, [hash, key, formRef]);
}
