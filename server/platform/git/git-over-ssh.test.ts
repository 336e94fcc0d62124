import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openTestGit } from '#test/services/git-client.ts';
import { createRepository } from '#test/services/git-repository.ts';
import { hasSshServer, startSshServer } from '#test/services/ssh-server.ts';
import { temporaryFolder } from '#test/services/temporary-folder.ts';

async function openParts() {
  const folder = temporaryFolder();
  const server = await startSshServer(folder);
  onTestFinished(() => server.stop());
  const repository = await createRepository(join(folder, 'handbook.git'));
  await repository.commit({ 'README.md': '# Over SSH' });
  const parts = openTestGit({ allowHosts: [server.host] });
  onTestFinished(() => parts.exit.close());
  const url = `ssh://${server.user}@${server.host}${repository.folder}`;
  return { server, repository, url, ...parts };
}

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => ({ code: 'none', message: '' }),
    (error: Error & { code: string }) => ({ code: error.code, message: error.message }),
  );

describe.skipIf(!hasSshServer())('a repository over SSH', () => {
  test('is read with the stored key, which is deleted from disk with the folder', async () => {
    const { server, url, git, workFolder, hosts } = await openParts();
    const credential = { kind: 'ssh-key' as const, privateKey: server.privateKey };
    const tree = await git.fetchTree({ url, credential }, {});
    await tree.fetchBlobs(tree.entries.map(({ id }) => id));
    const blob = await tree.openBlobs().read(tree.entries[0]?.id ?? '', 1_000);
    expect(blob).toMatchObject({ bytes: Buffer.from('# Over SSH') });
    await tree.close();
    expect(readdirSync(workFolder)).toEqual([]);
    expect([...hosts.keys()]).toEqual([`[127.0.0.1]:${server.port}`]);
  });

  test('is refused with another key, no key or an invalid key', async () => {
    const { server, url, git, hosts } = await openParts();
    const withKey = (privateKey: string) =>
      refusalOf(git.findRef({ url, credential: { kind: 'ssh-key', privateKey } }));
    expect(await withKey(server.otherPrivateKey)).toMatchObject({ code: 'credential-refused' });
    expect(await refusalOf(git.findRef({ url }))).toMatchObject({ code: 'credential-needed' });
    expect(await withKey('no key')).toMatchObject({ code: expect.stringMatching(/^credential-/) });
    expect(hosts.size).toBe(0);
    const basic = { kind: 'basic' as const, username: 'x', password: 'y' };
    expect(await refusalOf(git.findRef({ url, credential: basic }))).toMatchObject({ code: 'credential-unusable' });
  });

  test('is not read if the host shows another key than the first time', async () => {
    const { server, url, git } = await openParts();
    const credential = { kind: 'ssh-key' as const, privateKey: server.privateKey };
    await git.findRef({ url, credential });
    await server.changeHostKey();
    expect(await refusalOf(git.findRef({ url, credential }))).toMatchObject({ code: 'host-key-changed' });
  });

  test('that is missing is reported like any other', async () => {
    const { server, url, git } = await openParts();
    const credential = { kind: 'ssh-key' as const, privateKey: server.privateKey };
    const refusal = await refusalOf(git.findRef({ url: `${url}x`, credential }));
    expect(refusal).toMatchObject({ code: 'repository-not-found' });
  });
});
