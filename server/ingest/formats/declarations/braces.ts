import { type Declaration, type DeclaredFile, signatureOf, withOverloads } from './declaration.ts';
import { commentText, isHidden } from './doc-comment.ts';
import type { BraceLanguage, Described, Place } from './languages.ts';
import { SourceScanner } from './source-scanner.ts';

/** Maximum nesting of classes and namespaces; deeper ones are skipped. */
const depthMax = 6;
const headerCharsMax = 20_000;

/** Finds the public declarations in a file of a brace language, with the doc comment above each. Linear. */
export function readBraces(text: string, language: BraceLanguage): DeclaredFile {
  const scanner = new SourceScanner(text, language.syntax);
  const reader = new BraceReader(scanner, language);
  const declarations = reader.members({ depth: 0, container: '', isOpen: language.isOpen(text) });
  return { doc: reader.fileDoc, declarations: withOverloads(declarations) };
}

class BraceReader {
  fileDoc = '';
  private readonly scanner: SourceScanner;
  private readonly language: BraceLanguage;
  private doc = '';
  private docEnd = -1;
  private isFirstComment = true;

  constructor(scanner: SourceScanner, language: BraceLanguage) {
    this.scanner = scanner;
    this.language = language;
  }

  /** Returns declarations up to the brace that closes the current body. */
  members(place: Place): Declaration[] {
    const { scanner } = this;
    const found: Declaration[] = [];
    const here = { ...place };
    while (!scanner.isAtEnd) {
      const char = scanner.text[scanner.at] as string;
      if (char === '}') {
        scanner.at++;
        break;
      }
      const comment = scanner.comment();
      if (comment !== undefined) this.takeComment(comment, found.at(-1));
      else if (/[\s;,]/.test(char)) {
        if (char === ';') here.isList = false;
        scanner.at++;
      } else if (char === '#') this.directive(found);
      else if (char === ')' || char === ']') scanner.at++;
      else this.statement(here, found);
    }
    this.doc = '';
    return found;
  }

  /** Reads a comment. Consecutive line comments are merged; an empty line ends a comment. */
  private takeComment(comment: string, last: Declaration | undefined): void {
    const { scanner, language } = this;
    const isBehind =
      language.hasTrailingDocs && /;[ \t]*$/.test(scanner.text.slice(Math.max(0, scanner.at - 40), scanner.at));
    if (isBehind && last) {
      last.doc = `${last.doc}\n${commentText(comment)}`.trim();
      scanner.at += comment.length;
      return;
    }
    const isLine = comment.startsWith('//');
    const inner = /^(?:\/\/!|\/\*!)/.test(comment) && language.hasInnerDocs;
    const isDoc = /^(?:\/\/[/!](?!\/)|\/\*[*!](?!\/))/.test(comment) || (isLine && language.syntax.anyCommentIsDoc);
    const between = this.docEnd < 0 ? '' : scanner.text.slice(this.docEnd, scanner.at);
    const isContinued = isLine && this.docEnd >= 0 && /^[ \t]*\n[ \t]*$/.test(between) && this.doc !== '';
    scanner.at += comment.length;
    if (inner || (this.isFirstComment && /[@\\](?:file|packageDocumentation|fileoverview)\b/.test(comment)))
      this.fileDoc += `${this.fileDoc === '' ? '' : '\n'}${commentText(comment).replace(/[@\\](?:file(?:overview)?|packageDocumentation)\b[ \t]*(?:[\w.]+\.h\w*)?/, '')}`;
    else if (isDoc) {
      this.doc = isContinued ? `${this.doc}\n${commentText(comment)}` : commentText(comment);
      this.docEnd = scanner.at;
    }
    this.isFirstComment = false;
  }

  private takeDoc(at: number): string {
    const { doc } = this;
    // In languages in which any comment counts, it must be directly above.
    const isClose =
      !this.language.syntax.anyCommentIsDoc || /^[ \t]*(?:\n[ \t]*)?$/.test(this.scanner.text.slice(this.docEnd, at));
    this.doc = '';
    this.docEnd = -1;
    return isClose ? doc : '';
  }

  /** Skips preprocessor lines and attributes; adds documented macros. */
  private directive(found: Declaration[]): void {
    const { scanner } = this;
    if (scanner.text[scanner.at + 1] === '[' || scanner.text.startsWith('#![', scanner.at)) {
      scanner.at = scanner.closing(scanner.text.indexOf('[', scanner.at), '');
      return;
    }
    const start = scanner.at;
    let end = scanner.text.indexOf('\n', start);
    while (end > 0 && scanner.text[end - 1] === '\\') end = scanner.text.indexOf('\n', end + 1);
    scanner.at = end < 0 ? scanner.text.length : end;
    const macro = /^#\s*define\s+(\w+)(\([^)]*\))?/.exec(scanner.text.slice(start, Math.min(scanner.at, start + 500)));
    const doc = macro ? this.takeDoc(start) : '';
    if (macro && doc !== '' && !isHidden(doc))
      found.push({ name: macro[1] as string, signatures: [`#define ${macro[1]}${macro[2] ?? ''}`], doc, members: [] });
  }

