import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openRig, type Rig } from '#test/library/rig.ts';
import { onEachDatabase } from '#test/services/database.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';
import { indexOwnDocs } from './index-own-docs.ts';
import { listJobs } from './jobs.ts';
import { removeModule } from './remove-module.ts';

function builtProgram(): string {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'dist', 'docs', 'pages', 'guide'), { recursive: true });
  writeFileSync(join(folder, 'dist', 'docs', 'pages.json'), '{}');
  writeFileSync(join(folder, 'dist', 'docs', 'pages', 'guide', 'start.md'), '# Start\n\nHow it begins.\n');
  return folder;
}

const offer = (rig: Rig, programFolder: string) =>
  indexOwnDocs(rig.ctx, { programFolder, productName: 'Lectern' }, rig.notices);
const jobsOf = async (rig: Rig) => (await listJobs(rig.ctx)).length;

onEachDatabase('the bundled documentation', (kind) => {
  test('is indexed at the first start and again after an upgrade, unless it was removed', async () => {
    const rig = await openRig({ kind });
    const program = builtProgram();
    await offer(rig, program);
    expect(await listJobs(rig.ctx)).toMatchObject([
      { moduleId: 'lectern', displayName: 'Lectern', visibility: 'public', kind: 'folder' },
    ]);
    await rig.runNext();
    await offer(rig, program);
    expect(await jobsOf(rig)).toBe(1);

    const later = new Date(rig.ctx.clock.now() + 60_000);
    utimesSync(join(program, 'dist', 'docs', 'pages.json'), later, later);
    await offer(rig, program);
    expect(await jobsOf(rig)).toBe(2);
    await rig.runNext();

    await removeModule(rig.ctx, { moduleId: 'lectern', visibility: 'public' }, rig.notices);
    await offer(rig, program);
    expect(await jobsOf(rig)).toBe(2);
  });

  test('is not indexed if the installation has sources or no built documentation', async () => {
    const used = await openRig({ kind });
    await used.start('https://docs.example/');
    await offer(used, builtProgram());
    expect(await jobsOf(used)).toBe(1);

    const bare = await openRig({ kind });
    await offer(bare, temporaryFolder());
    expect(await jobsOf(bare)).toBe(0);
    // A build may follow later.
    await offer(bare, builtProgram());
    expect(await jobsOf(bare)).toBe(1);
  });
});
