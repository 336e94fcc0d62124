// Opens an installation, does the work of one flow and tells what was acknowledged, in lines of JSON. With a fail point
// it does not come to its end.
import { writeSync } from 'node:fs';
import { flows } from './flows.ts';
import { openStage, type StageAddress } from './stage.ts';

const { flow, ...address } = JSON.parse(process.argv[2] ?? '') as StageAddress & { flow: keyof typeof flows };
// At once, and not when there is time: what is said last counts.
const tell = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);

const stage = await openStage(address);
const { failPoint } = stage.installation;
const writes = () => (failPoint === undefined ? 0 : Atomics.load(failPoint.begun, 0));
tell({ openedAfter: writes() });
await flows[flow].work(stage, (acknowledged) => tell({ acknowledged }), []);
await stage.untilIdle();
tell({ endedAfter: writes() });
await stage.close();
