import { catalog } from '#contract/catalog.ts';
import type { ReadableModule } from '#server/features/catalog/index.ts';
import { libraryNamesOf } from '#server/features/profile/index.ts';

/** Names of a module's library, as `nameKey` returns them. */
interface LibraryNames {
  /** Its id, its title, the last part of its address: names that identify it. */
  whole: ReadonlySet<string>;
  /** Words of these names, which other libraries may share. */
  words: ReadonlySet<string>;
}

/** A part of a query that names a library. */
export interface Mention {
  /** As written, in lower case. */
  text: string;
  modules: ReadableModule[];
  /** True if it is these modules' whole name, not just a word of it. */
  isWhole: boolean;
  /** True if the query begins with it. */
  isFirst: boolean;
}

/** Words common in addresses and titles of documentation, which identify no library. */
const commonWords =
  /^(?:docs?|documentation|www|com|org|io|net|dev|en|latest|stable|guide|manual|reference|api|github|gitlab|readthedocs|html|pages|v?\d.*)$/;
const wordsOfTitles =
  /^(?:the|and|for|our|your|an?|of|in|to|is|how|with|on|from|by|welcome|index|users?|language|programming|book|handbook|tutorials?|library|framework|module|package|project|tasks?|home|site|web|app|code|using|server|version|release|notes?|developers?|internals?|introduction|faq|test|tests)$/;
/**
 * Names that people and package managers use for libraries whose documentation uses another name. Keys and values as
 * `nameKey` returns them.
 */
