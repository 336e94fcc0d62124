import { expect, test } from 'vitest';
import type { SourceCredential } from '#contract/source-credentials.ts';
import { credentialsFor, emptyCredentialFields, readCredentialForm } from './credential-form.ts';

const url = 'https://docs.example/';
const read = (fields: Partial<typeof emptyCredentialFields>) =>
  readCredentialForm({ ...emptyCredentialFields, ...fields }, url);

test('each kind sends only its own fields', () => {
  const secretOf = (fields: Partial<typeof emptyCredentialFields>) => {
    const answer = read({ name: 'ada', secret: ' s3cret ', ...fields });
    return 'input' in answer ? answer.input.secret : answer.problems;
  };
  expect(secretOf({ kind: 'header' })).toEqual({ kind: 'header', name: 'ada', value: 's3cret' });
  expect(secretOf({ kind: 'cookie' })).toEqual({ kind: 'cookie', value: 's3cret' });
  // A password may contain spaces.
  expect(secretOf({ kind: 'basic' })).toEqual({ kind: 'basic', username: 'ada', password: ' s3cret ' });
  expect(secretOf({ kind: 'token', name: '' })).toEqual({ kind: 'token', token: 's3cret' });
  expect(secretOf({ kind: 'ssh-key' })).toEqual({ kind: 'ssh-key', privateKey: 's3cret\n' });
});

test('a missing value shows an error at its field', () => {
  expect(read({})).toEqual({ problems: { name: expect.any(String), secret: 'Enter the value.' } });
  expect(read({ kind: 'token' })).toEqual({ problems: { secret: 'Enter the token.' } });
});

test('a credential is offered only for its own host and port, for any form of address', () => {
  const stored = (origin: string) => ({ origin }) as SourceCredential;
  const [site, other, git] = [
    stored('https://docs.example'),
    stored('https://docs.example:8443'),
    stored('ssh://h.example'),
  ];
  const all = [site, other, git];
  expect(credentialsFor(all, 'https://docs.example/guide/')).toEqual([site]);
  expect(credentialsFor(all, 'https://docs.example:8443/')).toEqual([other]);
  expect(credentialsFor(all, 'git@h.example:team/docs.git')).toEqual([git]);
  expect(credentialsFor(all, 'nothing')).toEqual([]);
});
