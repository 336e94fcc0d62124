import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { SetupPanel } from './setup-panel.tsx';

interface FreshKeyPanelProps {
  name: string;
  secret: string;
  /** True if the key can't be shown again. */
  isShownOnce: boolean;
  onClose: () => void;
}

/** A newly created key with its setup instructions. Asks for confirmation before it closes uncopied. */
export function FreshKeyPanel({ name, secret, isShownOnce, onClose }: FreshKeyPanelProps) {
  const [isCopied, setIsCopied] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);

  return (
    <section aria-labelledby="fresh-key" className="rounded-xl border border-lamp-line bg-surface shadow-md">
      <div className="flex items-start justify-between gap-4 rounded-t-xl border-lamp-line border-b bg-lamp-ground px-5 py-4">
        <div className="min-w-0">
          <h2 id="fresh-key" ref={headingRef} tabIndex={-1} className="heading-part rounded-xs">
            “{name}” is ready
          </h2>
          <p className="text-soft">
            {isShownOnce
              ? 'Copy it now, or paste the configuration below: this team shows keys only once.'
              : 'Copy it into your agent, or paste the configuration below. You can reveal it later in the list.'}
          </p>
        </div>
        <IconButton icon={X} label="Close" onClick={() => (isCopied ? onClose() : setIsAsking(true))} />
      </div>
      <div className="flex flex-col gap-5 p-5">
        <div className="flex flex-wrap items-center gap-2">
          <code className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-md border border-line bg-sunken px-3 py-1.5 font-mono text-ink text-sm">
            {secret}
          </code>
          <CopyButton
            text={secret}
            label="Copy key"
            isLabelled
            look="action"
            size="md"
            onCopied={() => setIsCopied(true)}
          />
        </div>
        <SetupPanel secret={secret} onCopied={() => setIsCopied(true)} />
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title="Close without copying the key?"
        actionLabel="Close anyway"
        cancelLabel="Keep open"
        onConfirm={onClose}
      >
        {isShownOnce
          ? `“${name}” can't be shown again. Without a copy you must create another one.`
          : `“${name}” stays in the list, where you can reveal it.`}
      </ConfirmDialog>
    </section>
  );
}
