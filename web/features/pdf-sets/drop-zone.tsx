import { Upload } from 'lucide-react';
import { type DragEvent, type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { droppedFiles } from './dropped-files.ts';

interface DropZoneProps {
  onFiles: (files: File[]) => void;
  /** What may be dropped, beneath the button. */
  children?: ReactNode;
  isSmall?: boolean;
}

/** Takes files that are dropped on it, folders too, or chosen with the button. */
export function DropZone({ onFiles, children, isSmall = false }: DropZoneProps) {
  const [isOver, setIsOver] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const hintId = useId();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    void droppedFiles(event.dataTransfer).then(onFiles);
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
      <span>{isOver ? 'Let go to add them' : 'Drop PDF files or folders here, or'}</span>
      {!isOver && (
        <Button size="sm" aria-describedby={children ? hintId : undefined} onClick={() => inputRef.current?.click()}>
          Choose files
        </Button>
      )}
      <input
        ref={inputRef}
        type="file"
        multiple
        accept="application/pdf,.pdf"
        tabIndex={-1}
        aria-hidden
        className="hidden"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          // The same file may be chosen again.
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
