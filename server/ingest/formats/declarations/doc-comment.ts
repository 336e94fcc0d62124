import { decodeEntities } from '../entities.ts';
import { outdented } from '../margin.ts';
import { oneLine } from '../write-markdown.ts';

/** Labels for doc comment tags of JSDoc, Javadoc and Doxygen. */
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

/** Returns a comment's text without comment marks. */
export function commentText(comment: string): string {
  if (/^\s*(?:\/\/|#)/.test(comment))
    return comment
      .split('\n')
      .map((line) => line.replace(/^\s*(?:\/\/[/!]?<?|#+)\s?/, ''))
      .join('\n');
  return comment
    .replace(/^\s*\/\*+[*!]?<?|(?<!\*)\*+\/\s*$/g, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\*(?: |$)?/, ''))
    .join('\n')
    .trim();
}

/** Returns true if the comment marks the declaration as internal. */
export function isHidden(doc: string): boolean {
  return /(?<=^|\n)[^\S\n]*[@\\](?:internal|hidden|hide|ignore|private)\b/.test(doc);
}

/** Converts a doc comment to Markdown: parameters become a list, other tags labelled paragraphs, inline tags code. */
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
    const tag: RegExpExecArray | null = isFence
      ? null
      : /^\s*[@\\]([a-zA-Z]+)(?:\[[\w, ]*\])?(?:\s+(.*))?$/s.exec(line);
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

/** Returns the line after the first occurrence of `line`. */
function nextLine(doc: string, line: string): string {
  const end = doc.indexOf('\n', doc.indexOf(line) + line.length);
  const rest = end < 0 ? '' : doc.slice(end + 1, end + 200).trimStart();
  return rest.split('\n', 1)[0] as string;
}

function parameterLine(text: string): string {
  const match = /^(?:\{([^{}]*)\}\s*)?(\[[^\]]*\]|<\w+>|:?[\w$.&*-]+)\s*(?:[-–:]\s*)?(.*)$/s.exec(text);
  if (!match) return `- ${text}`;
  const type = match[1] === undefined ? '' : ` (\`${match[1]}\`)`;
  return `- \`${match[2]}\`${type}${match[3] === '' ? '' : `: ${match[3]}`}`;
}

function inlineTags(text: string): string {
  return text
    .replace(/\{@(?:code|literal)\s([^{}]*)\}/g, (_, code: string) => `\`${code.trim()}\``)
    .replace(
      /\{@(?:link|linkcode|linkplain|inheritDoc|value)(?:\s+([^{}|\s]+)(?:[\s|]([^{}]*))?|\s*)\}/g,
      (_, target: string | undefined, rest = '') => {
        const label = rest.replace(/^[\s|]+/, '').trim();
        if (target === undefined) return '';
        return /^https?:/.test(target) ? `[${label || target}](${target})` : label || `\`${target}\``;
      },
    )
    .replace(/[@\\](?:c|p|a|ref)\s+([\w:.$]+)/g, '`$1`');
}

/** Longer comments are not parsed; this bounds the search for closing tags. */
const docCharsMax = 50_000;
const isXml = /<(?:summary|remarks|param|typeparam|returns|value|exception|example|inheritdoc)\b/;

/** Converts `T:Some.Name{T}` to the name as written in code. */
const nameOf = (reference: string): string =>
  reference
    .replace(/^[A-Z]:/, '')
    .replaceAll('{', '<')
    .replaceAll('}', '>');

/** Converts C#'s XML comments to the tags that `docMarkdown` supports. Comments without XML are unchanged. */
export function docOfXml(doc: string): string {
  if (doc.length > docCharsMax || !isXml.test(doc)) return doc;
  const code: string[] = [];
  const keep = (text: string): string => `\u0000${code.push(text) - 1}\u0000`;
  const text = doc
    .replaceAll('\u0000', '')
    .replace(/<code\b[^>]*>(?:\s*<!\[CDATA\[)?([\s\S]*?)(?:\]\]>\s*)?<\/code>/g, (_, written: string) =>
      keep(`\n\n\`\`\`csharp\n${decodeEntities(codeIn(written))}\n\`\`\`\n\n`),
    )
    .replace(/<c>([\s\S]*?)<\/c>/g, (_, written: string) => keep(`\`${decodeEntities(oneLine(written))}\``))
    .replace(/(<[a-z]{1,20}\s{1,20}(?:cref|langword|name|href)=)'([^'"<>]*)'/g, '$1"$2"')
    .replace(/<see(?:also)?\s+(?:cref|langword)="([^"]*)"\s*\/>/g, (_, name: string) => keep(`\`${nameOf(name)}\``))
    .replace(/<(?:type)?paramref\s+name="([^"]*)"\s*\/>/g, (_, name: string) => keep(`\`${name}\``))
    .replace(/<see(?:also)?\s+href="([^"\s]*)"\s*\/>/g, '<$1>')
    .replace(/<(?:see(?:also)?|a)\s+href="([^"\s]*)"\s*>([^<]*)<\/(?:see(?:also)?|a)>/g, '[$2]($1)')
    .replace(/<see(?:also)?\s+cref="[^"]*"\s*>([^<]*)<\/see(?:also)?>/g, '$1')
    .replace(/<term>([\s\S]*?)<\/term>\s*<description>/g, '$1: ')
    .replace(/<item>([\s\S]*?)<\/item>/g, (_, item: string) => `\n- ${oneLine(item.replace(/<[^<>]*>/g, ' '))}`)
    .replace(
      /<(?:param|typeparam)\s+name="([^"]*)"\s*>([\s\S]*?)<\/(?:type)?param>/g,
      (_, name, said) => `\n@param ${name} ${oneLine(said)}\n`,
    )
    .replace(
      /<exception\s+cref="([^"]*)"\s*>([\s\S]*?)<\/exception>/g,
      (_, name, said) => `\n@throws \`${nameOf(name)}\` ${oneLine(said)}\n`,
    )
    .replace(/<exception\s+cref="([^"]*)"\s*\/>/g, (_, name: string) => `\n@throws \`${nameOf(name)}\`\n`)
    .replace(/<(?:returns|value)\s*\/>/g, '')
    .replace(/<returns>([\s\S]*?)<\/returns>/g, (_, said: string) => `\n@returns ${oneLine(said)}\n`)
    .replace(/<value>([\s\S]*?)<\/value>/g, (_, said: string) => `\n\n**Value:** ${oneLine(said)}\n`)
    .replace(/<example>/g, '\n\n**Example**\n\n')
    .replace(/<\/?(?:summary|remarks|example|para|list|listheader|inheritdoc|b|i|em|strong|br)\b[^>]*>/g, (tag) =>
      /^<\/?(?:b|i|em|strong)\b/.test(tag) ? '' : '\n\n',
    )
    .replace(/^[ \t]+/gm, '')
    .replace(/\n{3,}/g, '\n\n');
  // An escaped `<` must not become a tag; code shows it unescaped.
  const escaped = text.replace(/`[^`\n]*`|&(?:lt|#60|#x3c);/gi, (part) => (part.startsWith('`') ? part : '\\&lt;'));
  return decodeEntities(escaped)
    .replace(/\u0000(\d+)\u0000/g, (_, at: string) => code[Number(at)] ?? '')
    .trim();
}

function codeIn(text: string): string {
  return outdented(
    text
      .replace(/^[ \t]*\n/, '')
      .trimEnd()
      .split('\n'),
  ).join('\n');
}
