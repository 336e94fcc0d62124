import { expect, test } from 'vitest';
import { gitHostOf, isOwnMachine, shortRef } from './webhook-words.ts';

test('the host is guessed from every form of an address', () => {
  expect(gitHostOf('https://gitlab.example.org/group/project.git')).toBe('gitlab');
  expect(gitHostOf('git@github.com:psf/requests')).toBe('github');
  expect(gitHostOf('ssh://git@codeberg.org:22/team/handbook')).toBe('gitea');
  expect(gitHostOf('https://bitbucket.org/team/handbook')).toBe('other');
  expect(gitHostOf('https://git.example.org/github/handbook')).toBe('gitea');
  expect(gitHostOf('')).toBe('gitea');
});

test('only an address of the machine itself is called so', () => {
  expect(isOwnMachine('http://127.0.0.1:7331/webhooks/git/1')).toBe(true);
  expect(isOwnMachine('http://localhost/webhooks/git/1')).toBe(true);
  expect(isOwnMachine('http://[::1]:80/webhooks/git/1')).toBe(true);
  expect(isOwnMachine('https://docs.example/webhooks/git/1')).toBe(false);
});

test('refs are named as people name them', () => {
  expect(shortRef('refs/heads/release/2')).toBe('release/2');
  expect(shortRef('refs/tags/v1')).toBe('v1');
});
