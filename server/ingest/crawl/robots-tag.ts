export interface RobotsTag {
  isNoindex: boolean;
  isNofollow: boolean;
}

/** What an X-Robots-Tag header says to the crawler named `agent`. Rules for other crawlers do not count. */
export function parseRobotsTag(header: string | undefined, agent: string): RobotsTag {
  const tag: RobotsTag = { isNoindex: false, isNofollow: false };
  let isForUs = true;
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const colon = part.indexOf(':');
    let word = part.trim();
    if (colon >= 0) {
      const name = part.slice(0, colon).trim();
      // `unavailable_after: …` and the `max-…` rules have a colon of their own.
      if (!/^(unavailable_after|max-)/.test(name)) isForUs = name === agent.toLowerCase() || name === '*';
      word = part.slice(colon + 1).trim();
    }
    if (!isForUs) continue;
    if (word === 'noindex' || word === 'none') tag.isNoindex = true;
    if (word === 'nofollow' || word === 'none') tag.isNofollow = true;
  }
  return tag;
}
