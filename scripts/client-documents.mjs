// Compares the copies in server/features/connections/known-clients.ts with the documents the sites publish now. Run it
// where the sites are reachable: it prints the differences and then exits with 1. Update the copies and their date
// manually.
import { knownClients, knownClientsDate } from '../server/features/connections/known-clients.ts';

let differing = 0;
for (const [address, copy] of Object.entries(knownClients)) {
  const published = await fetch(address, { headers: { accept: 'application/json' }, redirect: 'error' })
    .then((response) => (response.ok ? response.json() : Promise.reject(new Error(`status ${response.status}`))))
    .catch((error) => ({ unreadable: String(error) }));
  const addresses = new Set(published.redirect_uris ?? []);
  const isSame =
    published.client_name === copy.name && addresses.symmetricDifference(new Set(copy.redirectUris)).size === 0;
  if (!isSame) differing += 1;
  console.log(`${isSame ? 'same  ' : 'DIFFERS'} ${address}${isSame ? '' : `\n${JSON.stringify(published, null, 2)}`}`);
}
console.log(`${differing} of ${Object.keys(knownClients).length} differ from the copies of ${knownClientsDate}`);
process.exitCode = differing === 0 ? 0 : 1;
