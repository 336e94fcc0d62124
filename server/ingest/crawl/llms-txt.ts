// As for one sitemap file.
const linksMax = 50_000;

/** `](<target>)`, `](target)` with balanced parentheses, and addresses that stand by themselves. */
const targets = /\]\(\s*<([^<>\n]+)>|\]\(\s*([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)|(https?:\/\/[^\s<>()[\]"'`]+)/g;

/** Targets of the links of an llms.txt in order: Markdown links, `<…>` and bare addresses; absolute, each once. */
export function parseLlmsTxt(text: string, url: string): string[] {
  const found = new Set<string>();
  for (const [, bracketed, plain, bare] of text.matchAll(targets)) {
    const absolute = URL.parse(bracketed ?? plain ?? bare?.replace(/[.,;:!?]+$/, '') ?? '', url)?.href;
    if (absolute !== undefined && found.size < linksMax) found.add(absolute);
  }
  return [...found];
}
