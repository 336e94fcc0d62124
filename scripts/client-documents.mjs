// Compares the copies in server/features/connections/known-clients.ts with what the sites publish now. Run it where
// the sites can be reached: it prints what differs, and ends with 1 then. Change the copies and their date by hand.
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
