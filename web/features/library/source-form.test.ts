import { expect, test } from 'vitest';
import { emptySourceFields, readSourceForm } from './source-form.ts';

const read = (fields: Partial<typeof emptySourceFields>) => readSourceForm({ ...emptySourceFields, ...fields });

test('an address without a scheme becomes https', () => {
  expect(read({ source: ' docs.python.org/3/ ' })).toMatchObject({ input: { source: 'https://docs.python.org/3/' } });
});

test('folders, ports and local addresses stay unchanged', () => {
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

test('an invalid address is rejected before it is sent', () => {
  for (const source of ['', 'python docs', 'ftp://docs.example/', 'docs']) {
    expect(read({ source })).toMatchObject({ problems: { source: expect.any(String) } });
  }
});

test('each invalid field has its own error', () => {
  const answer = read({ source: 'https://docs.example/', moduleId: 'My Docs', maxPages: 'many', depth: '999' });
  expect(answer).toEqual({
    problems: { moduleId: expect.any(String), maxPages: 'Enter a whole number.', depth: expect.any(String) },
  });
});

test('empty fields are not sent', () => {
  expect(read({ source: 'https://docs.example/', isPrivate: true })).toEqual({
    input: { source: 'https://docs.example/', visibility: 'private' },
  });
});

test('branch and folder are sent for a repository, but not for a site', () => {
  const fields = { ...emptySourceFields, source: 'https://h.example/a/b', ref: ' v2 ', folder: '/docs/', depth: '1' };
  expect(readSourceForm(fields, 'git')).toMatchObject({
    input: { ref: { kind: 'branch', name: 'v2' }, folder: 'docs', depth: undefined },
  });
  expect(readSourceForm(fields, 'site')).not.toMatchObject({ input: { folder: 'docs' } });
});

test('a source with a credential is always private', () => {
  expect(read({ source: 'https://docs.example/', credential: 'cred_1' })).toMatchObject({
    input: { credentialId: 'cred_1', visibility: 'private' },
  });
});
