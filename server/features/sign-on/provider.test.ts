import { expect, test } from 'vitest';
import { normalizeIssuer } from './provider.ts';

test.each([
  ['https://login.example', 'https://login.example'],
  [' https://Login.example/ ', 'https://login.example'],
  ['https://login.example/application/o/docs/', 'https://login.example/application/o/docs/'],
  ['https://login.example/realms/docs', 'https://login.example/realms/docs'],
])('%s belongs to the issuer %s', (written, issuer) => {
  expect(normalizeIssuer(written, { allowHosts: [] })).toBe(issuer);
});
