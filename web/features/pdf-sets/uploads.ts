import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useSyncExternalStore } from 'react';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { pdfSetsOptions } from '../../lib/pdf-set-queries.ts';
import { useSession } from '../../lib/session.ts';
import { type FileUpload, isUnderWay, UploadQueue } from './upload-queue.ts';
import { serverTransport } from './upload-transport.ts';

const setListeners = new Set<(set: PdfSet, workspace: string) => void>();

/** The page's only queue: uploads continue while another screen is shown. */
export const uploads = new UploadQueue({
  transport: serverTransport,
  wait: waitForConnection,
  onSet: (set, workspace) => {
    for (const listener of setListeners) listener(set, workspace);
  },
});

/** Returns this page's uploads. While mounted, writes updated sets to the cache. */
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

/** Clears the uploads when the user changes, so that the next user of this browser does not see them. */
function useEndWithSession(uid: string | undefined): void {
  useEffect(() => {
    if (uid !== undefined && owner !== undefined && owner !== uid) uploads.clear();
    owner = uid ?? owner;
  }, [uid]);
}

// Makes the browser ask before a page with uploads in progress is closed.
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
