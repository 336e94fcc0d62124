import { codeSpan } from '../write-markdown.ts';
import { atxHeading, fenceStart, isBlank, isThematicBreak, listMarker } from './lines.ts';
import { parameterOf } from './read-component.ts';
import { attribute, isBlockElement, isComponent, tagAt } from './tags.ts';

/**
 * A container such as `:::note Title`, `!!! note "Title"`, `=== "Tab"`, Nuxt's `::tip{icon="i"}`, `{% hint %}` or `{{<
 * note >}}`.
 */
export interface ContainerMark {
  style: 'fenced' | 'indented' | 'bracketed';
  name: string;
  title: string;
  /** Link target of a Nuxt component. */
  target?: string;
  isClosing: boolean;
}

/** Components of Nuxt's documentation themes that may have no attributes. */
const componentsAlone =
  /^(?:accordion|badge|callout|card|caution|code|collapsible|danger|div|error|field|info|important|note|page|prose|read-more|list|steps?|success|tabs?|tip|u|warning)(?:-[a-z-]+|s)?$/;

/**
 * Returns the container mark if it is alone on the line. Each expression is unambiguous, so that long lines take linear
 * time.
 */
export function containerMark(line: string): ContainerMark | undefined {
  const trimmed = line.trim();
  if (trimmed.length > 1_000) return undefined;
  if (trimmed.startsWith(':::')) {
    const braced = pandocContainer(trimmed);
    if (braced) return braced;
    const match =
      /^:{3,}(?!:)\s*(?!\s)\{?\.?([\w-]*)(?![\w-])(?:\[([^\]]*)\])?([^:{}]*)(?![^:{}])(?:\{[^}]*\}\s*)?:*$/.exec(
        trimmed,
      );
    if (!match) return undefined;
    const [, name = '', bracketed, title = ''] = match;
    return { style: 'fenced', name, title: bracketed ?? title, isClosing: name === '' && bracketed === undefined };
  }
  if (/^::(?!:)/.test(trimmed)) {
    const [whole, name = '', bracketed, attributes = ''] =
      /^::(?:([a-z][\w-]*)(?:\[([^\]]*)\])?(\{.*\})?)?$/.exec(trimmed) ?? [];
    const isNamedOnly = name !== '' && bracketed === undefined && attributes === '';
    // Other names without attributes are from C++ or CSS.
    if (whole === undefined || (isNamedOnly && !componentsAlone.test(name))) return undefined;
    const title = bracketed ?? /\b(?:title|label|name|description)="([^"]*)"/.exec(attributes)?.[1] ?? '';
    const target = /\b(?:to|link|href)="([^"]*)"/.exec(attributes)?.[1];
    return { style: 'fenced', name, title, isClosing: name === '', ...(target && { target }) };
  }
  if (trimmed.startsWith('!!!') || trimmed.startsWith('???') || trimmed.startsWith('===')) {
    const match = /^(!!!|\?\?\?\+?|===[!+]?)(?:\s+(?!\s)|(?=\w))([\w-]*)(?:\s+[\w-]+)*\s*(?:"(.*)")?$/.exec(trimmed);
    if (!match) return undefined;
    const [, mark = '', name = '', title = ''] = match;
    if (mark.startsWith('=') && title === '') return undefined;
    return { style: 'indented', name: mark.startsWith('=') ? 'tab' : name, title, isClosing: false };
  }
  const match =
    /^\{%-?\s*(?:(\/)\s*)?(end)?([\w-]+)(?![\w-])((?:[^%]|%(?!\}))*)%\}$/.exec(trimmed) ??
    /^\{\{[<%]\s*(?:(\/)\s*)?(end)?([\w-]+(?:[./][\w-]+)*)(?![./]?[\w-])((?:[^{}]*[^{}\s/])?)[\s/]*[>%]\}\}$/.exec(
      trimmed,
    );
  if (!match) return undefined;
  const [, slash = '', end, word = '', rest = ''] = match;
  const kind = /(?:style|type)\s*=\s*"([^"]*)"/.exec(rest)?.[1] ?? /^\s*"?([a-z]+)"?\s*$/.exec(rest)?.[1];
  const tab =
    word === 'tab'
      ? /^\s*(?:"([^"]+)"|'([^']+)'|([^\s"'=]+)(?=\s+\w+=|\s*$))/.exec(rest)?.slice(1).find(Boolean)
      : undefined;
  const fold = /^(?:details|expand|collapse|accordion)/.test(word) ? /^\s*"([^"]+)"/.exec(rest)?.[1] : undefined;
  const title =
    tab ??
    fold ??
    partOfApi(rest) ??
    /(?:title|caption|label|name|header|alt|summary|content|status)\s*=\s*(?:"([^"]*)"|'([^']*)')/
      .exec(rest)
      ?.slice(1)
      .find(Boolean) ??
    '';
  return { style: 'bracketed', name: kind ?? word, title, isClosing: slash !== '' || end !== undefined };
}

