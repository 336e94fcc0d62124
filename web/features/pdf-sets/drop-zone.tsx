import type { ReactNode } from 'react';
import { entriesOf, fileOf } from '../../lib/dropped-entries.ts';
import { DropZone as AnyDropZone } from '../../ui/drop-zone.tsx';

interface DropZoneProps {
  onFiles: (files: File[]) => void;
  /** What may be dropped, beneath the button. */
  children?: ReactNode;
  isSmall?: boolean;
}

/** Takes PDF files that are dropped on it, folders too, or chosen with the button. */
export function DropZone({ onFiles, ...rest }: DropZoneProps) {
  return (
    <AnyDropZone
      prompt="Drop PDF files or folders here, or"
      accept="application/pdf,.pdf"
      onChosen={onFiles}
      onDropped={(transfer) => void droppedFiles(transfer).then(onFiles)}
      {...rest}
    />
  );
}

/** Every file of a drop by name, those in dropped folders included; folders tell theirs in any order. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries are gone once the event is over, so they are taken before anything is waited for.
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  if (entries.length === 0) return [...transfer.files];
  const found: File[] = [];
  const waiting = [...entries];
  for (let entry = waiting.shift(); entry !== undefined; entry = waiting.shift()) {
    if (entry.isDirectory) waiting.push(...(await entriesOf(entry as FileSystemDirectoryEntry)));
    else found.push(await fileOf(entry as FileSystemFileEntry));
  }
  return found.toSorted((a, b) => a.name.localeCompare(b.name, undefined, { numeric: true }));
}

const shownMax = 5;

/** What was chosen and is not sent, and why. */
export function RefusedFiles({ refused }: { refused: string[] }) {
  if (refused.length === 0) return null;
  return (
    <div role="alert" className="text-danger text-sm">
      <ul className="flex flex-col gap-0.5">
        {refused.slice(0, shownMax).map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            {sentence}
          </li>
        ))}
      </ul>
      {refused.length > shownMax && <p>{refused.length - shownMax} more were not accepted either.</p>}
    </div>
  );
}
