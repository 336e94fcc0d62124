import { expect, test } from 'vitest';
import { gitHostOf, isOwnMachine, shortRef } from './webhook-words.ts';

test('the Git host is guessed from any form of address', () => {
  expect(gitHostOf('https://gitlab.example.org/group/project.git')).toBe('gitlab');
  expect(gitHostOf('git@github.com:psf/requests')).toBe('github');
  expect(gitHostOf('ssh://git@codeberg.org:22/team/handbook')).toBe('gitea');
  expect(gitHostOf('https://bitbucket.org/team/handbook')).toBe('other');
  expect(gitHostOf('https://git.example.org/github/handbook')).toBe('gitea');
  expect(gitHostOf('')).toBe('gitea');
});

test('only loopback addresses count as addresses of this machine', () => {
  expect(isOwnMachine('http://127.0.0.1:7331/webhooks/git/1')).toBe(true);
  expect(isOwnMachine('http://localhost/webhooks/git/1')).toBe(true);
  expect(isOwnMachine('http://[::1]:80/webhooks/git/1')).toBe(true);
  expect(isOwnMachine('https://docs.example/webhooks/git/1')).toBe(false);
});

test('refs are shown by their short names', () => {
  expect(shortRef('refs/heads/release/2')).toBe('release/2');
  expect(shortRef('refs/tags/v1')).toBe('v1');
});
