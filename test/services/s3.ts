import { startFauxqs } from 'fauxqs';
import type { S3BlobConfig } from '#server/platform/blobs/blobs.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** An in-memory S3 service on loopback with one bucket. It accepts any signature. */
export interface S3Service {
  config: S3BlobConfig;
  stop(): Promise<void>;
}

export async function startS3(): Promise<S3Service> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false });
  server.createBucket('library');
  const config: S3BlobConfig = {
    kind: 's3',
    bucket: 'library',
    prefix: 'one/installation',
    region: 'eu-central-1',
    endpoint: `http://127.0.0.1:${server.port}`,
    credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI+K7MDENG' },
    cacheFolder: temporaryFolder(),
  };
  return { config, stop: () => server.stop() };
}
