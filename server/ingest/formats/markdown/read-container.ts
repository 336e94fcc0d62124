import { codeSpan } from '../write-markdown.ts';
import type { ContainerMark } from './block-starts.ts';
import { calloutLabel } from './callouts.ts';
import { emitPendingLabel, emitText } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { isBlank } from './lines.ts';
import type { Scanner } from './scanner.ts';

/** Removes a container's mark: a call-out labels the next block, any other container leaves its title. */
export function readContainer(scanner: Scanner, mark: ContainerMark): void {
  scanner.at++;
  if (mark.isClosing) {
    emitPendingLabel(scanner);
    return;
  }
  // Options of a MyST directive.
  if (/^\s*:{3,}\s*\{[a-z]/i.test(scanner.line(scanner.at - 1) ?? ''))
    while (/^\s*:[\w-]+:(?:\s|$)/.test(scanner.line(scanner.at) ?? '')) scanner.at++;
  emitPendingLabel(scanner);
  const written = titleInProperties(scanner);
  const title = mark.title || written;
  const label = calloutLabel(mark.name, title);
  if (mark.style === 'indented') scanner.indent(4);
  if (label !== undefined) scanner.pendingLabel = label;
  else if (title.trim() !== '') emitText(scanner, 'paragraph', `**${title.trim()}**`);
  else if (mark.target !== undefined)
    emitText(
      scanner,
      'paragraph',
      rewriteInline(/^https?:/.test(mark.target) ? `<${mark.target}>` : `[](${mark.target})`, scanner.context),
    );
}

const propertyLinesMax = 40;

/** Skips the YAML properties at the start of a Nuxt component and returns their title. */
function titleInProperties(scanner: Scanner): string {
  if (!/^\s*::(?!:)/.test(scanner.line(scanner.at - 1) ?? '') || scanner.line(scanner.at)?.trim() !== '---') return '';
  for (let end = scanner.at + 1; end < scanner.at + propertyLinesMax; end++) {
    if (scanner.line(end)?.trim() !== '---') continue;
    const lines = scanner.lines.slice(scanner.at + 1, end).filter((line) => !isBlank(line));
    const margin = Math.min(...lines.map((line) => line.search(/\S/)));
    // The text between two rules may be prose.
    if (!lines.every((line) => /^\s*(?:- |#|[\w:.@-]+:(?:\s|$))/.test(line) || line.search(/\S/) > margin)) return '';
    scanner.at = end + 1;
    const titles = lines.map((line) =>
      /^\s*(?:title|label):(.*)$/
        .exec(line)?.[1]
        ?.trim()
        .replace(/^["']|["']$/g, ''),
    );
    return titles.find(Boolean) ?? '';
  }
  return '';
}

/**
 * Reads code between Jekyll's `{% highlight ruby %}` or Hugo's equivalents and their end; returns false if the line is
 * not one or has no end.
 */
export function readHighlight(scanner: Scanner, line: string): boolean {
  const [, brackets, name, rest = ''] =
    /^\s*\{(%-?|\{[<%])\s*(highlight|code-toggle|code)\b([^{}]*)\}\}?(?:\{%-?\s*raw\s*-?%\})?\s*$/.exec(line) ?? [];
  if (brackets === undefined) return false;
  const language = /^\s*"?(?![\w-]+=)([\w+#-]+)|(?:^|\s)lang="?([\w+#-]+)/.exec(rest)?.slice(1).find(Boolean) ?? '';
  const closing = brackets.startsWith('%') ? ['endhighlight'] : [`/${name}`, `/ ${name}`];
  const ends = closing.map((mark) => scanner.find(mark, scanner.at + 1)).filter((found) => found >= 0);
  if (ends.length === 0) return false;
  const end = Math.min(...ends);
  emitPendingLabel(scanner);
  const file = /(?:^|\s)file="?([^\s"]+)/.exec(rest)?.[1] ?? '';
  // Without an extension, the name means the site's settings in any format.
  if (/\.\w+$/.test(file)) emitText(scanner, 'paragraph', codeSpan(file));
  const code = scanner.lines.slice(scanner.at + 1, end).map((_, at) => scanner.line(scanner.at + 1 + at) ?? '');
  const shown = code.filter((one) => !/^\s*\{%-?\s*(?:end)?raw\s*-?%\}\s*$/.test(one));
  scanner.draft.addCode(shown.join('\n'), language.toLowerCase());
  scanner.at = end + 1;
  return true;
}

/**
 * Reads `::: package.module`, which mkdocstrings replaces with descriptions, and skips the options below. Returns false
 * for other lines.
 */
export function readGeneratedApi(scanner: Scanner, line: string): boolean {
  const name = /^:::\s+(\w+(?:\.\w+)+)\s*$/.exec(line)?.[1];
  if (name === undefined) return false;
  emitText(scanner, 'paragraph', `\`${name}\``);
  do scanner.at++;
  while (/^\s{2,}\S/.test(scanner.line(scanner.at) ?? ''));
  return true;
}

/** Returns true if module code rather than text starts at the current line; outside MDX, only imports count. */
export function isModuleCode(scanner: Scanner, line: string): boolean {
  if (!line.startsWith('import ') && !line.startsWith('export ')) return false;
  if (/^import\s.*['"][^'"]+['"];?\s*$/.test(line)) return true;
  if (scanner.isMdx) return moduleStart.test(line);
  if (!/^import\s+\{\s*$/.test(line)) return false;
  const close = scanner.lines.slice(scanner.at, scanner.at + importLinesMax).find((each) => each.startsWith('}'));
  return close !== undefined && /^\}\s*from\s+['"][^'"]+['"];?\s*$/.test(close);
}

/** Code syntax is required: prose may also start with "import the" or "export function of". */
const moduleStart =
  /^(?:import\s+(?:[*{'"]|type\s+[*{]|[\w$]+(?:\s*,|\s+from\s+['"]))|export\s+(?:default\b|[*{]|class\s+[\w$]+[^.]*\{|(?:async\s+)?function\b[\s*]*[\w$]*\s*[(<]|(?:const|let|var)\s+(?:[[{]|[\w$]+\s*[=:])))/;
const importLinesMax = 40;
/** If no end is found within this many lines, it is text. */
const moduleLinesMax = 1000;

/** Skips an import or export up to the line that closes its brackets, and those directly below. */
export function skipModuleCode(scanner: Scanner): void {
  let end: number | undefined = moduleEnd(scanner) ?? scanner.at + 1;
  while (end !== undefined) {
    scanner.at = end;
    end = moduleStart.test(scanner.line(end) ?? '') ? moduleEnd(scanner) : undefined;
  }
}

function moduleEnd(scanner: Scanner): number | undefined {
  let depth = 0;
  // Lines already searched without success are not searched again.
  const linesMax = scanner.at < scanner.noModuleEndBefore ? 1 : moduleLinesMax;
  const limit = Math.min(scanner.lines.length, scanner.at + linesMax);
  for (let end = scanner.at; end < limit; end++) {
    for (const char of scanner.lines[end] as string) {
      if (char === '{' || char === '(' || char === '[') depth++;
      else if (char === '}' || char === ')' || char === ']') depth--;
    }
    if (depth <= 0) return end + 1;
  }
  if (limit > scanner.noModuleEndBefore) scanner.noModuleEndBefore = limit;
  return undefined;
}
