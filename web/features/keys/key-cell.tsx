import { Eye, EyeOff } from 'lucide-react';
import type { ApiKey } from '#contract/keys.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useKnownSecrets, useRevealKey, useSecret, useSecretReader } from './known-secrets.ts';

/** A key in its row: masked until it is revealed, with its own switch and copy button. */
export function KeyCell({ apiKey }: { apiKey: ApiKey }) {
  const known = useSecret(apiKey.id);
  // It may have been revoked, or its team may show keys once, since it was revealed.
  const secret = apiKey.isRevealable ? known : undefined;
  const reveal = useRevealKey();
  const readSecret = useSecretReader();
  const { forget } = useKnownSecrets();
  const toast = useToast();
  const isShown = secret !== undefined;

  const toggle = (button: Element) => {
    if (isShown) return forget(apiKey.id);
    reveal.mutate(apiKey.id, {
      onError: (error) => toast({ message: sentenceForPeople(error), tone: 'bad', target: button, durationMs: 5_000 }),
    });
  };
  return (
    <div className="flex min-w-0 items-center gap-1">
      <code
        className={classNames(
          'wrap-anywhere min-w-0 font-mono text-sm',
          isShown && 'rounded-xs bg-sunken px-1',
          apiKey.isActive ? 'text-soft' : 'text-faint line-through',
        )}
      >
        {secret ?? apiKey.maskedKey}
      </code>
      <Button
        look="quiet"
        size="icon-sm"
        aria-label={`${isShown ? 'Hide' : 'Show'} ${apiKey.name}`}
        disabled={!apiKey.isRevealable}
        isBusy={reveal.isPending}
        onClick={({ currentTarget }) => toggle(currentTarget)}
      >
        {!reveal.isPending &&
          (isShown ? <EyeOff aria-hidden className="size-3.5" /> : <Eye aria-hidden className="size-3.5" />)}
      </Button>
      <CopyButton
        text={secret ?? (() => readSecret(apiKey.id))}
        label={`Copy ${apiKey.name}`}
        isDisabled={!apiKey.isRevealable}
      />
    </div>
  );
}
