import { expect, test } from 'vitest';
import { emptySourceFields, readSourceForm } from './source-form.ts';

const read = (fields: Partial<typeof emptySourceFields>) => readSourceForm({ ...emptySourceFields, ...fields });

test('an address pasted without its scheme is taken as https', () => {
  expect(read({ source: ' docs.python.org/3/ ' })).toMatchObject({ input: { source: 'https://docs.python.org/3/' } });
});

test('a folder, a port and a local address are taken as they are', () => {
  for (const source of [
    '/srv/docs',
    'http://127.0.0.1:8080/a/',
    'http://localhost:9/',
    'http://[::1]:80/',
    'git@h.example:a/b.git',
  ]) {
    expect(read({ source })).toMatchObject({ input: { source } });
  }
});

test('what is no address is refused before it is sent', () => {
  for (const source of ['', 'python docs', 'ftp://docs.example/', 'docs']) {
    expect(read({ source })).toMatchObject({ problems: { source: expect.any(String) } });
  }
});

test('each wrong field gets its own sentence', () => {
  const answer = read({ source: 'https://docs.example/', moduleId: 'My Docs', maxPages: 'many', depth: '999' });
  expect(answer).toEqual({
    problems: { moduleId: expect.any(String), maxPages: 'Enter a whole number.', depth: expect.any(String) },
  });
});

test('a field left empty is left to the server', () => {
  expect(read({ source: 'https://docs.example/', isPrivate: true })).toEqual({
    input: { source: 'https://docs.example/', visibility: 'private' },
  });
});

test('branch and folder go along for a repository, and not for a site', () => {
  const fields = { ...emptySourceFields, source: 'https://h.example/a/b', ref: ' v2 ', folder: '/docs/', depth: '1' };
  expect(readSourceForm(fields, 'git')).toMatchObject({
    input: { ref: { kind: 'branch', name: 'v2' }, folder: 'docs', depth: undefined },
  });
  expect(readSourceForm(fields, 'site')).not.toMatchObject({ input: { folder: 'docs' } });
});

test('what needs a credential is always private', () => {
  expect(read({ source: 'https://docs.example/', credential: 'cred_1' })).toMatchObject({
    input: { credentialId: 'cred_1', visibility: 'private' },
  });
});
