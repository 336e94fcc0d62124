/** The part of an XML file before the root element. */
interface Prolog {
  /** Offset of the root element. */
  end: number;
  /** Values of entities declared in the file; external ones are empty. */
  declared: Map<string, string>;
  /** Files with further declarations. */
  files: string[];
  /** Text of the document type: `-//OASIS//DTD DocBook XML V4.5//EN`. */
  doctype: string;
}

const entitiesMax = 5_000;
const doctypeStart = /<!DOCTYPE(?:[^<>"'[\]]|"[^"]*"|'[^']*'){0,2000}/y;
const declaration =
  /\s+|%[\w.:-]+;|<\?[^]*?\?>|<!--[^]*?-->|<!ENTITY\s+(%\s+)?([^\s<>"'%]+)\s+(?:(SYSTEM)\s+|(PUBLIC)\s+(?:"[^"]*"|'[^']*')\s+)?(?:"([^"]*)"|'([^']*)')[^<>]{0,200}>|<!(?:[^<>"']|"[^"]*"|'[^']*'){0,2000}>/y;

/** Reads everything before the root element; undefined if there is none. */
export function readProlog(text: string): Prolog | undefined {
  const prolog: Prolog = { end: 0, declared: new Map(), files: [], doctype: '' };
  for (;;) {
    const at = prolog.end + text.slice(prolog.end).search(/[^\s\ufeff]|$/);
    prolog.end = at;
    if (text.startsWith('<!DOCTYPE', at)) readDoctype(text, prolog);
    else if (text.startsWith('<!--', at)) prolog.end = text.indexOf('-->', at) + 3;
    else if (text.startsWith('<?', at)) prolog.end = text.indexOf('?>', at) + 2;
    else return /^<[\p{L}_]/u.test(text.slice(at, at + 2)) ? prolog : undefined;
    if (prolog.end <= at) return undefined;
  }
}

function readDoctype(text: string, prolog: Prolog): void {
  doctypeStart.lastIndex = prolog.end;
  prolog.doctype += doctypeStart.exec(text)?.[0] ?? '';
  prolog.end = doctypeStart.lastIndex;
  if (text[prolog.end] === '[') {
    declaration.lastIndex = prolog.end + 1;
    for (let found = declaration.exec(text); found; found = declaration.exec(text)) {
      prolog.end = declaration.lastIndex;
      const [, isParameter, name, system, isPublic, double, single] = found;
      const value = double ?? single ?? '';
      const isElsewhere = (system ?? isPublic) !== undefined;
      if (name === undefined || prolog.declared.size >= entitiesMax) continue;
      if (isParameter === undefined && !prolog.declared.has(name)) prolog.declared.set(name, isElsewhere ? '' : value);
      else if (isParameter !== undefined && isElsewhere) prolog.files.push(value);
    }
    prolog.end = text.indexOf(']', prolog.end);
  }
  prolog.end = text.indexOf('>', prolog.end < 0 ? text.length : prolog.end) + 1;
}

/** Elements with a title that may contain others of their kind. */
export const sections: ReadonlySet<string> = new Set(
  (
    'set book part reference chapter appendix preface dedication colophon article section simplesect sect1 sect2 sect3 sect4 ' +
    'sect5 refentry refsect1 refsect2 refsect3 refsection refsynopsisdiv glossary glossdiv bibliography bibliodiv qandaset ' +
    'qandadiv qandaentry partintro topic concept task troubleshooting glossgroup refsyn dita'
  ).split(' '),
);
/** Names that no other vocabulary uses. */
const ownNames = /^(?:refentry|(?:ref)?sect[1-5]|(?:variable|itemized)list)$/;
const typical =
  /<(?:simpara|para|refnamediv|programlisting|itemizedlist|variablelist|shortdesc|conbody|taskbody|refbody)[\s/>]/;
const typicalWithin = 65_536;

/** Returns true for DocBook or DITA XML, based on its root element, namespace and document type. */
export function isDocbook(text: string): boolean {
  const prolog = readProlog(text);
  if (prolog === undefined) return false;
  const [root = '', name = ''] = /^<(?:[\w-]+:)?([\w-]+)[^<>]*/.exec(text.slice(prolog.end, prolog.end + 5_000)) ?? [];
  if (root.includes('http://docbook.org/ns/docbook')) return name !== 'locale';
  const isRoot = sections.has(name) || name === 'glossentry' || ownNames.test(name);
  if (/docbook|\bDITA\b/i.test(prolog.doctype)) return isRoot || name === 'para';
  if (ownNames.test(name)) return true;
  return isRoot && typical.test(text.slice(prolog.end, prolog.end + typicalWithin));
}
