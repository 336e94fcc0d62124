/** A public declaration with its documentation. */
export interface Declaration {
  /** Name as written; a member's name does not include its container. */
  name: string;
  /** Other names declared on the same line. */
  also?: readonly string[];
  /** One signature per overload, with line breaks as written. */
  signatures: string[];
  /** Text of the comment or docstring in its own markup, without comment marks. */
  doc: string;
  members: Declaration[];
}

/** The declarations in a source file. */
export interface DeclaredFile {
  /** Documentation of the file or module as a whole. */
  doc: string;
  declarations: Declaration[];
}

/** Longer signatures are lists of values or generated types, whose start is sufficient. */
const signatureLinesMax = 60;
const signatureCharsMax = 3000;
/** Comments in a signature describe its fields or values, all of which are wanted. */
const commentedTimes = 10;

/** Returns a signature without its outer indentation, truncated if very long. */
export function signatureOf(source: string, indent: string): string {
  const lines = source
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line).trimEnd());
  const times = /^[ \t]*\/[/*]/m.test(source) ? commentedTimes : 1;
  const isCut = lines.length > signatureLinesMax * times || source.length > signatureCharsMax * times;
  const text = lines
    .slice(0, signatureLinesMax * times)
    .join('\n')
    .slice(0, signatureCharsMax * times);
  return isCut ? `${text}\n…` : text;
}

/** Merges overloads of one name; keeps the first non-empty comment. */
export function withOverloads(declarations: readonly Declaration[]): Declaration[] {
  const byName = new Map<string, Declaration>();
  for (const one of declarations) {
    const known = byName.get(one.name);
    if (!known) byName.set(one.name, { ...one, signatures: [...one.signatures], members: [...one.members] });
    else {
      if (known.signatures.length < 12) {
        known.signatures.push(...one.signatures);
        known.also = [...(known.also ?? []), ...(one.also ?? [])];
      }
      for (const member of one.members) known.members.push(member);
      known.doc ||= one.doc;
    }
  }
  return [...byName.values()];
}
