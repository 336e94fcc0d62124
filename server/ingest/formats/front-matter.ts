/** Metadata before a page's text. */
export interface FrontMatter {
  title?: string;
  /** Shown below the title by GitBook, Mintlify, Fumadocs and others. */
  description?: string;
  /** API operation that Mintlify shows on the page: `POST /pets`. */
  operation?: string;
  isNoindex: boolean;
  /** First line after the front matter. */
  bodyStart: number;
}

const linesMax = 500;
const titleLineMax = 500;

/**
 * Reads title, description and robots from YAML (`---`) or TOML (`+++`) front matter without a full parser, or the
 * title from Writerside's comment.
 */
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
  // A rule above ordinary text looks like front matter, but has no fields.
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
    // Hugo ignores the case of field names.
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

/** Returns a field's value without quotes and comment. */
export function unquoted(value: string): string {
  const quote = value[0] === '"' || value[0] === "'" ? value[0] : undefined;
  let end = quote === undefined ? -1 : value.lastIndexOf(quote);
  while (end > 0 && !/^\s*(?:#|$)/.test(value.slice(end + 1))) end = value.lastIndexOf(quote as string, end - 1);
  if (end <= 0) return value.replace(/(?<!\s)\s+#.*$/s, '');
  const inside = value.slice(1, end);
  return quote === '"' ? inside.replace(/\\(["\\])/g, '$1') : inside.replaceAll("''", "'");
}
