/** A line of roff: a macro with its arguments, or text. */
export interface Request {
  /** Empty for text. */
  macro: string;
  args: string[];
  /** The text after the macro, or the whole line of text. */
  rest: string;
}

const nestingMax = 100;

/**
 * Converts a page's lines to requests: removes comments, definitions and typesetter-only parts, and joins continued
 * lines.
 */
export function requestsOf(text: string, strings: Map<string, string>): Request[] {
  const requests: Request[] = [];
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/);
  /** For each open condition, true if the text in its braces is read. */
  const open: boolean[] = [];
  let otherwise = false;
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] as string;
    if (isContinued(line)) {
      const parts = [line.slice(0, -1)];
      for (line = lines[++at] ?? ''; isContinued(line); line = lines[++at] ?? '') parts.push(line.slice(0, -1));
      line = parts.join('') + line;
    }
    for (let depth = 0; depth < nestingMax; depth++) {
      const isRead = open.every(Boolean);
      const condition = /^[.'][ \t]*(if|ie|el)\b[ \t]*(.*)$/s.exec(line);
      if (condition) {
        const { holds, body } = conditionOf(condition[1] as string, condition[2] as string, otherwise);
        if (condition[1] === 'ie') otherwise = !holds;
        const block = /^\\\{(.*)$/.exec(body);
        if (block && open.length < nestingMax) open.push(holds);
        if (!block && !(holds && isRead)) break;
        line = block ? (block[1] as string) : body;
        if (block && !(holds && isRead)) {
          if (line.includes('\\}')) open.pop();
          break;
        }
        continue;
      }
      if (line.includes('\\}') && !line.startsWith('.\\"')) {
        const parts = line.split('\\}');
        for (let count = 1; count < parts.length; count++) open.pop();
        line = (parts[0] as string).replace(/^[.'][ \t]*$/, '');
        if (line === '') break;
      }
      if (!isRead) break;
      const definition = /^[.'][ \t]*(de1?|am|ig)\b[ \t]*(\S*)[ \t]*(\S*)/.exec(line.replace(/\\".*$/s, ''));
      if (definition) {
        const end = `.${(definition[1] === 'ig' ? definition[2] : definition[3]) || '.'}`;
        while (at + 1 < lines.length && (lines[++at] as string).trim() !== end);
        break;
      }
      addRequest(requests, line, strings);
      break;
    }
  }
  return requests;
}

/** Returns true if the line ends in an unescaped backslash. */
function isContinued(line: string): boolean {
  let marks = 0;
  while (line[line.length - 1 - marks] === '\\') marks++;
  return marks % 2 === 1;
}

/** Evaluates a condition: `n` (terminal) is true, `t` (typesetter) is false; computed conditions count as false. */
function conditionOf(kind: string, text: string, otherwise: boolean): { holds: boolean; body: string } {
  if (kind === 'el') return { holds: otherwise, body: text };
  const negated = text.startsWith('!');
  const rest = negated ? text.slice(1).trimStart() : text;
  const match = /^(?:([nteov])\b|([drcFmS])\s*\S+|('[^']*'[^']*')|("[^"]*"[^"]*")|\S+)\s*(.*)$/.exec(
    rest.slice(0, 10_000),
  );
  const holds = match?.[1] === 'n' || match?.[1] === 'e';
  return { holds: holds !== negated, body: match?.[5] ?? '' };
}

function addRequest(requests: Request[], line: string, strings: Map<string, string>): void {
  const match = /^[.'][ \t]*([^\s\\]*)[ \t]*(.*)$/s.exec(line);
  if (!match || (line.startsWith("'") && !/^'[ \t]*(?:\\"|[A-Za-z]{1,3}(?:\s|$))/.test(line))) {
    requests.push({ macro: '', args: [], rest: line });
    return;
  }
  const [, macro = '', rest = ''] = match;
  if (macro === '' || macro === '\\"') return;
  if (macro === 'ds' || macro === 'as') {
    const string = /^(\S+)[ \t]*"?(.*)$/s.exec(rest);
    if (string && strings.size < 1000) strings.set(string[1] as string, (string[2] as string).slice(0, 500));
    return;
  }
  requests.push({ macro, args: argumentsOf(rest), rest });
}

/** Returns a macro's arguments: words, or text in quotation marks, where a doubled mark is a literal one. */
export function argumentsOf(text: string): string[] {
  const args: string[] = [];
  const source = text.replace(/(^|[^\\])\\".*$/s, '$1');
  let at = 0;
  while (at < source.length && args.length < 500) {
    if (source[at] === ' ' || source[at] === '\t') {
      at++;
      continue;
    }
    let word = '';
    if (source[at] === '"') {
      at++;
      while (at < source.length) {
        if (source[at] === '"' && source[at + 1] !== '"') break;
        if (source[at] === '"') at++;
        word += source[at++];
      }
      at++;
    } else {
      const start = at;
      while (at < source.length && source[at] !== ' ' && source[at] !== '\t') at += source[at] === '\\' ? 2 : 1;
      word = source.slice(start, at);
    }
    args.push(word);
  }
  return args;
}
