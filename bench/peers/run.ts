import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { comparison, mediansOf, type PeerFigures } from './compare.ts';
import { openPeerRunner } from './peer-runner.ts';

const help = `Usage: lectern peers --corpora DIR [options]

Measures Lectern and other documentation servers in one run, on the same pages and questions, prints their figures and how ours
compare, and writes bench/peers.json. Peers are installed from npm, into a folder that is removed at the end.

  --corpora DIR    unpacked documentation packages of the shared evaluation data
  --peers A,B      adapters of the shared peer runner, or files of that kind (default floor,context-mode,qmd-lex)
  --phases A,B     of index, search, cold, faults, kill (default index,search,cold)
  --rounds N       repetitions of everything; medians are told (default 1)
  --work DIR       keep what is installed and indexed there
  --json FILE      where the figures go (default bench/peers.json)
  --help           show this text
`;

const text = { type: 'string' } as const;
const { values } = parseArgs({
  options: {
    ...{ corpora: text, peers: text, phases: text, rounds: text, work: text, json: text },
    ...{ data: text, port: text, help: { type: 'boolean' } },
  },
});

if (values.help) process.stdout.write(help);
else if (values.corpora === undefined) {
  process.stderr.write('lectern: name the folder of the documentation packages with --corpora\n');
  process.exitCode = 2;
} else await compare(values.corpora);

async function compare(packages: string): Promise<void> {
  const work = values.work ?? mkdtempSync(join(tmpdir(), 'lectern-peers-'));
  if (values.work === undefined) process.once('exit', () => rmSync(work, { recursive: true, force: true }));
  const runner = await openPeerRunner(work);
  const corpora = await runner.corporaIn(packages);
  const runs: PeerFigures[][] = [];
  for (let round = 0; round < Number(values.rounds ?? 1); round += 1) {
    runs.push(
      await runner.measure({
        ...{ corpora, queries: runner.queries, phases: values.phases ?? 'index,search,cold' },
        peers: (values.peers ?? 'floor,context-mode,qmd-lex').split(','),
      }),
    );
  }
  const machine = `${cpus()[0]?.model ?? 'unknown processor'} x ${availableParallelism()}, Node ${process.version}`;
  console.log(machine);
  console.log(comparison(mediansOf(runs), 'lectern'));
  const figures = { madeAt: new Date().toISOString(), machine, corpora: corpora.map(({ name }) => name), runs };
  const file = values.json ?? join(import.meta.dirname, '..', 'peers.json');
  writeFileSync(file, `${JSON.stringify(figures, null, 1)}\n`);
}
