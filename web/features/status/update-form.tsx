import { type FormEvent, useState } from 'react';
import type { Incident } from '#contract/status.ts';
import { Fault } from '../../kit/fault.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { useResolveIncident, useUpdateIncident } from './queries.ts';

type WorkingState = 'investigating' | 'identified' | 'monitoring';

const states = [
  { value: 'investigating', label: 'Investigating' },
  { value: 'identified', label: 'Identified' },
  { value: 'monitoring', label: 'Monitoring' },
];

/** Goes on with an incident that is open: another update, or its end. */
export function UpdateForm({ incident }: { incident: Incident }) {
  const isMaintenance = incident.kind === 'maintenance';
  const [state, setState] = useState(incident.state);
  const [body, setBody] = useState('');
  const [isTried, setIsTried] = useState(false);
  const [isEnding, setIsEnding] = useState(false);
  const update = useUpdateIncident();
  const resolve = useResolveIncident();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (update.isPending || body.trim() === '') return;
    const change = isMaintenance ? {} : { state: state as WorkingState };
    update.mutateAsync({ incidentId: incident.id, body, ...change }).then(
      () => {
        setBody('');
        setIsTried(false);
      },
      // Told in the form.
      () => undefined,
    );
  };
  const end = () =>
    resolve.mutateAsync({ incidentId: incident.id, ...(body.trim() === '' ? {} : { body }) }).then(
      () => setIsEnding(false),
      // Told in the dialog.
      () => undefined,
    );
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label={`Update: ${incident.title}`}
      className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4 shadow-sm"
    >
      <h3 className="font-medium text-ink">{incident.title}</h3>
      <TextArea
        label="Update"
        hint="Markdown."
        value={body}
        onValueChange={setBody}
        error={isTried && body.trim() === '' ? 'Enter an update.' : undefined}
      />
      <Fault error={update.error} />
      <div className="flex flex-wrap items-center gap-2">
        {!isMaintenance && (
          <Select label="State" options={states} value={state} onChange={(next) => setState(next as WorkingState)} />
        )}
        <Button type="submit" isBusy={update.isPending}>
          Add update
        </Button>
        <Button onClick={() => setIsEnding(true)}>{isMaintenance ? 'End maintenance…' : 'Resolve incident…'}</Button>
      </div>
      <ConfirmDialog
        isOpen={isEnding}
        onClose={() => setIsEnding(false)}
        title={isMaintenance ? 'End this maintenance?' : 'Resolve this incident?'}
        actionLabel={isMaintenance ? 'End maintenance' : 'Resolve incident'}
        look="action"
        onConfirm={() => void end()}
        isBusy={resolve.isPending}
        error={resolve.isError ? sentenceForPeople(resolve.error) : undefined}
      >
        “{incident.title}” is shown as resolved. {body.trim() === '' ? '' : 'Your text becomes its last update.'}
      </ConfirmDialog>
    </form>
  );
}
