import { decodeEntities } from '../entities.ts';
import { marginOf } from '../margin.ts';

/** A longer comment is no documentation; keeps the search for closing tags short. */
const docCharsMax = 50_000;
const isXml = /<(?:summary|remarks|param|typeparam|returns|value|exception|example|inheritdoc)\b/;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();
/** `T:Some.Name{T}` as the code writes it. */
const nameOf = (reference: string): string =>
  reference
    .replace(/^[A-Z]:/, '')
    .replaceAll('{', '<')
    .replaceAll('}', '>');

/** The comments of C#, which are XML, with the tags that `docMarkdown` knows. Comments without XML stay as they are. */
export function docOfXml(doc: string): string {
  if (doc.length > docCharsMax || !isXml.test(doc)) return doc;
  const code: string[] = [];
  const keep = (text: string): string => `\u0000${code.push(text) - 1}\u0000`;
  const text = doc
    .replaceAll('\u0000', '')
    .replace(/<code\b[^>]*>(?:\s*<!\[CDATA\[)?([\s\S]*?)(?:\]\]>\s*)?<\/code>/g, (_, written: string) =>
      keep(`\n\n\`\`\`csharp\n${decodeEntities(outdented(written))}\n\`\`\`\n\n`),
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
  // A sign that the comment wrote as an entity begins no tag; code shows it as it is.
  const escaped = text.replace(/`[^`\n]*`|&(?:lt|#60|#x3c);/gi, (part) => (part.startsWith('`') ? part : '\\&lt;'));
  return decodeEntities(escaped)
    .replace(/\u0000(\d+)\u0000/g, (_, at: string) => code[Number(at)] ?? '')
    .trim();
}

function outdented(text: string): string {
  const lines = text.replace(/^[ \t]*\n|\s+$/g, '').split('\n');
  const margin = marginOf(lines);
  return lines.map((line) => line.slice(margin)).join('\n');
}
