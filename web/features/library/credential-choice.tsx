import { useQuery } from '@tanstack/react-query';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Select } from '../../ui/select.tsx';
import {
  type CredentialFields,
  type CredentialProblems,
  credentialKindLabels,
  credentialsFor,
  kindsFor,
} from './credential-form.ts';
import { CredentialInputs } from './credential-inputs.tsx';
import { credentialsOptions } from './credential-queries.ts';

interface CredentialChoiceProps {
  /** Of the source: only what is stored for its host is offered. */
  url: string;
  isRepository: boolean;
  chosen: string;
  onChoose: (credential: string) => void;
  fields: CredentialFields;
  problems: CredentialProblems;
  onChange: (change: Partial<CredentialFields>) => void;
}

/** None, one that is stored for the host, or a new one typed in place. */
export function CredentialChoice(props: CredentialChoiceProps) {
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
