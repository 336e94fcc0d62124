import { childElements, type HtmlElement, HtmlText, squash, squashedText } from '../../extract/html-tree.ts';

/** Elements that contain declarations; each becomes code. */
export const synopses = /^(?:(?:method|constructor|destructor|field|class|enum|cmd|func)synopsis|funcprototype)$/;

const named = (element: HtmlElement, pattern: RegExp) =>
  childElements(element).filter(({ name }) => pattern.test(name));
const textsOf = (element: HtmlElement, pattern: RegExp) => named(element, pattern).map(textOfType).filter(Boolean);

/** Returns a type's text, with PHP's operator between the parts of union and intersection types. */
function textOfType(element: HtmlElement): string {
  const mark = { union: '|', intersection: '&' }[element.className] ?? '';
  return mark === '' ? squashedText(element) : childElements(element).map(textOfType).join(mark);
}

/** Returns a declaration as code, in PHP's syntax or with the type before the name. */
export function synopsisText(element: HtmlElement, isPhp: boolean): string {
  switch (element.name) {
    case 'cmdsynopsis':
      return commandText(element)
        .replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, '\n    ')
        .trim();
    case 'funcsynopsis':
      return named(element, /^func/)
        .map((part) => (part.name === 'funcprototype' ? synopsisText(part, isPhp) : textOf(part)))
        .join('\n');
    case 'funcprototype': {
      const parameters = named(element, /^(?:paramdef|varargs)$/);
      const texts = parameters.map((part) => (part.name === 'varargs' ? '...' : squashedText(part)));
      return `${textsOf(element, /^funcdef$/).join(' ')}(${texts.join(', ') || 'void'});`;
    }
    case 'fieldsynopsis':
      return fieldText(element, isPhp);
    case 'classsynopsis':
    case 'enumsynopsis':
      return classText(element, isPhp);
    default:
      return methodText(element, isPhp);
  }
}

const textOf = (element: HtmlElement): string =>
  element.children
    .map((child) => (child instanceof HtmlText ? child.value : textOf(child)))
    .join('')
    .trim();

function methodText(element: HtmlElement, isPhp: boolean): string {
  const name = textsOf(element, /^methodname$/).join(' ');
  const before = childElements(element).findIndex((child) => child.name === 'methodname');
  const type = childElements(element)
    .slice(0, Math.max(0, before))
    .flatMap((child) => (child.name === 'type' ? [textOfType(child)] : child.name === 'void' ? ['void'] : []))
    .join(' ');
  const parameters = named(element, /^methodparam$/).map((part) => parameterText(part, isPhp));
  const faults = textsOf(element, /^exceptionname$/).join(', ');
  const call = `${name}(${parameters.join(', ')})`;
  const modifiers = textsOf(element, /^modifier$/);
  if (isPhp) return `${[...modifiers, call].join(' ')}${type === '' ? '' : `: ${type}`}`;
  return [...modifiers, type, call, faults && `throws ${faults}`].filter(Boolean).join(' ');
}

function parameterText(element: HtmlElement, isPhp: boolean): string {
  const reference = named(element, /^parameter$/).some((part) => part.attribute('role') === 'reference') ? '&' : '';
  const rest = element.attribute('rep') === 'repeat' ? '...' : '';
  const name = textsOf(element, /^(?:parameter|funcparams)$/).join(' ');
  const written = `${reference}${rest}${isPhp && /^\w/.test(name) ? '$' : ''}${name}`;
  const initial = textsOf(element, /^initializer$/).map((text) => `= ${text}`);
  const text = [...textsOf(element, /^(?:modifier|type)$/), written, ...initial].join(' ');
  return element.attribute('choice') === 'opt' && initial.length === 0 && rest === '' ? `[${text}]` : text;
}

function fieldText(element: HtmlElement, isPhp: boolean): string {
  const modifiers = textsOf(element, /^modifier$/);
  const isVariable = isPhp && !modifiers.includes('const');
  const names = textsOf(element, /^varname$/).map((name) => (isVariable && /^\w+$/.test(name) ? `$${name}` : name));
  const initial = textsOf(element, /^initializer$/).map((text) => `= ${text}`);
  return `${[...modifiers, ...textsOf(element, /^type$/), ...names, ...initial].join(' ')};`;
}

function classText(element: HtmlElement, isPhp: boolean): string {
  let head = '';
  const lines: string[] = [];
  for (const child of childElements(element)) {
    const text = squashedText(child);
    if (/^(?:oo(?:class|interface|exception)|enumname)$/.test(child.name)) {
      const kind = element.name === 'enumsynopsis' ? 'enum' : (element.attribute('class') ?? 'class');
      const isNamed = /\b(?:class|interface|extends|implements)\s/.test(`${text} `);
      const isFirst = head === '';
      const [modifiers, name] = [textsOf(child, /^modifier$/), textsOf(child, /name$/)];
      if (isFirst) head = isNamed || name.length === 0 ? `${kind} ${text}` : [...modifiers, kind, ...name].join(' ');
      else if (isNamed) head += ` ${text}`;
      else if (child.name === 'oointerface' && !head.includes(' implements ')) head += ` implements ${text}`;
      else head += `, ${text}`;
    } else if (child.name === 'classsynopsisinfo') lines.push(`/* ${text} */`);
    else if (child.name === 'enumitem') {
      const [about = ''] = textsOf(child, /^enumitemdescription$/);
      const value = textsOf(child, /^enumvalue$/)
        .map((shown) => ` = ${shown}`)
        .join('');
      lines.push(`case ${textsOf(child, /^enumidentifier$/).join(' ')}${value};${about && ` // ${about}`}`);
    } else if (synopses.test(child.name)) {
      const declared = synopsisText(child, isPhp);
      lines.push(declared.endsWith(';') ? declared : `${declared};`);
    }
  }
  // Members under a label may be in other files, so empty labels are removed.
  const isEmpty = (line: string | undefined) => line === undefined || line.startsWith('/*');
  const shown = lines.filter((line, at) => !isEmpty(line) || !isEmpty(lines[at + 1]));
  return [`${head} {`, ...shown.map((line) => `    ${line}`), '}'].join('\n');
}

/** Returns the words of a command; optional ones are in brackets. */
function commandText(element: HtmlElement): string {
  const { name } = element;
  if (name === 'sbr') return '\n';
  const between = name === 'group' ? ' | ' : ' ';
  const isWords = name === 'cmdsynopsis' || name === 'group';
  const parts = element.children.map((child) =>
    child instanceof HtmlText ? (isWords ? '' : child.value.replace(/\s+/g, ' ')) : commandText(child),
  );
  const text = isWords ? parts.filter((part) => part.trim() !== '' || part === '\n').join(between) : parts.join('');
  const choice = element.attribute('choice') ?? (name === 'arg' || name === 'group' ? 'opt' : 'plain');
  const repeated = element.attribute('rep') === 'repeat' ? '...' : '';
  const shown = isWords ? text : squash(text);
  if (choice === 'opt') return `[${shown}${repeated}]`;
  return `${choice === 'req' ? `{${shown}}` : shown}${repeated}`;
}