const aliases = new Map<string, readonly string[]>([
  ['sklearn', ['scikitlearn']],
  ['skimage', ['scikitimage']],
  ['cv2', ['opencv']],
  ['pil', ['pillow']],
  ['bs4', ['beautifulsoup', 'beautifulsoup4']],
  ['np', ['numpy']],
  ['pd', ['pandas']],
  ['plt', ['matplotlib']],
  ['tf', ['tensorflow']],
  ['torch', ['pytorch']],
  ['postgres', ['postgresql']],
  ['psql', ['postgresql']],
  ['pg', ['postgresql']],
  ['node', ['nodejs']],
  ['golang', ['go']],
  ['httpd', ['apache', 'apache2', 'apachehttpserver']],
  ['drf', ['djangorestframework']],
  ['restframework', ['djangorestframework']],
  ['k8s', ['kubernetes']],
  ['kubectl', ['kubernetes']],
  ['js', ['javascript']],
  ['ts', ['typescript']],
  ['py', ['python']],
  ['rb', ['ruby']],
  ['cpp', ['c++', 'cplusplus']],
  ['cplusplus', ['c++']],
  ['csharp', ['c#']],
  ['rails', ['rubyonrails']],
  ['rustc', ['rust']],
  ['cargo', ['rust']],
  ['gtk', ['gtk3', 'gtk4']],
  ['tex', ['latex']],
]);
for (const library of catalog) {
  for (const alias of library.aliases) {
    const key = alias.replace(/[^\p{L}\p{N}+#]+/gu, '');
    aliases.set(key, [...(aliases.get(key) ?? []), nameKey(library.name)]);
  }
}
for (const [name, others] of [...aliases]) {
  for (const other of others) aliases.set(other, [...(aliases.get(other) ?? []), name]);
}
/**
 * Names of the catalog's libraries by `nameKey`. Languages are excluded: the documentation of many libraries answers
 * questions about the language they are used from.
 */
const catalogued = new Map(
  catalog
    .filter(({ topic }) => topic !== 'languages')
    .flatMap(({ id, name, aliases: others }) => [name, id, ...others].map((one) => [nameKey(one), name])),
);
/** Most words of a query compared with library names: each is compared with the names of all modules. */
const wordsLookedAtMax = 200;
/** Most words in a name: "django rest framework". */
const wordsOfName = 3;
const keptMax = 5_000;
/** Cached names by row id, with the fields they are derived from. */
const kept = new Map<string, { displayName: string; library: string; url: string; names: LibraryNames }>();

/** Returns a name in the form used for comparison: lower case, without hyphens, dots and spaces. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+#]+/gu, '');
}

/** Returns true if the name is the whole name of the module's library, or an uncommon word of it. */
export function isCalled(module: ReadableModule, name: string): boolean {
  const { whole, words } = namesOf(module);
  return keysOf(name).some((key) => whole.has(key) || words.has(key));
}

/** Returns true if the query mentions the module's library by name. */
export function isMentioned(query: string, module: ReadableModule): boolean {
  return mentionsIn(query, [module]).length > 0;
}

/**
 * Returns the libraries that a query mentions, preferring longer names; words of names only if no whole name occurs.
 * `titled` finds modules with these words in most page titles, since titles often end with the library's name.
 */
export function mentionsIn(
  query: string,
  modules: readonly ReadableModule[],
  titled: (words: string) => readonly ReadableModule[] = () => [],
): Mention[] {
  const words = wordsOf(query).slice(0, wordsLookedAtMax);
  const named = modules.map((module) => ({ module, names: namesOf(module) }));
  const mentions: Mention[] = [];
  for (let at = 0; at < words.length; ) {
    const found = longestAt(words, at, named, titled);
    if (found !== undefined) mentions.push(found.mention);
    at += found?.length ?? 1;
  }
  const whole = mentions.filter(({ isWhole }) => isWhole);
  return whole.length > 0 ? whole : mentions;
}

/**
 * Returns the well-known library (not a language) whose name begins the query: as written there in lower case, and its
 * full name.
 */
export function cataloguedFirst(query: string): { text: string; name: string } | undefined {
  const words = wordsOf(query).slice(0, wordsOfName);
  for (let length = words.length; length > 0; length -= 1) {
    const text = words.slice(0, length).join(' ');
    const name = keysOf(text).flatMap((key) => catalogued.get(key) ?? [])[0];
    if (name !== undefined) return { text, name };
  }
  return undefined;
}

function longestAt(
  words: readonly string[],
  at: number,
  named: readonly { module: ReadableModule; names: LibraryNames }[],
  titled: (words: string) => readonly ReadableModule[],
): { mention: Mention; length: number } | undefined {
  const isFirst = at === 0;
  const lettersMin = isFirst ? 1 : 2;
  const calledBy = (keys: readonly string[], kind: keyof LibraryNames, byTitle: readonly ReadableModule[]) =>
    named.flatMap(({ module, names }) =>
      keys.some((key) => names[kind].has(key)) || byTitle.includes(module) ? [module] : [],
    );
  for (let length = Math.min(wordsOfName, words.length - at); length > 0; length -= 1) {
    const text = words.slice(at, at + length).join(' ');
    const called = calledBy(keysOf(text, length === 1 ? lettersMin : 2), 'whole', length > 1 ? titled(text) : []);
    if (called.length > 0) return { mention: { text, modules: called, isWhole: true, isFirst }, length };
    // In `numpy.linalg.norm`, only `numpy` names the library; the rest belongs to the question.
    const head = length === 1 ? (text.split(/[.:]/)[0] ?? '') : '';
    const ofHead = head === text ? [] : calledBy(keysOf(head), 'whole', []);
    if (ofHead.length > 0) return { mention: { text: head, modules: ofHead, isWhole: true, isFirst }, length };
  }
  const text = words[at] as string;
  const keys = keysOf(text, lettersMin);
  if (keys.length === 0) return undefined;
  const called = calledBy(keys, 'words', titled(text));
  return called.length === 0 ? undefined : { mention: { text, modules: called, isWhole: false, isFirst }, length: 1 };
}

/** Returns the query's words without an attached version: `python3.11`, `react@18`, `scikit-learn==1.1`. */
function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/[\s,;:()"'`?!/]+/)
    .map((word) => word.replace(/(?<=[\p{L}+#])(?:[@=~<>]=?=?v?\d[\w.-]*|\d+\.\d[\w.]*)$/u, '').replace(/[.]+$/, ''))
    .filter((word) => word !== '');
}

/** Returns a name's keys; a single letter can name a library (R, C) only if `lettersMin` allows it. */
function keysOf(name: string, lettersMin = 2): string[] {
  const key = nameKey(name);
  return [key, ...(aliases.get(key) ?? [])].filter((one) => one.length >= lettersMin && !isCommon(one));
}

function isCommon(key: string): boolean {
  return commonWords.test(key) || wordsOfTitles.test(key);
}

function namesOf(module: ReadableModule): LibraryNames {
  const { moduleId, displayName, library, url } = module;
  const known = kept.get(module.rowId);
  if (known?.displayName === displayName && known.library === library && known.url === url) return known.names;
  const called = [...libraryNamesOf(module), withoutCommonWords(displayName), withoutCommonWords(moduleId)];
  const whole = new Set(called.flatMap((name) => withShorter(nameKey(name))));
  const parts = [...called, displayName, library, moduleId].flatMap((name) =>
    name.toLowerCase().split(/[^\p{L}\p{N}+#]+/u),
  );
  const words = new Set(parts.flatMap(withShorter));
  if (kept.size >= keptMax) kept.clear();
  const names = { whole, words };
  kept.set(module.rowId, { displayName, library, url, names });
  return names;
}

/**
 * Removes common words: `debian-reference` becomes Debian, "Django 4.2 documentation" Django. Empty if more words
 * remain than a name has.
 */
function withoutCommonWords(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#.]+/u)
    .filter((word) => word !== '' && !isCommon(word) && !/^v?\d/.test(word));
  return words.length <= wordsOfName ? words.join(' ') : '';
}

/**
 * Adds shorter forms of a key: docs.djangoproject.com hosts Django's documentation; `python3` and `apache2` include a
 * number in the name.
 */
function withShorter(key: string): string[] {
  const shorter = /^(.{3,}?)(?:project|js|lang|docs?)$/.exec(key)?.[1];
  const unnumbered = /^(\p{L}{2,})\d+$/u.exec(key)?.[1];
  return [key, shorter, unnumbered].flatMap((one) => (one !== undefined && one !== '' && !isCommon(one) ? [one] : []));
}
