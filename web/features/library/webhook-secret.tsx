import { useEffect, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';

/** A secret that is shown this once. Asks before it goes away uncopied. */
export function FreshSecret({ secret, onDone }: { secret: string; onDone: () => void }) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const codeRef = useRef<HTMLElement>(null);
  // What was pressed to have it is gone by now, or far from it.
  useEffect(() => codeRef.current?.focus(), []);
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-lamp-line bg-lamp-ground p-3">
      <p className="text-soft text-sm">Copy it now and enter it at the host: it is not shown again.</p>
      <div className="flex flex-wrap items-center gap-2">
        <code
          ref={codeRef}
          tabIndex={-1}
          className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-md border border-line bg-surface px-3 py-1.5 font-mono text-ink text-sm"
        >
          {secret}
        </code>
        <CopyButton
          text={secret}
          label="Copy secret"
          isLabelled
          look="action"
          size="md"
          onCopied={() => setIsCopied(true)}
        />
        <Button onClick={() => (isCopied ? onDone() : setIsAsking(true))}>Done</Button>
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Hide the secret without copying it?"
        actionLabel="Hide it"
        cancelLabel="Keep it in sight"
        onConfirm={onDone}
      >
        It can't be shown again. Without a copy you must create a new one.
      </ConfirmDialog>
    </div>
  );
}