  private statement(place: Place, found: Declaration[]): void {
    const { scanner, language } = this;
    const access = language.accessLabel?.exec(scanner.text.slice(scanner.at, scanner.at + 40));
    if (access) {
      place.isHiddenNow = access[1] !== 'public';
      scanner.at += access[0].length;
      return;
    }
    const start = scanner.at;
    const indent = scanner.indentAt(start);
    const header = this.header(indent, place);
    if (language.hasOptionalTypes) header.text = header.text.replace(/^[ \t]*#(?:if|else|endif).*\n/gm, '');
    const described = language.describe(header.text, place);
    const doc = this.takeDoc(start);
    if (language.isPackage?.test(header.text) && doc !== '') this.fileDoc ||= doc;
    const isWanted = described !== undefined && described.isPublic && !place.isHiddenNow && !isHidden(doc);
    let members: Declaration[] = [];
    let body = '';
    if (header.hasBody) {
      const bodyStart = scanner.at;
      const isRead = described?.isContainer === true && place.depth < depthMax;
      if (isRead) {
        scanner.at++;
        members = this.members({ ...innerPlace(place, described), depth: place.depth + 1 });
      } else scanner.at = scanner.closing(bodyStart, indent);
      if (described?.keepsBody === true) body = ` ${scanner.text.slice(bodyStart, scanner.at)}`;
      // The members show these comments.
      if (isRead) body = body.replace(/^[ \t]*\/\/\/.*\n/gm, '');
      if (isRead && /[:=&]\s*$/.test(header.text)) body = ' { … }';
    }
    if (described?.isTransparent === true) {
      found.push(...members);
      return;
    }
    const isDocumented = doc !== '' || members.length > 0 || language.documentsWithin?.test(header.text) === true;
    if (!isWanted || (!isDocumented && !language.isDeclarationOnly)) return;
    const signature = signatureOf(header.text.trim() + body, indent);
    found.push({
      name: described.name,
      signatures: signature === '' ? [] : [signature],
      doc,
      members: withOverloads(members),
    });
  }

  /** Returns the text up to the body, the semicolon, or the line end that ends the statement. */
  private header(indent: string, place: Place): { text: string; hasBody: boolean } {
    const { scanner, language } = this;
    const { text } = scanner;
    const start = scanner.at;
    const parts: string[] = [];
    let from = start;
    while (scanner.at < text.length && scanner.at - start < headerCharsMax) {
      const char = text[scanner.at] as string;
      if (char === ';' || char === '}') break;
      if (char === ',' && (place.isList === true || this.endsMember(place, start))) break;
      if (char === '\n' && language.syntax.endsAtLine && this.isComplete(start)) break;
      if (char === '{' && (!language.isLiteral(text.slice(start, scanner.at)) || this.opensType(place, start, indent)))
        break;
      if (char === '{' || char === '(' || char === '[') {
        const end = scanner.closing(scanner.at, indent);
        // Values are not part of a signature.
        if (char === '{' && language.isValue(text.slice(start, scanner.at))) {
          parts.push(text.slice(from, scanner.at), '{ … }');
          from = end;
        }
        scanner.at = end;
      } else if (char === '/' && scanner.comment() !== undefined) {
        const comment = scanner.comment() as string;
        parts.push(text.slice(from, scanner.at).replace(/(?<![ \t])[ \t]+$/, ''));
        scanner.at += comment.length;
        from = scanner.at;
      } else scanner.at = scanner.after(scanner.at);
    }
    parts.push(text.slice(from, scanner.at));
    const hasBody = text[scanner.at] === '{';
    // Always advance by at least one character.
    if (scanner.at === start) scanner.at++;
    return { text: parts.join(''), hasBody };
  }

  /** Returns true for an inline object type with documented members, which is read like a named type. */
  private opensType(place: Place, start: number, indent: string): boolean {
    const { text, at } = this.scanner;
    if (place.depth >= depthMax || this.language.isObjectType?.(text.slice(start, at), place) !== true) return false;
    const end = this.scanner.closing(at, indent);
    return (
      /\/\*\*(?!\/)/.test(text.slice(at, end)) && /^[ \t]*(?:[;,}]|\n(?!\s*[|&])|$)/.test(text.slice(end, end + 200))
    );
  }

  /** Returns true for a comma at the end of a line that separates a type's members. */
  private endsMember(place: Place, start: number): boolean {
    const { text, at } = this.scanner;
    if (this.language.isObjectType === undefined || place.kind !== 'interface') return false;
    if (!/^,[ \t]*(?:\n|\/)/.test(text.slice(at, at + 80))) return false;
    const written = text.slice(Math.max(start, at - 2000), at).replaceAll('=>', '');
    return written.split('<').length === written.split('>').length;
  }

  private isComplete(start: number): boolean {
    const { text, at } = this.scanner;
    const { hasOptionalTypes } = this.language;
    const written = text.slice(Math.max(start, at - 80), at).trimEnd();
    const before = hasOptionalTypes ? written.replace(/(?<![?!])[?!]+$/, '') : written;
    if (before === '' || /(?:[=|&,(<:?+*.-]|=>)$/.test(before)) return false;
    const after = text.slice(at, at + 200);
    if (hasOptionalTypes && /^\s*(?:->|(?:where|throws|rethrows|async)\b)/.test(after)) return false;
    const head = text.slice(start, at).trim().slice(0, 500);
    return (
      !/^\s*[|&.?:=,)<{]/.test(after) &&
      // Compiler conditions may stand between attributes.
      !/^(?:\s*@[\w.]+(?:\((?:[^()]|\([^()]*\))*\))?)+$/.test(head.replace(/\n[ \t]*#.*/g, ''))
    );
  }
}

function innerPlace(place: Place, described: Described): Place {
  return {
    depth: place.depth,
    container: described.isNamespace === true ? '' : described.name,
    isOpen: described.opensMembers,
    isList: described.isList === true,
    kind: described.kind,
  };
}
