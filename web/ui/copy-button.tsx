import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { useToast } from './toast.tsx';

const copiedMs = 2_000;

interface CopyButtonProps {
  /** The text, or a function that loads it. */
  text: string | (() => Promise<string>);
  /** Accessible label that names the copied content: "Copy key". */
  label: string;
  /** Shows the label beside the icon. */
  isLabelled?: boolean;
  look?: 'plain' | 'quiet' | 'action';
  size?: 'md' | 'sm';
  isDisabled?: boolean;
  onCopied?: () => void;
}

/** Copies text, and shows "Copied" only after the clipboard has accepted it. */
export function CopyButton({
  text,
  label,
  isLabelled = false,
  look = 'quiet',
  size = 'sm',
  isDisabled = false,
  onCopied,
}: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState<number>();
  const toast = useToast();

  useEffect(() => {
    if (copiedAt === undefined) return;
    const timer = setTimeout(() => setCopiedAt(undefined), copiedMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);

  const copy = async (button: Element) => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
    } catch {
      // Denied or unavailable (a page not served over https); the text can still be selected manually.
      toast({ id: 'copy', message: 'Failed to copy', tone: 'bad', target: button });
      return;
    }
    toast({ id: 'copy', message: 'Copied to clipboard', target: button });
    setCopiedAt(performance.now());
    onCopied?.();
  };

  const isCopied = copiedAt !== undefined;
  return (
    <Button
      look={look}
      disabled={isDisabled}
      size={isLabelled || isCopied ? size : size === 'sm' ? 'icon-sm' : 'icon'}
      aria-label={isLabelled ? undefined : isCopied ? 'Copied' : label}
      onClick={({ currentTarget }) => void copy(currentTarget)}
    >
      {isCopied ? (
        <Check aria-hidden className={classNames('size-3.5', look !== 'action' && 'text-lamp')} />
      ) : (
        <Copy aria-hidden className="size-3.5" />
      )}
      {isCopied ? 'Copied' : isLabelled && label}
    </Button>
  );
}
