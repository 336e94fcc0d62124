import { startStripeServer } from './stripe-server.ts';

// Started by `./lectern dev --stripe`: prints the variables to configure on the server, and runs until it is stopped.
const [port = '0', webhookUrl = ''] = process.argv.slice(2);
const stripe = await startStripeServer(Number(port));
if (webhookUrl !== '') stripe.deliverTo(webhookUrl);
console.log(JSON.stringify(stripe.environment));
process.on('SIGTERM', () => void stripe.stop());
