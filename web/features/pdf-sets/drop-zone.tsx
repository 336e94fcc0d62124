import type { ReactNode } from 'react';
import { entriesOf, fileOf } from '../../lib/dropped-entries.ts';
import { DropZone as AnyDropZone } from '../../ui/drop-zone.tsx';

interface DropZoneProps {
  onFiles: (files: File[]) => void;
  /** Details about accepted files, below the button. */
  children?: ReactNode;
  isSmall?: boolean;
}

/** Accepts PDF files and folders that are dropped, or chosen with the button. */
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

/** Returns all dropped files by name, including those in dropped folders, whose order is arbitrary. */
async function droppedFiles(transfer: DataTransfer): Promise<File[]> {
  // Entries are available only during the event, so they are read before the first await.
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

/** Files that are not sent, and the reasons. */
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
