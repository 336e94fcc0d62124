import { expect, test } from 'vitest';
import routes from '../../routes.ts';
import { SiteIcon } from './site-icons.tsx';
import { destinations, destinationsFor } from './site-map.ts';

type RouteEntry = { path?: string; index?: boolean; children?: readonly RouteEntry[] };

function pathsOf(entries: readonly RouteEntry[]): string[] {
  return entries.flatMap(({ path, index, children }) => [
    ...(index ? ['/'] : path === undefined ? [] : [`/${path.replace(/\/(?::[a-zA-Z]+\?|\*)$/, '')}`]),
    ...pathsOf(children ?? []),
  ]);
}

test('every destination has a route and an icon', () => {
  expect(destinations.filter(({ path }) => SiteIcon({ path }) === undefined)).toEqual([]);
  const known = new Set(pathsOf(routes));
  expect(destinations.map(({ path }) => path).filter((path) => !known.has(path))).toEqual([]);
});

test('visitors, users, members and admins each get their own destinations', () => {
  const person = { uid: 'u', email: 'a@b.c', displayName: 'A', isOperator: false } as Parameters<
    typeof destinationsFor
  >[1];
  const visitorPaths = destinationsFor('palette', null, null).map(({ path }) => path);
  const personPaths = destinationsFor('palette', person, null).map(({ path }) => path);
  expect(visitorPaths).toContain('/login');
  expect(visitorPaths).not.toContain('/dashboard');
  expect(personPaths).toContain('/dashboard');
  expect(personPaths).not.toContain('/login');

  const memberPaths = (isAdmin: boolean) => destinationsFor('palette', person, { isAdmin }).map(({ path }) => path);
  expect(personPaths).not.toContain('/team');
  expect(memberPaths(false)).toContain('/team');
  expect(memberPaths(false)).not.toContain('/add-members');
  expect(memberPaths(true)).toContain('/add-members');
});
