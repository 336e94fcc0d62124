import { describe, expect, test } from 'vitest';
import { catalog, catalogTopics, findInCatalog } from './catalog.ts';
import { ecosystemSchema } from './profile.ts';

describe('the catalog', () => {
  test('has at least a hundred unique libraries with valid addresses, topics, packages and aliases', () => {
    expect(catalog.length).toBeGreaterThanOrEqual(100);
    const count = (values: string[]) => new Set(values).size;
    expect(count(catalog.map(({ id }) => id))).toBe(catalog.length);
    expect(count(catalog.map(({ docs }) => docs))).toBe(catalog.length);
    const ecosystems: readonly string[] = ecosystemSchema.options;
    for (const { docs, packages, topic, aliases } of catalog) {
      // Module addresses are compared with it character by character: lowercase host, a path, no fragment.
      expect(docs).toMatch(/^https:\/\/[a-z0-9.-]+\/[^#\s]*$/);
      expect(Object.keys(catalogTopics)).toContain(topic);
      for (const one of packages) expect(ecosystems).toContain(one.split(':')[0]);
      for (const alias of aliases) expect(alias).toBe(alias.toLowerCase());
    }
  });

  test.each([
    ['react', 'React'],
    ['k8s', 'Kubernetes'],
    ['SKLEARN', 'scikit-learn'],
    ['@angular/core', 'Angular'],
  ])('a search for %s finds %s first', (words, name) => {
    expect(findInCatalog(words)[0]?.name).toBe(name);
  });

  test('an empty search lists one library of each topic before the second of any', () => {
    const topics = Object.keys(catalogTopics);
    const first = findInCatalog(' ').slice(0, topics.length);
    expect(new Set(first.map(({ topic }) => topic)).size).toBe(topics.length);
    expect(findInCatalog('no such library')).toEqual([]);
  });
});
