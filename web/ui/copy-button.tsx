import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { useToast } from './toast.tsx';

const copiedMs = 2_000;

interface CopyButtonProps {
  text: string;
  /** What is copied, for those who do not see beside what the button stands: "Copy key". */
  label: string;
  /** Shows the label beside the icon. */
  isLabelled?: boolean;
  look?: 'plain' | 'quiet' | 'action';
  size?: 'md' | 'sm';
  onCopied?: () => void;
}

/** Copies, and says "Copied" only after the clipboard has taken it. */
export function CopyButton({
  text,
  label,
  isLabelled = false,
  look = 'quiet',
  size = 'sm',
  onCopied,
}: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState<number>();
  const toast = useToast();

  useEffect(() => {
    if (copiedAt === undefined) return;
    const timer = setTimeout(() => setCopiedAt(undefined), copiedMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // Refused or not available (a page served without https); the text can still be selected by hand.
      toast({ message: 'Failed to copy', tone: 'bad' });
      return;
    }
    setCopiedAt(performance.now());
    onCopied?.();
  };

  const isCopied = copiedAt !== undefined;
  return (
    <Button
      look={look}
      size={isLabelled || isCopied ? size : size === 'sm' ? 'icon-sm' : 'icon'}
      aria-label={isLabelled ? undefined : isCopied ? 'Copied' : label}
      onClick={() => void copy()}
    >
      {isCopied ? <Check aria-hidden className="size-3.5 text-lamp" /> : <Copy aria-hidden className="size-3.5" />}
      {isCopied ? 'Copied' : isLabelled && label}
      <span className="sr-only" aria-live="polite">
        {isCopied && 'Copied to clipboard'}
      </span>
    </Button>
  );
}
