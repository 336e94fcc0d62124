import type { PdfFile, PdfSet, PdfUpload } from '#contract/pdf-sets.ts';
import { pdfPartPath, pdfSetEndpoints, pdfUploadSchema } from '#contract/pdf-sets.ts';
import { callApi } from '../../lib/api-client.ts';
import { errorFromEnvelope, offlineError, unreadableError } from '../../lib/api-error.ts';
import { workspaceHeader } from '../../lib/request.ts';

/** A file to upload: a browser file, or any object with a name that can be sliced. */
export type SendableFile = Pick<File, 'name' | 'size' | 'lastModified' | 'slice'>;

interface Part {
  uploadId: string;
  offset: number;
  bytes: Blob;
  workspace: string;
  /** Called with the number of bytes of this part sent so far. */
  onProgress: (bytes: number) => void;
  signal: AbortSignal;
}

/** The calls that make up an upload. All throw `ApiError`. */
export interface UploadTransport {
  begin(setId: string, file: SendableFile, workspace: string): Promise<PdfUpload>;
  stand(uploadId: string, workspace: string): Promise<PdfUpload>;
  sendPart(part: Part): Promise<PdfUpload>;
  complete(uploadId: string, workspace: string): Promise<{ set: PdfSet; file: PdfFile }>;
  abandon(uploadId: string, workspace: string): Promise<void>;
  index(setId: string, workspace: string): Promise<PdfSet>;
}

export const serverTransport: UploadTransport = {
  begin: async (setId, { name, size, lastModified }, workspace) => {
    const input = { setId, fileName: name, sizeBytes: size, lastModified };
    return (await callApi(pdfSetEndpoints.startPdfUpload, input, undefined, workspace)).upload;
  },
  stand: async (uploadId, workspace) =>
    (await callApi(pdfSetEndpoints.getPdfUpload, { uploadId }, undefined, workspace)).upload,
  sendPart,
  complete: (uploadId, workspace) => callApi(pdfSetEndpoints.completePdfUpload, { uploadId }, undefined, workspace),
  abandon: async (uploadId, workspace) => {
    await callApi(pdfSetEndpoints.abandonPdfUpload, { uploadId }, undefined, workspace);
  },
  index: async (setId, workspace) => (await callApi(pdfSetEndpoints.indexPdfSet, { setId }, undefined, workspace)).set,
};

/** Uses `XMLHttpRequest`, because only it reports a body's upload progress. */
function sendPart({ uploadId, offset, bytes, workspace, onProgress, signal }: Part): Promise<PdfUpload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const settle = (act: () => void) => {
      signal.removeEventListener('abort', stop);
      act();
    };
    request.open('PUT', pdfPartPath(uploadId, offset));
    request.responseType = 'json';
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.setRequestHeader('x-lectern-csrf', '1');
    for (const [name, value] of Object.entries(workspaceHeader(workspace))) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded }) => onProgress(loaded);
    request.onerror = () => settle(() => reject(offlineError()));
    request.onabort = () => settle(() => reject(signal.reason ?? offlineError()));
    request.onload = () =>
      settle(() => {
        if (request.status >= 400) return reject(errorFromEnvelope(request.response, request.status));
        const answer = request.response as { upload?: unknown } | null;
        const upload = pdfUploadSchema.safeParse(answer?.upload);
        if (upload.success) resolve(upload.data);
        else reject(unreadableError(request.status));
      });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) request.abort();
    else request.send(bytes);
  });
}
