import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { type Incident, type IncidentSeverity, incidentLimits, statusEndpoints } from '#contract/status.ts';
import { type StatusPart, statusPartNames, statusParts } from '#contract/status-parts.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { TextField } from '../../ui/field.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { statusOptions } from './queries.ts';

/** The operator's form for reporting incidents. */
export function OperatorSection() {
  const [isWriting, setIsWriting] = useState(false);
  const incidents = useQuery(statusOptions).data?.incidents ?? [];
  return (
    <section
      aria-labelledby="operator"
      className="flex flex-col gap-5 rounded-xl border border-line-strong bg-sunken px-5 py-5 sm:px-7"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <div>
          <PartHeading id="operator">For the operator</PartHeading>
          <p className="text-soft text-sm">Your text is published immediately on this page and in the feed.</p>
        </div>
        {!isWriting && <Button onClick={() => setIsWriting(true)}>Report an incident</Button>}
      </div>
      {isWriting && <IncidentForm onClose={() => setIsWriting(false)} />}
      {incidents.map((incident) => (
        <UpdateForm key={incident.id} incident={incident} />
      ))}
    </section>
  );
}

type WorkingState = 'investigating' | 'identified' | 'monitoring';

const states = [
  { value: 'investigating', label: 'Investigating' },
  { value: 'identified', label: 'Identified' },
  { value: 'monitoring', label: 'Monitoring' },
];

/** Adds an update to an open incident, or resolves it. */
function UpdateForm({ incident }: { incident: Incident }) {
  const isMaintenance = incident.kind === 'maintenance';
  const [state, setState] = useState(incident.state);
  const [body, setBody] = useState('');
  const [isTried, setIsTried] = useState(false);
  const update = useAction(statusEndpoints.updateIncident, { invalidates: ['status'] });
  const ending = useConfirm(
    {
      title: () => (isMaintenance ? 'End this maintenance?' : 'Resolve this incident?'),
      body: ({ title }: Incident) =>
        `“${title}” is shown as resolved. ${body.trim() === '' ? '' : 'Your text becomes its last update.'}`,
      actionLabel: isMaintenance ? 'End maintenance' : 'Resolve incident',
      look: 'action',
    },
    useAction(statusEndpoints.resolveIncident, { invalidates: ['status'] }),
    ({ id }) => ({ incidentId: id, ...(body.trim() === '' ? {} : { body }) }),
  );
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
      // The form shows the error.
      () => undefined,
    );
  };
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
        <Button onClick={() => ending.ask(incident)}>{isMaintenance ? 'End maintenance…' : 'Resolve incident…'}</Button>
      </div>
      {ending.dialog}
    </form>
  );
}

const kinds = [
  { value: 'incident', label: 'Incident' },
  { value: 'maintenance', label: 'Maintenance' },
] as const;

const severities = [
  { value: 'minor', label: 'Minor', hint: "Doesn't change the status" },
  { value: 'major', label: 'Major', hint: 'Shows the installation as degraded' },
  { value: 'critical', label: 'Critical', hint: 'Shows the installation as down' },
];

/** Reports a new incident, or maintenance with its times in this browser's time zone. */
function IncidentForm({ onClose }: { onClose: () => void }) {
  const [kind, setKind] = useState<'incident' | 'maintenance'>('incident');
  const [title, setTitle] = useState('');
  const [body, setBody] = useState('');
  const [severity, setSeverity] = useState<IncidentSeverity>('major');
  const [parts, setParts] = useState<StatusPart[]>([]);
  const [times, setTimes] = useState({ from: '', until: '' });
  const [isTried, setIsTried] = useState(false);
  const open = useAction(statusEndpoints.openIncident, { invalidates: ['status'] });
  const missing = {
    title: title.trim() === '' ? 'Enter a short title.' : undefined,
    body: body.trim() === '' ? 'Enter a description.' : undefined,
    until: kind === 'maintenance' && times.until === '' ? 'Enter the end time.' : undefined,
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsTried(true);
    if (open.isPending || Object.values(missing).some((fault) => fault !== undefined)) return;
    const planned = kind === 'maintenance' ? { startsAt: instantOf(times.from), endsAt: instantOf(times.until) } : {};
    open.mutateAsync({ title, body, severity, parts, ...planned }).then(onClose, () => undefined);
  };
  const toggle = (part: StatusPart) =>
    setParts(parts.includes(part) ? parts.filter((other) => other !== part) : [...parts, part]);
  return (
    <form
      onSubmit={submit}
      noValidate
      aria-label="Report an incident"
      className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-4 shadow-sm"
    >
      <div className="flex flex-wrap items-center gap-3">
        <Segments label="Kind" value={kind} options={kinds} onChange={setKind} />
        {kind === 'incident' && (
          <Select
            label="Severity"
            options={severities}
            value={severity}
            onChange={(next) => setSeverity(next as IncidentSeverity)}
          />
        )}
      </div>
      <TextField
        label="Title"
        autoFocus
        maxLength={incidentLimits.titleCharactersMax}
        value={title}
        onValueChange={setTitle}
        error={isTried ? missing.title : undefined}
      />
      <TextArea
        label="Description"
        hint="Markdown."
        value={body}
        onValueChange={setBody}
        error={isTried ? missing.body : undefined}
      />
      {kind === 'maintenance' && (
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            label="From"
            type="datetime-local"
            hint="In your time zone. Leave empty to start now."
            value={times.from}
            onValueChange={(from) => setTimes({ ...times, from })}
          />
          <TextField
            label="Until"
            type="datetime-local"
            hint="In your time zone."
            value={times.until}
            onValueChange={(until) => setTimes({ ...times, until })}
            error={isTried ? missing.until : undefined}
          />
        </div>
      )}
      <fieldset className="flex flex-col gap-2">
        <legend className="font-medium text-ink text-sm">Affected components</legend>
        <div className="flex flex-wrap gap-x-5 gap-y-2">
          {statusPartNames.map((part) => (
            <Checkbox
              key={part}
              label={statusParts[part].label}
              isChecked={parts.includes(part)}
              onChange={() => toggle(part)}
            />
          ))}
        </div>
      </fieldset>
      <Fault error={open.error} />
      <div className="flex gap-2">
        <Button type="submit" look="action" isBusy={open.isPending}>
          Publish
        </Button>
        <Button onClick={onClose}>Cancel</Button>
      </div>
    </form>
  );
}

/** Returns the value of a date and time field in epoch milliseconds, or undefined if it is empty. */
function instantOf(local: string): number | undefined {
  const at = new Date(local).getTime();
  return Number.isNaN(at) ? undefined : at;
}
