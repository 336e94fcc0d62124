import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCodeHost } from './code-host.ts';

// Started by `./lectern dev`: prints the variables to configure on the server, and runs until it is stopped.
const folder = mkdtempSync(join(tmpdir(), 'lectern-code-host-'));
const host = await startCodeHost(folder, Number(process.argv[2] ?? 0));
for (const login of ['ada', 'ben']) host.addPerson(login);
const handbook = {
  'README.md': '# Handbook\n\nHow we work.\n',
  'docs/holidays.md': '# Holidays\n\nAsk for them early.\n',
};
await host.addProject('ada/handbook', {
  isPrivate: true,
  files: handbook,
  readers: ['ben'],
  description: 'How we work',
});
await host.addProject('ada/parser', { files: { 'README.md': '# Parser\n\nReads text.\n' }, description: 'Reads text' });
for (let at = 1; at <= 40; at += 1) await host.addProject(`ada/sample-${at}`, { description: `Sample ${at}` });
console.log(JSON.stringify(host.environment.oauth));
process.on('SIGTERM', () => {
  rmSync(folder, { recursive: true, force: true });
  void host.stop();
});
