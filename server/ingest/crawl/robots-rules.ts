/** One line of a group: the longest matching pattern decides; if two are equally long, the one that allows. */
interface Rule {
  isAllow: boolean;
  pattern: string;
}

/** A robots.txt's rules for one crawler. */
export interface RobotsRules {
  /** `pathAndQuery` starts with a slash and is percent-encoded as sent. */
  isAllowed(pathAndQuery: string): boolean;
  crawlDelaySeconds?: number;
  /** Absolute or relative sitemap addresses, in file order. */
  sitemaps: string[];
}

export const allowEverything: RobotsRules = { isAllowed: () => true, sitemaps: [] };

// Longer lines are cut: 2,083 characters was the longest address that browsers accepted, times 8 for escapes.
const lineLengthMax = 16_664;

interface Group {
  rules: Rule[];
  crawlDelaySeconds?: number;
}

/**
 * Parses a robots.txt for the crawler whose product token is `agent` (letters, `-`, `_`; case-insensitive), following
 * RFC 9309: groups of the same name are merged, and `*` applies only if no group names the agent. Accepts common
 * misspellings and a missing colon. Never throws.
 */
export function parseRobots(text: string, agent: string): RobotsRules {
  const own: Group = { rules: [] };
  const everyone: Group = { rules: [] };
  const sitemaps: string[] = [];
  const wanted = agent.toLowerCase();
  let open = { own: false, everyone: false };
  let isOwnNamed = false;
  let isInHeader = false;
  for (const line of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const parsed = parseLine(line);
    if (!parsed) continue;
    const [key, value] = parsed;
    if (key === 'user-agent') {
      if (!isInHeader) open = { own: false, everyone: false };
      isInHeader = true;
      if (/^\*(\s|$)/.test(value)) open.everyone = true;
      else if (/^[a-z_-]*/i.exec(value)?.[0].toLowerCase() === wanted) {
        open.own = true;
        isOwnNamed = true;
      }
    } else if (key === 'sitemap') {
      if (value !== '') sitemaps.push(value);
    } else {
      if (key !== 'crawl-delay') isInHeader = false;
      if (open.own) addLine(own, key, value);
      if (open.everyone) addLine(everyone, key, value);
    }
  }
  const group = isOwnNamed ? own : everyone;
  return {
    isAllowed: compile(group.rules),
    ...(group.crawlDelaySeconds === undefined ? {} : { crawlDelaySeconds: group.crawlDelaySeconds }),
    sitemaps,
  };
}

type Key = 'user-agent' | 'allow' | 'disallow' | 'crawl-delay' | 'sitemap';

const keys: Record<string, Key> = {
  'user-agent': 'user-agent',
  useragent: 'user-agent',
  'user agent': 'user-agent',
  allow: 'allow',
  disallow: 'disallow',
  dissallow: 'disallow',
  dissalow: 'disallow',
  disalow: 'disallow',
  diasllow: 'disallow',
  disallaw: 'disallow',
  'crawl-delay': 'crawl-delay',
  crawldelay: 'crawl-delay',
  sitemap: 'sitemap',
  'site-map': 'sitemap',
};

function parseLine(line: string): [Key, string] | undefined {
  const comment = line.indexOf('#');
  const content = (comment < 0 ? line : line.slice(0, comment)).slice(0, lineLengthMax).trim();
  if (content === '') return undefined;
  const colon = content.indexOf(':');
  const name = colon < 0 ? /^\S+(?=\s+\S+$)/.exec(content)?.[0] : content.slice(0, colon).trim();
  const key = keys[name?.toLowerCase() ?? ''];
  if (!key || name === undefined) return undefined;
  return [key, content.slice(colon < 0 ? name.length : colon + 1).trim()];
}

function addLine(group: Group, key: Key, value: string): void {
  if (key === 'crawl-delay') {
    const seconds = Number(value);
    if (value !== '' && seconds >= 0) group.crawlDelaySeconds = Math.max(group.crawlDelaySeconds ?? 0, seconds);
  } else if (value !== '') {
    group.rules.push({ isAllow: key === 'allow', pattern: normalizePattern(value) });
  }
}

