import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';

interface DropZoneProps {
  /** Says what can be dropped, before the button: "Drop … here, or". */
  prompt: string;
  /** Like `accept` of a file input. */
  accept?: string;
  onChosen: (files: File[]) => void;
  /** The entries are available only during the event. */
  onDropped: (transfer: DataTransfer) => void;
  /** Details about accepted files, below the button. */
  children?: ReactNode;
  isSmall?: boolean;
}

/** Accepts files and folders that are dropped, or chosen with the button. */
export function DropZone({ prompt, accept, onChosen, onDropped, children, isSmall = false }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    onDropped(event.dataTransfer);
  };
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setIsOver(false);
      }}
      onDrop={drop}
      className={classNames(
        'flex flex-wrap items-center justify-center gap-x-3 gap-y-1.5 rounded-lg border border-dashed px-4 text-center text-sm transition-colors',
        isSmall ? 'py-3' : 'py-7',
        isOver ? 'border-lamp bg-lamp-ground text-lamp' : 'border-line-strong text-soft',
      )}
    >
      <Upload aria-hidden className="size-4 shrink-0" />
      <span>{isOver ? 'Drop to add' : prompt}</span>
      {!isOver && (
        <Button size="sm" aria-describedby={children ? hintId : undefined} onClick={() => inputRef.current?.click()}>
          Choose files
        </Button>
      )}
      <input
        ref={inputRef}
        type="file"
        multiple
        accept={accept}
        tabIndex={-1}
        aria-hidden
        className="hidden"
        onChange={(event) => {
          onChosen([...(event.target.files ?? [])]);
          // Allows choosing the same file again.
          event.target.value = '';
        }}
      />
      {children && (
        <span id={hintId} className="basis-full text-faint text-xs">
          {children}
        </span>
      )}
    </div>
  );
}
