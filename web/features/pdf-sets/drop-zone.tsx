import type { ReactNode } from 'react';
import { DropZone as AnyDropZone } from '../../ui/drop-zone.tsx';
import { droppedFiles } from './dropped-files.ts';

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
