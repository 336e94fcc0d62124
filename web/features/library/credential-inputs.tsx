import * as limits from '#contract/limits.ts';
import { TextField } from '../../ui/field.tsx';
import { Select } from '../../ui/select.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import {
  type CredentialFields,
  type CredentialKind,
  type CredentialProblems,
  credentialKindLabels,
  secretLabels,
} from './credential-form.ts';

interface CredentialInputsProps {
  fields: CredentialFields;
  problems: CredentialProblems;
  kinds: CredentialKind[];
  onChange: (change: Partial<CredentialFields>) => void;
}

/** Fields for a credential of the crawler. */
export function CredentialInputs({ fields, problems, kinds, onChange }: CredentialInputsProps) {
  const { kind } = fields;
  return (
    <div className="grid gap-x-5 gap-y-4 sm:grid-cols-2">
      <div className="flex items-end">
        <Select
          label="Kind"
          value={kind}
          options={kinds.map((value) => ({ value, label: credentialKindLabels[value] }))}
          onChange={(next) => onChange({ kind: next as CredentialKind })}
          className="h-9! w-full"
        />
      </div>
      <TextField
        label="Label"
        hint="A label for this credential. Defaults to the host."
        autoComplete="off"
        maxLength={200}
        value={fields.label}
        onValueChange={(label) => onChange({ label })}
      />
      {(kind === 'header' || kind === 'basic' || kind === 'token') && (
        <TextField
          label={kind === 'header' ? 'Header' : 'User name'}
          hint={kind === 'token' ? 'Leave empty unless your host requires one.' : undefined}
          placeholder={kind === 'header' ? 'Authorization' : undefined}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={fields.name}
          onValueChange={(name) => onChange({ name })}
          error={problems.name}
        />
      )}
      {kind === 'ssh-key' ? (
        <TextArea
          label={secretLabels[kind]}
          placeholder="-----BEGIN OPENSSH PRIVATE KEY-----"
          hint="Without a passphrase. Ideally a key that can only read this repository."
          value={fields.secret}
          onValueChange={(secret) => onChange({ secret })}
          error={problems.secret}
          className="sm:col-span-2"
        />
      ) : (
        <TextField
          label={secretLabels[kind]}
          type="password"
          placeholder={kind === 'cookie' ? 'session=…; other=…' : undefined}
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.sourceSecretCharactersMax}
          value={fields.secret}
          onValueChange={(secret) => onChange({ secret })}
          error={problems.secret}
        />
      )}
    </div>
  );
}
