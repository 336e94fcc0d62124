import { startModelServer } from './chat-model.ts';

// `./lectern dev --model` starts it: prints what the server must be configured with, and runs until it is told to stop.
const model = await startModelServer(Number(process.argv[2] ?? 0));
console.log(JSON.stringify(model.environment));
process.on('SIGTERM', () => void model.stop());
