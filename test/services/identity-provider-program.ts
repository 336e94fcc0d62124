import { startIdentityProvider } from './identity-provider.ts';

// `./lectern dev` starts it: prints what the server must be configured with, and runs until it is told to stop.
const provider = await startIdentityProvider(Number(process.argv[2] ?? 0));
console.log(JSON.stringify(provider.environment));
process.on('SIGTERM', () => void provider.stop());
