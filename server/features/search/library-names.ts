import { catalog } from '#contract/catalog.ts';
import type { ReadableModule } from '#server/features/catalog/index.ts';
import { libraryNamesOf } from '#server/features/profile/index.ts';

/** What a module's library is called, in the form that `nameKey` makes. */
interface LibraryNames {
  /** Its id, its title, the last part of its address: names of nothing else. */
  whole: ReadonlySet<string>;
  /** Words of these, which other libraries may share. */
  words: ReadonlySet<string>;
}

/** A stretch of a query that names a library. */
export interface Mention {
  /** As written, lower case. */
  text: string;
  modules: ReadableModule[];
  /** The whole name of these modules, and no word of it alone. */
  isWhole: boolean;
  /** Whether the query begins with it. */
  isFirst: boolean;
}

/** Words that addresses and titles of documentation share, so that they name no library. */
const commonWords =
  /^(?:docs?|documentation|www|com|org|io|net|dev|en|latest|stable|guide|manual|reference|api|github|gitlab|readthedocs|html|pages|v?\d.*)$/;
const wordsOfTitles =
  /^(?:the|and|for|our|your|an?|of|in|to|is|how|with|on|from|by|welcome|index|users?|language|programming|book|handbook|tutorials?|library|framework|module|package|project|tasks?|home|site|web|app|code|using|server|version|release|notes?|developers?|internals?|introduction|faq|test|tests)$/;
/** What people and package managers call libraries whose documentation says another name. Key and values as `nameKey` makes them. */
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
 * Names of the catalog's libraries, as `nameKey` makes them. Not of languages: the documentation of many libraries answers about
 * the language they are used from.
 */
const catalogued = new Map(
  catalog
    .filter(({ topic }) => topic !== 'languages')
    .flatMap(({ id, name, aliases: others }) => [name, id, ...others].map((one) => [nameKey(one), name])),
);
/** Words of a query that may name a library: each is compared with the names of all modules. */
const wordsLookedAtMax = 200;
/** Words of one name at most: "django rest framework". */
const wordsOfName = 3;
const keptMax = 5_000;
/** By row, with the fields that the names are made of. */
const kept = new Map<string, { displayName: string; library: string; url: string; names: LibraryNames }>();

/** A name in the form in which names are compared: lower case, without hyphens, dots and spaces. */
export function nameKey(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{N}+#]+/gu, '');
}

/** Returns true if the module's library is called so: its whole name, or a word of it that is no common word. */
export function isCalled(module: ReadableModule, name: string): boolean {
  const { whole, words } = namesOf(module);
  return keysOf(name).some((key) => whole.has(key) || words.has(key));
}

/** Returns true if the query mentions the module's library by name. */
export function isMentioned(query: string, module: ReadableModule): boolean {
  return mentionsIn(query, [module]).length > 0;
}

/**
 * The libraries that a query mentions, the longest names first found; words of names only where no whole name stands.
 * `titled` finds modules of which most page titles have these words, as titles often end with the library's name.
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

/** The well-known library, and no language, whose name a query begins with: as written there, lower case, and in full. */
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
    // In `numpy.linalg.norm`, only `numpy` names the library; the rest is the question.
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

/** Words of a query without the version that may be attached to them: `python3.11`, `react@18`, `scikit-learn==1.1`. */
function wordsOf(query: string): string[] {
  return query
    .toLowerCase()
    .split(/[\s,;:()"'`?!/]+/)
    .map((word) => word.replace(/(?<=[\p{L}+#])(?:[@=~<>]=?=?v?\d[\w.-]*|\d+\.\d[\w.]*)$/u, '').replace(/[.]+$/, ''))
    .filter((word) => word !== '');
}

/** A single letter names a library (R, C) only where `lettersMin` says so. */
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

/** `debian-reference` is Debian's, "Django 4.2 documentation" Django's; empty where more words are left than a name has. */
function withoutCommonWords(name: string): string {
  const words = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}+#.]+/u)
    .filter((word) => word !== '' && !isCommon(word) && !/^v?\d/.test(word));
  return words.length <= wordsOfName ? words.join(' ') : '';
}

/** docs.djangoproject.com is where Django's documentation lies; `python3` and `apache2` carry their number in the name. */
function withShorter(key: string): string[] {
  const shorter = /^(.{3,}?)(?:project|js|lang|docs?)$/.exec(key)?.[1];
  const unnumbered = /^(\p{L}{2,})\d+$/u.exec(key)?.[1];
  return [key, shorter, unnumbered].flatMap((one) => (one !== undefined && one !== '' && !isCommon(one) ? [one] : []));
}