/**
 * Returns the operation or parameter in a GitBook tag: `{% swagger method="get" path="/pets" summary="Lists pets" %}`.
 */
function partOfApi(attributes: string): string | undefined {
  const tag = { name: '', isClosing: false, isSelfClosing: false, attributes, end: 0 };
  const [method, path] = [attribute(tag, 'method'), attribute(tag, 'path')];
  if (!method || !path) return /(?:^|\s)(?:in|required)=/.test(attributes) ? parameterOf(tag) : undefined;
  const summary = attribute(tag, 'summary');
  return `${codeSpan(`${method.toUpperCase()} ${path}`)}${summary ? `: ${summary}` : ''}`;
}

/** Parses a Pandoc container, `::: {.callout-tip title="Hot"}`, or an unknown directive, `:::{proof:lemma} Title`. */
function pandocContainer(line: string): ContainerMark | undefined {
  const [, inside, after = ''] = /^:{3,}\s*\{([^{}]*)\}([^{}]*)$/.exec(line) ?? [];
  if (inside === undefined) return undefined;
  const directive = /^[a-zA-Z][\w:-]*$/.exec(inside)?.[0];
  const name = directive ?? /(?:^|\s)\.(?:callout-)?([\w-]+)/.exec(inside)?.[1] ?? '';
  const title =
    /(?:^|\s)title=(?:"([^"]*)"|'([^']*)')/.exec(inside)?.slice(1).find(Boolean) ??
    after.replace(/(?<!:):+$/, '').trim();
  return { style: 'fenced', name, title, isClosing: false };
}

/** Returns true if the line ends the paragraph above it. */
export function interruptsParagraph(line: string): boolean {
  const first = line.trimStart()[0] ?? '';
  if (!/[#>`~\-*_+0-9:!?={<]/.test(first)) return false;
  if (atxHeading(line) || fenceStart(line) || first === '>' || isThematicBreak(line)) return true;
  const marker = listMarker(line);
  if (marker)
    return (
      !isBlank(line.slice(line.search(/\S/) + marker.content - marker.indent - 1)) && !/^\s*(?:[2-9]|\d\d)/.test(line)
    );
  if (first === '<') return startsBlockTag(line);
  // MyST directives, including those that `containerMark` does not recognise.
  if (/^ {0,3}:{3,}\s*\{[\w:-]+\}/.test(line)) return true;
  return (containerMark(line) !== undefined && first !== '=') || isMdxComment(line);
}

/** Returns true if the line starts with an MDX comment. */
export function isMdxComment(line: string): boolean {
  return line.trimStart().startsWith('{/*');
}

/** Returns true if the line starts with a block element's tag or a comment, or is only a component. */
export function startsBlockTag(line: string): boolean {
  const trimmed = line.trimStart();
  if (trimmed.startsWith('<!--')) return true;
  const tag = tagAt(trimmed, 0);
  if (!tag) return false;
  if (!isComponent(tag.name)) return isBlockElement(tag.name);
  const isTitled = ['title', 'label', 'name'].some((name) => attribute(tag, name) !== undefined);
  return isBlank(trimmed.slice(tag.end)) || (isTitled && trimmed.trimEnd().endsWith(`</${tag.name}>`));
}
