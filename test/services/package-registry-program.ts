import { startPackageRegistry } from './package-registry.ts';

// `./lectern dev` starts it: prints what the server must be configured with, and runs until it is told to stop.
const registry = await startPackageRegistry(Number(process.argv[2] ?? 0));
console.log(JSON.stringify(registry.environment));
process.on('SIGTERM', () => void registry.stop());
