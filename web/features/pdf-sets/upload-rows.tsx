import { Pause, Play, RotateCcw, X } from 'lucide-react';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatBytes } from '../../ui/quantities.ts';
import { type FileUpload, isUnderWay, type UploadState } from './upload-queue.ts';
import { uploads } from './uploads.ts';

const words: Record<UploadState, string> = {
  waiting: 'Queued',
  sending: 'Uploading',
  interrupted: 'Connection lost, trying again…',
  paused: 'Paused',
  finishing: 'Checking the file',
  failed: 'Not uploaded',
  done: 'Uploaded',
};

/** A set's uploads with their actions. */
export function UploadRows({ list }: { list: FileUpload[] }) {
  const left = list.filter(({ state }) => state !== 'done');
  // Finished uploads are listed among the set's files.
  if (left.length === 0) return null;
  const sent = list.reduce((sum, { sentBytes }) => sum + sentBytes, 0);
  const all = list.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const moving = list.filter(isUnderWay);
  const halted = list.filter(({ state }) => state === 'paused' || state === 'failed');
  return (
    <section aria-label="Uploads" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-2 border-line border-b bg-sunken px-4 py-1.5 text-sm">
        <span role="status" className="tabular text-soft">
          {`${list.length - left.length} of ${countOf(list.length, 'file')} uploaded, ${formatBytes(sent)} of ${formatBytes(all)}`}
        </span>
        <span className="flex gap-1">
          {moving.length > 1 && (
            <Button look="quiet" size="sm" onClick={() => moving.forEach(({ id }) => uploads.pause(id))}>
              Pause all
            </Button>
          )}
          {halted.length > 1 && (
            <Button look="quiet" size="sm" onClick={() => halted.forEach(({ id }) => uploads.resume(id))}>
              Resume all
            </Button>
          )}
        </span>
      </div>
      <ul className="max-h-96 divide-y divide-line overflow-y-auto">
        {left.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
    </section>
  );
}

function UploadRow({ upload }: { upload: FileUpload }) {
  const { id, name, state, sentBytes, sizeBytes, error } = upload;
  const share = sizeBytes === 0 ? 0 : Math.floor((sentBytes / sizeBytes) * 100);
  const isBad = state === 'failed' || state === 'interrupted';
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <div className="min-w-0 flex-1">
        <div className="flex items-baseline justify-between gap-3">
          <span className="wrap-anywhere text-ink text-sm">{name}</span>
          <span className={classNames('tabular shrink-0 text-xs', isBad ? 'text-danger' : 'text-faint')}>
            {state === 'sending' ? `${share}% of ${formatBytes(sizeBytes)}` : words[state]}
          </span>
        </div>
        {state !== 'done' && (
          <div className="mt-1.5">
            <Progress
              label={`Upload of ${name}`}
              value={sentBytes}
              max={sizeBytes}
              valueText={`${words[state]}, ${share}%`}
              tone={state === 'sending' || state === 'finishing' ? 'busy' : 'quiet'}
            />
          </div>
        )}
        {isBad && error !== undefined && (
          <p role={state === 'failed' ? 'alert' : undefined} className="mt-1 text-danger text-xs">
            {error}
          </p>
        )}
      </div>
      <span className="flex shrink-0 gap-0.5">
        {isUnderWay(upload) && state !== 'finishing' && (
          <IconButton icon={Pause} label={`Pause ${name}`} onClick={() => uploads.pause(id)} />
        )}
        {(state === 'paused' || state === 'failed') && (
          <Button
            look="quiet"
            size="icon-sm"
            aria-label={`${state === 'paused' ? 'Resume' : 'Try again'}: ${name}`}
            onClick={() => uploads.resume(id)}
          >
            {state === 'paused' ? (
              <Play aria-hidden className="size-4" />
            ) : (
              <RotateCcw aria-hidden className="size-4" />
            )}
          </Button>
        )}
        {state !== 'finishing' && (
          <IconButton icon={X} label={`Cancel the upload of ${name}`} onClick={() => void uploads.remove(id)} />
        )}
      </span>
    </li>
  );
}
