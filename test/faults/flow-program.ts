// Opens an installation, does the work of one flow and prints each acknowledged step as a line of JSON. With a fail
// point it is killed before the end.
import { writeSync } from 'node:fs';
import { flows } from './flows.ts';
import { openStage, type StageAddress } from './stage.ts';

const { flow, ...address } = JSON.parse(process.argv[2] ?? '') as StageAddress & { flow: keyof typeof flows };
// Written synchronously, because the last line before the kill counts.
const tell = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

const stage = await openStage(address);
const { failPoint } = stage.installation;
const writes = () => (failPoint === undefined ? 0 : Atomics.load(failPoint.begun, 0));
tell({ openedAfter: writes() });
await flows[flow].work(stage, (acknowledged) => tell({ acknowledged }), []);
await stage.untilIdle();
tell({ endedAfter: writes() });
await stage.close();
