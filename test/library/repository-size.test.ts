import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openRepositoryRig } from './repository-rig.ts';

const pictures = Object.fromEntries(Array.from({ length: 8 }, (_, at) => [`art/${at}.png`, randomBytes(500_000)]));

test('only the pages of a repository over the size limit are fetched', async () => {
  const rig = await openRepositoryRig({ limits: { fetchBytesMax: 400_000 } });
  const repository = await rig.server.add('team/gallery');
  await repository.commit({ ...pictures, 'README.md': '# Gallery\n\nThe gallery is open from nine.' });
  const job = await rig.index(repository.url);
  expect(job).toMatchObject({ status: 'COMPLETE', found: 9, fetched: 1, skipped: 8 });

  execFileSync('git', ['-C', repository.folder, 'config', 'uploadpack.allowFilter', 'false']);
  await repository.commit({ 'README.md': '# Gallery\n\nThe gallery is closed.' });
  const failed = await rig.index(repository.url);
  expect(failed.status).toBe('FAILED');
  expect(failed.error).toMatch(/sends all files of the revision at once.*uploadpack\.allowFilter/);
  expect(readdirSync(rig.workFolder)).toEqual([]);
  const page = `${rig.server.origin}/team/gallery.git/main/README.md`;
  expect(await rig.read(page)).toContain('open from nine');
});
