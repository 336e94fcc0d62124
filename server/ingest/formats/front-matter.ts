/** What a page says about itself before its text. */
export interface FrontMatter {
  title?: string;
  /** What GitBook, Mintlify, Fumadocs and others show below the title. */
  description?: string;
  /** The operation of an API that Mintlify shows on the page: `POST /pets`. */
  operation?: string;
  isNoindex: boolean;
  /** First line of the text proper. */
  bodyStart: number;
}

const linesMax = 500;
const titleLineMax = 500;

/** Reads YAML (`---`) or TOML (`+++`) front matter: title, description and robots alone, without a full parser; or Writerside's comment with the title. */
export function readFrontMatter(lines: readonly string[]): FrontMatter {
  const mark = lines[0]?.trimEnd();
  const none: FrontMatter = { isNoindex: false, bodyStart: 0 };
  const first = lines.slice(0, 10).find((line) => line.trim() !== '');
  const [, title] = /^\[\/\/\]: # \(title:\s*(.*)\)\s*$/.exec(first?.slice(0, titleLineMax) ?? '') ?? [];
  if (title !== undefined) return { ...none, title: title.trim() };
  if (mark !== '---' && mark !== '+++') return none;
  let end = 1;
  while (end < lines.length && end < linesMax && !isEnd(lines[end] as string, mark)) end++;
  if (end >= lines.length || end === linesMax) return none;
  const fields = lines.slice(1, end);
  // A rule above ordinary text looks like the start of front matter: fields are what tells them apart.
  if (fields.length > 0 && !fields.some((line) => /^["']?[\w.-]+["']?\s*[:=]/.test(line))) return none;
  return {
    title: fieldOf(fields, ['title', 'sidebar_label', 'linkTitle', 'name']),
    description: fieldOf(fields, ['description', 'intro']),
    operation: /(?:^|\s)((?:GET|PUT|POST|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK) \S+)$/.exec(
      fieldOf(fields, ['openapi', 'api']) ?? '',
    )?.[1],
    isNoindex: fields.some((line) => /^(?:noindex\s*[:=]\s*true|robots\s*[:=].*noindex)/.test(line)),
    bodyStart: end + 1,
  };
}

function isEnd(line: string, mark: string): boolean {
  const trimmed = line.trimEnd();
  return trimmed === mark || (mark === '---' && trimmed === '...');
}

function fieldOf(lines: readonly string[], names: readonly string[]): string | undefined {
  for (const name of names) {
    // Hugo does not tell `Title` from `title`.
    const isField = new RegExp(`^${name}\\s*[:=]`, 'i');
    const at = lines.findIndex((line) => isField.test(line));
    if (at < 0) continue;
    const value = (lines[at] as string)
      .slice(name.length)
      .replace(/^\s*[:=]\s*/, '')
      .trim();
    const isBlock = /^[>|][+-]?$/.test(value);
    const more: string[] = [];
    for (let next = at + 1; next < lines.length && /^\s+\S/.test(lines[next] as string); next++)
      more.push((lines[next] as string).trim());
    const text = [isBlock ? '' : unquoted(value), ...(isBlock || !/^["'[{]/.test(value) ? more : [])].join(' ').trim();
    if (text !== '' && !/^[[{]/.test(text)) return text;
  }
  return undefined;
}

/** Returns the value of a field without its quotes or comment. */
export function unquoted(value: string): string {
  const quoted = /^(["'])(.*)\1\s*(?:#.*)?$/.exec(value);
  if (!quoted) return value.replace(/\s+#.*$/, '');
  const [, quote, inside = ''] = quoted;
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside.replaceAll("''", "'");
}
