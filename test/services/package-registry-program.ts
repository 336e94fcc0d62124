import { startPackageRegistry } from './package-registry.ts';

// Started by `./lectern dev`: prints the variables to configure on the server, and runs until it is stopped.
const registry = await startPackageRegistry(Number(process.argv[2] ?? 0));
console.log(JSON.stringify(registry.environment));
process.on('SIGTERM', () => void registry.stop());
