import { type SegmentView, wordShares } from '#server/engine/index.ts';

/** Looks like the name of something in a program: `a_b`, `aB`, `AbcDef`, `a.b`, `a::b`, `a#b`, `a->b`, `a()`, `--a-b`. */
const written =
  /(?<![\p{L}\p{N}_$./@:-])(?:--\p{L}[\p{L}\p{N}]*(?:-[\p{L}\p{N}]+)*|[\p{L}_$][\p{L}\p{N}_$]*(?:(?:\.|::|#|->)[\p{L}_$][\p{L}\p{N}_$]*)*(?:\(\))?)(?![\p{L}\p{N}_/@:-]|\.[\p{L}\p{N}])/gu;
const sign = /^--|[\p{L}\p{N}]_[\p{L}\p{N}]|\p{Ll}\p{Lu}|\p{L}(?:\.|::|#|->)\p{L}|\(\)$/u;
const separator = /::|->|[.#]/;
const charactersMin = 4;
const namesMax = 3;
/** A longer text is a task with code of its own, whose names are in no documentation. */
const queryCharactersMax = 200;

/**
 * The names in the query that stand nowhere in these modules, as they are written: of a name with qualifiers its last part, which
 * may be inherited or imported. A name that is part of a longer one in the passages found (`SameSite`, `sameSiteCookies`) stands
 * there. At most three.
 */
export function absentNames(views: readonly SegmentView[], query: string, textsFound: () => string[]): string[] {
  if (views.length === 0 || query.length > queryCharactersMax) return [];
  const names = [...query.matchAll(written)].map(([name]) => name).filter((name) => sign.test(name));
  const absent = names.filter((name) => {
    const last = lastPart(name);
    return last.length >= charactersMin && wordShares(views, last).every((share) => share === 0);
  });
  if (absent.length === 0) return [];
  const found = textsFound().join('\n').toLowerCase();
  const isPart = (name: string) => found.includes(lastPart(name).toLowerCase());
  return [...new Set(absent)].filter((name) => !isPart(name)).slice(0, namesMax);
}

function lastPart(name: string): string {
  return name.replace('()', '').split(separator).at(-1) ?? '';
}
