import type { PdfUpload } from '#contract/pdf-sets.ts';
import { Button } from '../../ui/button.tsx';
import { formatBytes } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { useAbandonUpload } from './queries.ts';

/** Uploads of an earlier visit: a page cannot open a file again by itself, so it must be chosen once more. */
export function UnfinishedUploads({ setId, unfinished }: { setId: string; unfinished: PdfUpload[] }) {
  const abandon = useAbandonUpload(setId);
  if (unfinished.length === 0) return null;
  return (
    <div className="rounded-lg border border-warn-line bg-warn-ground px-4 py-3 text-sm">
      <p className="text-ink">Upload interrupted. Choose the same files to resume.</p>
      <ul className="mt-1.5 flex flex-col gap-1">
        {unfinished.map(({ uploadId, fileName, offset, sizeBytes, expiresAt }) => (
          <li key={uploadId} className="flex flex-wrap items-center justify-between gap-x-3">
            <span className="wrap-anywhere text-soft">
              {fileName}, {formatBytes(offset)} of {formatBytes(sizeBytes)}, deleted <RelativeTime at={expiresAt} />
            </span>
            <Button look="quiet" size="sm" aria-label={`Give up ${fileName}`} onClick={() => abandon.mutate(uploadId)}>
              Give up
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}
