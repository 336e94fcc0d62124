/** A declaration that others may use, with what its author says of it. */
export interface Declaration {
  /** As it is written; members without the name of what holds them. */
  name: string;
  /** Other names that the same line declares. */
  also?: readonly string[];
  /** One for each overload, on as many lines as written. */
  signatures: string[];
  /** What the comment or docstring says, in its own markup, marks of the comment taken away. */
  doc: string;
  members: Declaration[];
}

/** What a file of source code declares. */
export interface DeclaredFile {
  /** What is said of the file or module as a whole. */
  doc: string;
  declarations: Declaration[];
}

/** Longer signatures are lists of values or generated types: their start says what they are. */
const signatureLinesMax = 60;
const signatureCharsMax = 3000;

/** A signature without the indentation of its place, cut to its start where it is very long. */
export function signatureOf(source: string, indent: string): string {
  const lines = source
    .trimEnd()
    .split('\n')
    .map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line).trimEnd());
  const isCut = lines.length > signatureLinesMax || source.length > signatureCharsMax;
  const text = lines.slice(0, signatureLinesMax).join('\n').slice(0, signatureCharsMax);
  return isCut ? `${text}\n…` : text;
}

/** Puts overloads of one name together; the first comment that says anything is kept. */
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
