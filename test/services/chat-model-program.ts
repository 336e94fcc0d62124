import { startModelServer } from './chat-model.ts';

// Started by `./lectern dev --model`: prints the variables to configure on the server, and runs until it is stopped.
const model = await startModelServer(Number(process.argv[2] ?? 0));
console.log(JSON.stringify(model.environment));
process.on('SIGTERM', () => void model.stop());
