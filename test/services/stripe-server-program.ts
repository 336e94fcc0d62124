import { startStripeServer } from './stripe-server.ts';

// `./lectern dev --stripe` starts it: prints what the server must be configured with, and runs until it is told to stop.
const [port = '0', webhookUrl = ''] = process.argv.slice(2);
const stripe = await startStripeServer(Number(port));
if (webhookUrl !== '') stripe.deliverTo(webhookUrl);
console.log(JSON.stringify(stripe.environment));
process.on('SIGTERM', () => void stripe.stop());
