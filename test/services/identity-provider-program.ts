import { startIdentityProvider } from './identity-provider.ts';

// Started by `./lectern dev`: prints the variables to configure on the server, and runs until it is stopped.
const provider = await startIdentityProvider(Number(process.argv[2] ?? 0));
console.log(JSON.stringify(provider.environment));
process.on('SIGTERM', () => void provider.stop());
