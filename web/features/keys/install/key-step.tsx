import { Check, Eye } from 'lucide-react';
import { useState } from 'react';
import type { ApiKey } from '#contract/keys.ts';
import { Fault } from '../../../kit/fault.tsx';
import { isEmailUnverified } from '../../../lib/api-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { CreateKeyForm } from '../create-key-form.tsx';
import { useKnownSecrets, useRevealKey, useSecret } from '../known-secrets.ts';
import { useCreateKey } from '../queries.ts';

interface KeyStepProps {
  /** Keys that may be shown, newest first. */
  keys: ApiKey[];
  chosen: ApiKey | undefined;
}

/** Chooses the key that everything on the page is filled in with, or makes one. */
export function KeyStep({ keys, chosen }: KeyStepProps) {
  const [isCreating, setIsCreating] = useState(false);
  const create = useCreateKey();
  const reveal = useRevealKey();
  const secret = useSecret(chosen?.id);
  const { choose } = useKnownSecrets();
  const toast = useToast();

  if (isCreating || chosen === undefined) {
    return (
      <div className="flex flex-col gap-3">
        {chosen === undefined && (
          <p className="text-soft">You don't have any active API keys. Create one for this agent.</p>
        )}
        <CreateKeyForm
          isBusy={create.isPending}
          error={isEmailUnverified(create.error) ? undefined : create.error}
          onCancel={chosen === undefined ? undefined : () => setIsCreating(false)}
          onCreate={(name) =>
            create.mutate(name, {
              onSuccess: () => setIsCreating(false),
              onError: (error) => {
                if (isEmailUnverified(error)) toast({ message: error.message, tone: 'bad', durationMs: 3_000 });
              },
            })
          }
        />
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-2">
        <Select
          label="Key"
          value={chosen.id}
          onChange={choose}
          options={keys.map(({ id, name, maskedKey }) => ({ value: id, label: name, note: maskedKey }))}
          className="h-9 max-w-full"
        />
        {secret === undefined ? (
          <Button look="action" isBusy={reveal.isPending} onClick={() => reveal.mutate(chosen.id)}>
            {!reveal.isPending && <Eye aria-hidden className="size-4" />}
            Fill in this key
          </Button>
        ) : (
          <span role="status" className="inline-flex items-center gap-1.5 text-soft text-sm">
            <Check aria-hidden className="size-4 text-lamp" />
            Filled in below
          </span>
        )}
        <Button look="quiet" onClick={() => setIsCreating(true)}>
          + New API Key
        </Button>
      </div>
      <Fault error={reveal.error} />
    </div>
  );
}
