import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';

interface PasswordLinkPanelProps {
  name: string;
  url: string;
  isMailed: boolean;
  onClose: () => void;
}

/** A link that lets its holder set an account's password, for the operator to pass on. */
export function PasswordLinkPanel({ name, url, isMailed, onClose }: PasswordLinkPanelProps) {
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section aria-labelledby="password-link" className="rounded-xl border border-lamp-line bg-surface shadow-md">
      <div className="flex items-start justify-between gap-4 rounded-t-xl border-lamp-line border-b bg-lamp-ground px-5 py-4">
        <div className="min-w-0">
          <h2 id="password-link" ref={headingRef} tabIndex={-1} className="heading-part wrap-anywhere rounded-xs">
            Password link for {name}
          </h2>
          <p className="text-soft">
            {isMailed ? 'We sent it by email. You can also pass it on yourself. ' : 'Send it to them yourself. '}
            Anyone who has it can sign in as {name}, so use a private channel. It works once.
          </p>
        </div>
        <Button look="quiet" size="icon-sm" aria-label="Close" onClick={onClose}>
          <X aria-hidden className="size-4" />
        </Button>
      </div>
      <div className="flex flex-wrap items-center gap-2 p-5">
        <code className="wrap-anywhere min-w-0 flex-1 basis-64 rounded-md border border-line bg-sunken px-3 py-1.5 font-mono text-ink text-sm">
          {url}
        </code>
        <CopyButton text={url} label="Copy link" isLabelled look="action" size="md" />
      </div>
    </section>
  );
}
