import { codeSpan } from '../write-markdown.ts';
import type { Directive } from './directive.ts';
import { plainTextId, type RstState } from './state.ts';

interface Domain {
  /** Returns the anchor for a full name. */
  anchor: (name: string, state: RstState) => string;
  /** Words that Sphinx prints before the signature. */
  prefix?: string;
  /** True if module and class are part of the name. */
  isQualified?: boolean;
  isClass?: boolean;
  /** True if the enclosing class is part of the name; defaults to `isQualified`. */
  isMember?: boolean;
}

const python = (extra: Partial<Domain> = {}): Domain => ({ anchor: (name) => name, isQualified: true, ...extra });
/** Returns the domain of names with `kind-name` anchors, which Sphinx uses for everything without a domain. */
export const standard = (kind: string): Domain => ({ anchor: (name) => `${kind}-${name}` });
const none: Domain = { anchor: () => '' };
const option: Domain = { anchor: (name, state) => plainTextId(`cmdoption-${state.program}-${name}`) };
const c: Domain = { anchor: (name) => `c.${name}`, isMember: true };
const cType: Domain = { ...c, isClass: true };

const domains: Record<string, Domain> = {
  function: python(),
  method: python(),
  attribute: python(),
  data: python(),
  property: python({ prefix: 'property' }),
  classmethod: python({ prefix: 'classmethod' }),
  staticmethod: python({ prefix: 'static' }),
  decorator: python(),
  decoratormethod: python(),
  coroutinefunction: python({ prefix: 'async' }),
  coroutinemethod: python({ prefix: 'async' }),
  awaitablefunction: python(),
  awaitablemethod: python(),
  abstractmethod: python({ prefix: 'abstractmethod' }),
  type: python(),
  class: python({ prefix: 'class', isClass: true }),
  exception: python({ prefix: 'exception', isClass: true }),
  autofunction: python(),
  automethod: python(),
  autoattribute: python(),
  autodata: python(),
  autoproperty: python(),
  autoclass: python({ prefix: 'class', isClass: true }),
  autoexception: python({ prefix: 'exception', isClass: true }),
  option,
  cmdoption: option,
  'program-option': option,
  'django-admin-option': option,
  envvar: standard('envvar'),
  confval: standard('confval'),
  setting: standard('std-setting'),
  'django-admin': standard('django-admin'),
  fieldlookup: standard('std-fieldlookup'),
  templatetag: standard('std-templatetag'),
  templatefilter: standard('std-templatefilter'),
  opcode: standard('opcode'),
  pdbcommand: standard('pdbcommand'),
  variable: standard('variable'),
  command: standard('command'),
  prop_tgt: standard('prop_tgt'),
  cfunction: c,
  ctype: c,
  cmacro: c,
  cmember: c,
  cvar: c,
  describe: none,
  object: none,
  'rst:directive': standard('directive'),
  'rst:role': standard('role'),
  signature: none,
  event: none,
};

/** Returns the domain of a directive, or undefined if it describes nothing with a name. */
export function domainOf(name: string): Domain | undefined {
  const own = domains[name] ?? domains[name.replace(/^(?:py|std):/, '')];
  if (own) return own;
  const kind = /:(class|struct|union|enum|enum-class|enum-struct|enumerator|concept|interface|exception)$/.exec(name);
  const prefix = kind === null ? {} : { prefix: (kind[1] as string).replace('-', ' ') };
  if (name.startsWith('c:')) return { ...(/:(?:type|struct|union|enum)$/.test(name) ? cType : c), ...prefix };
  if (name.startsWith('js:'))
    return { anchor: (full) => full, isClass: name === 'js:class', isQualified: true, ...prefix };
  if (/^(?:cpp|rb|php|go|java|http|cmake|lua|dn|chpl):/.test(name)) return { ...none, ...prefix };
  return undefined;
}

/**
 * Reads the description of functions, classes, options and similar: a term for each signature, the last with the body.
 */
export function readObject(state: RstState, directive: Directive, domain: Domain): void {
  const signatures = joinContinued(directive.argument);
  let name = '';
  for (const [index, signature] of signatures.entries()) {
    name = nameOf(signature, directive.name);
    const isMember = (domain.isQualified ?? domain.isMember ?? false) && state.classes.length > 0;
    const inClass = isMember && !name.startsWith(`${state.classes.at(-1)}.`) ? `${state.classes.at(-1)}.${name}` : name;
    const isInModule = domain.isQualified === true && state.module !== '' && !inClass.startsWith(`${state.module}.`);
    const full = isInModule ? `${state.module}.${inClass}` : inClass;
    const shown = signature.replace(name, isInModule && !isMember ? full : inClass);
    const names = domain === option ? signature.split(/,\s+/).map((one) => nameOf(one, directive.name)) : [full];
    state.draft.openTerm(
      codeSpan(domain.prefix ? `${domain.prefix} ${shown}` : shown),
      names,
      domain.anchor(full, state),
    );
    if (index < signatures.length - 1) state.draft.closeTerm();
    else name = inClass;
  }
  if (domain.isClass) state.classes.push(name);
  state.read(state, directive.bodyFrom, directive.end, directive.bodyIndent);
  if (domain.isClass) state.classes.pop();
  if (signatures.length > 0) state.draft.closeTerm();
}

/** Joins signatures broken with a backslash or inside brackets. */
function joinContinued(lines: readonly string[]): string[] {
  const joined: string[] = [];
  let isContinued = false;
  for (const line of lines) {
    const text = line.replace(/\\$/, '').trim();
    if (isContinued) joined[joined.length - 1] += ` ${text}`;
    else joined.push(text);
    const last = joined.at(-1) as string;
    isContinued = line.endsWith('\\') || last.split('(').length > last.split(')').length;
  }
  return joined;
}

function nameOf(signature: string, directive: string): string {
  const text = signature.replace(/\\(.)/g, '$1');
  if (/^(?:--?|\/|\+)/.test(text)) return text.replace(/[\s=[<].*$/s, '');
  const head = text
    .replace(/\(.*$/s, '')
    .replace(/(?<!\s)\s*(?:->|=|:(?!:)).*$/s, '')
    .trim();
  const words = head.split(/\s+/);
  const isCLike =
    directive.startsWith('c') && directive !== 'class' && directive !== 'classmethod' && directive !== 'confval';
  return (
    (isCLike ? words.at(-1) : words.length > 1 && !directive.includes('admin') ? words.at(-1) : words[0])?.replace(
      /^[*&]+|\[.*$/gs,
      '',
    ) ?? ''
  );
}
