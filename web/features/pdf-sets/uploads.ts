import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { pdfSetsOptions } from '../../lib/pdf-set-queries.ts';
import { useSession } from '../../lib/session.ts';
import { type FileUpload, isUnderWay, UploadQueue } from './upload-queue.ts';
import { serverTransport } from './upload-transport.ts';

const setListeners = new Set<(set: PdfSet, workspace: string) => void>();

/** One for this page: uploads go on while another screen is shown. */
export const uploads = new UploadQueue({
  transport: serverTransport,
  wait: waitForConnection,
  onSet: (set, workspace) => {
    for (const listener of setListeners) listener(set, workspace);
  },
});

/** The uploads of this page. Writes what they change into the cache as long as someone looks. */
export function useUploads(): FileUpload[] {
  const client = useQueryClient();
  const uid = useSession().data?.user?.uid;
  const list = useSyncExternalStore(uploads.subscribe, uploads.list);
  useEffect(() => {
    const write = (set: PdfSet, workspace: string) => {
      client.setQueryData(pdfSetsOptions(workspace).queryKey, (known) =>
        known ? { ...known, sets: known.sets.map((other) => (other.setId === set.setId ? set : other)) } : known,
      );
      void client.invalidateQueries({ queryKey: pdfSetsOptions(workspace).queryKey });
    };
    setListeners.add(write);
    return () => void setListeners.delete(write);
  }, [client]);
  useEndWithSession(uid);
  return list;
}

let owner: string | undefined;

/** What one person uploads is not shown to the next one at this browser. */
function useEndWithSession(uid: string | undefined): void {
  useEffect(() => {
    if (uid !== undefined && owner !== undefined && owner !== uid) uploads.clear();
    owner = uid ?? owner;
  }, [uid]);
}

// The browser asks before a page with uploads in progress is closed.
if (typeof window !== 'undefined') {
  window.addEventListener('beforeunload', (event) => {
    if (uploads.list().some(isUnderWay)) event.preventDefault();
  });
}

function waitForConnection(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      window.removeEventListener('online', done);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    window.addEventListener('online', done);
    signal.addEventListener('abort', done);
  });
}