/** Normalises patterns the way addresses are sent: bytes above ASCII percent-encoded, escapes in upper case. */
function normalizePattern(value: string): string {
  return value
    .replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
    .replace(/[^\x20-\x7e]+/g, (text) =>
      [...new TextEncoder().encode(text)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    );
}

/** Limit for matching rules with `*` against one address: total pattern length times address length. */
const wildcardStepsMax = 10_000_000;

/**
 * Compiles the rules so that checking an address is fast, even with many rules. An address that would exceed the limit
 * is forbidden.
 */
function compile(rules: readonly Rule[]): RobotsRules['isAllowed'] {
  const plain = new Map<string, boolean>();
  const wild = new Map<string, boolean>();
  for (const { isAllow, pattern } of rules.flatMap(withDirectory)) {
    const kind = pattern.includes('*') ? wild : plain;
    kind.set(pattern, isAllow || kind.get(pattern) === true);
  }
  const lengths = [...new Set([...plain.keys()].map((pattern) => pattern.length))].sort((a, b) => b - a);
  // Longest first; among equally long ones, `Allow` first.
  const patterns = [...wild].sort(
    ([a, allows], [b, alsoAllows]) => b.length - a.length || Number(alsoAllows) - Number(allows),
  );
  const characters = patterns.reduce((sum, [pattern]) => sum + pattern.length, 0);
  return (path) => {
    // robots.txt itself may always be read.
    if (path === '/robots.txt') return true;
    if (characters * path.length > wildcardStepsMax) return false;
    const longest = longestIn(plain, lengths, path);
    const found = patterns.find(([pattern]) => pattern.length < longest.length || matches(pattern, path)) ?? ['', true];
    if (found[0].length < longest.length) return longest.isAllowed;
    return found[1] || (found[0].length === longest.length && longest.isAllowed);
  };
}

/** Returns the longest matching pattern without `*`; a pattern ending in `$` must match the whole path. */
function longestIn(plain: ReadonlyMap<string, boolean>, lengths: readonly number[], path: string) {
  const whole = plain.get(`${path}$`);
  if (whole !== undefined) return { length: path.length + 1, isAllowed: whole };
  for (const length of lengths) {
    const start = path.slice(0, length);
    const isAllowed = length > path.length || start.endsWith('$') ? undefined : plain.get(start);
    if (isAllowed !== undefined) return { length, isAllowed };
  }
  return { length: 0, isAllowed: true };
}

/** Adds the directory to a rule such as `Allow: /dir/index.html`. */
function withDirectory(rule: Rule): Rule[] {
  const directory = rule.isAllow ? /^(.*\/)index\.html?$/.exec(rule.pattern)?.[1] : undefined;
  return directory === undefined ? [rule] : [rule, { isAllow: true, pattern: `${directory}$` }];
}

/**
 * Returns true if the pattern matches: `*` is any text, a final `$` the end. Worst-case time is pattern length × path
 * length.
 */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$');
  const pieces = (isAnchored ? pattern.slice(0, -1) : pattern).split('*');
  const first = pieces[0] ?? '';
  if (!path.startsWith(first)) return false;
  if (pieces.length === 1) return !isAnchored || path.length === first.length;
  let position = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const found = path.indexOf(piece, position);
    if (found < 0) return false;
    position = found + piece.length;
  }
  const last = pieces.at(-1) ?? '';
  if (!isAnchored) return path.indexOf(last, position) >= 0;
  return path.length - last.length >= position && path.endsWith(last);
}

interface RobotsTag {
  isNoindex: boolean;
  isNofollow: boolean;
}

/** Returns an X-Robots-Tag header's rules for the crawler named `agent`. Rules for other crawlers are ignored. */
export function parseRobotsTag(header: string | undefined, agent: string): RobotsTag {
  const tag: RobotsTag = { isNoindex: false, isNofollow: false };
  let isForUs = true;
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    let word = part.trim();
    if (colon >= 0) {
      const name = part.slice(0, colon).trim();
      // `unavailable_after: …` and the `max-…` rules contain a colon themselves.
      if (!/^(unavailable_after|max-)/.test(name)) isForUs = name === agent.toLowerCase() || name === '*';
      word = part.slice(colon + 1).trim();
    }
    if (!isForUs) continue;
    if (word === 'noindex' || word === 'none') tag.isNoindex = true;
    if (word === 'nofollow' || word === 'none') tag.isNofollow = true;
  }
  return tag;
}
