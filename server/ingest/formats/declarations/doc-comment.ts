/** Labels of the parts of a doc comment, in the words of JSDoc, Javadoc and Doxygen. */
const labels: Record<string, string> = {
  return: 'Returns',
  returns: 'Returns',
  throws: 'Throws',
  throw: 'Throws',
  exception: 'Throws',
  deprecated: 'Deprecated',
  since: 'Since',
  see: 'See',
  sa: 'See',
  note: 'Note',
  warning: 'Warning',
  remarks: 'Remarks',
  default: 'Default',
  defaultvalue: 'Default',
  pre: 'Before',
  post: 'After',
  yields: 'Yields',
  yieldreturn: 'Block returns',
  retval: 'Returns',
};
const parameterTags = new Set(['param', 'arg', 'argument', 'tparam', 'typeparam', 'template', 'property', 'prop']);
const openTags = new Set([
  'brief',
  'short',
  'details',
  'description',
  'desc',
  'summary',
  'par',
  'li',
  'p',
  'c',
  'a',
  'e',
  'b',
]);

/** The text of a comment without the marks of the comment itself. */
export function commentText(comment: string): string {
  if (/^\s*(?:\/\/|#)/.test(comment))
    return comment
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\/[/!]?<?|#+)\s?/, ''))
      .join('\n');
  return comment
    .replace(/^\s*\/\*+[*!]?<?|\*+\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*(?: |$)?/, ''))
    .join('\n')
    .trim();
}

/** Returns true if its author keeps the thing to themselves. */
export function isHidden(doc: string): boolean {
  return /(?:^|\n)\s*[@\\](?:internal|hidden|hide|ignore|private)\b/.test(doc);
}

/** A doc comment as Markdown: parameters as a list, other tags as labelled paragraphs, inline tags as code. */
export function docMarkdown(doc: string): string {
  const out: string[] = [];
  const parameters: string[] = [];
  let target = out;
  let isFence = false;
  let isExample = false;
  const endExample = (): void => {
    if (isExample) out.push('```');
    isExample = false;
  };
  for (const line of doc.split('\n')) {
    if (/^\s*(?:```|~~~)/.test(line)) isFence = !isFence;
    const tag: RegExpExecArray | null = isFence ? null : /^\s*[@\\]([a-zA-Z]+)(?:\[[\w, ]*\])?(?:\s+(.*))?$/.exec(line);
    if (!tag) {
      target.push(target === parameters && line.trim() !== '' ? `  ${line.trim()}` : line);
      continue;
    }
    endExample();
    const name = (tag[1] as string).toLowerCase();
    const text = tag[2] ?? '';
    target = out;
    if (parameterTags.has(name)) {
      parameters.push(parameterLine(text));
      target = parameters;
    } else if (name === 'example' || name === 'code') {
      const caption = text.replace(/<\/?caption>/g, '').trim();
      out.push('', name === 'example' ? `**Example**${caption === '' ? '' : `: ${caption}`}` : '', '');
      isExample = !/^\s*(?:```|~~~|<)/.test(nextLine(doc, line));
      if (isExample) out.push('```');
    } else if (openTags.has(name)) out.push(text);
    else if (labels[name] !== undefined) out.push('', `**${labels[name]}:** ${text.replace(/^\{[^{}]*\}\s*/, '')}`);
  }
  endExample();
  const list =
    parameters.length === 0 ? [] : ['', '**Parameters**', '', ...parameters.filter((line) => line.trim() !== '')];
  return inlineTags([...out, ...list].join('\n')).trim();
}

/** The line after the first one that reads like `line`. */
function nextLine(doc: string, line: string): string {
  const end = doc.indexOf('\n', doc.indexOf(line) + line.length);
  const rest = end < 0 ? '' : doc.slice(end + 1, end + 200).trimStart();
  return rest.split('\n', 1)[0] as string;
}

function parameterLine(text: string): string {
  const match = /^(?:\{([^{}]*)\}\s*)?(\[[^\]]*\]|<\w+>|:?[\w$.&*-]+)\s*(?:[-–:]\s*)?(.*)$/.exec(text);
  if (!match) return `- ${text}`;
  const type = match[1] === undefined ? '' : ` (\`${match[1]}\`)`;
  return `- \`${match[2]}\`${type}${match[3] === '' ? '' : `: ${match[3]}`}`;
}

function inlineTags(text: string): string {
  return text
    .replace(/\{@(?:code|literal)\s([^{}]*)\}/g, (_, code: string) => `\`${code.trim()}\``)
    .replace(
      /\{@(?:link|linkcode|linkplain|inheritDoc|value)(?:\s+([^{}|\s]+)(?:[\s|]+([^{}]*))?)?\s*\}/g,
      (_, target: string | undefined, label: string | undefined) =>
        target === undefined
          ? ''
          : /^https?:/.test(target)
            ? `[${label?.trim() || target}](${target})`
            : label?.trim() || `\`${target}\``,
    )
    .replace(/[@\\](?:c|p|a|ref)\s+([\w:.$]+)/g, '`$1`');
}
