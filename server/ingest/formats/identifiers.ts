const nameCharsMax = 100;
const namesMax = 8;

/** Words that may precede a name in a signature. */
const signatureWords = new Set(
  (
    'async await abstract class classmethod const constructor coroutine decorator def enum event exception export extern final fn ' +
    'func function impl import interface let macro method mod module namespace new package private property protected pub public ' +
    'readonly record static staticmethod struct trait type typedef union unsafe use var virtual void'
  ).split(' '),
);

/** Returns the names that a heading or signature defines: code spans, and words that only occur in code. */
export function identifiersIn(markdown: string): string[] {
  const names = new Set<string>();
  const text = markdown.slice(0, 1000);
  let rest = '';
  let last = 0;
  for (const match of text.matchAll(/(`+)([^`]+)\1/g)) {
    rest += `${text.slice(last, match.index)} `;
    last = match.index + match[0].length;
    const name = nameInCode(match[2] as string);
    if (name !== undefined) names.add(name);
  }
  rest += text.slice(last);
  for (const word of rest
    .replace(/\]\([^)\s]*\)|[[\]*]/g, ' ')
    .replace(/\\(?=[_<>*])/g, '')
    .split(/\s+/)) {
    const name = nameInProse(word);
    if (name !== undefined) names.add(name);
  }
  return [...names].slice(0, namesMax);
}

/** Returns the name in a signature such as `async def read(n=-1) -> bytes` or `--output=<file>`. */
export function nameInCode(code: string): string | undefined {
  let words = code.trim().split(/\s+/);
  while (words.length > 1 && signatureWords.has(words[0] as string)) words = words.slice(1);
  const first = words[0] ?? '';
  const name = first.startsWith('-')
    ? first.replace(/[=[<,].*$/s, '')
    : first.replace(/(?<=.)[([<{=;,:].*$/s, trimmedTail);
  const isName =
    name.length <= nameCharsMax && /[\p{L}\p{N}]/u.test(name) && !/^\d+$/.test(name) && !/["'`]/.test(name);
  // Several words without brackets are a phrase or command line, not a name.
  const isPhrase = words.length > 1 && !/[(<[=:{]/.test(code) && !first.startsWith('-');
  return isName && !isPhrase ? name : undefined;
}

/** Keeps a `::` path, which is part of the name; removes everything else from the first bracket on. */
function trimmedTail(tail: string): string {
  const path = /^(?:::[\w~]+)+/.exec(tail);
  return path ? path[0] : '';
}

function nameInProse(word: string): string | undefined {
  const bare = word
    .replace(/^[("']+/, '')
    .replace(/(?<![.,;:!?"')])[.,;:!?"')]+$/, (tail) => (tail.startsWith('()') ? '()' : ''));
  const call = /^([A-Za-z_$][\w$.:]*)\(.*$/.exec(bare.length < word.length ? word : bare);
  if (call) return call[1];
  if (bare.length < 3 || bare.length > nameCharsMax || bare.includes('://')) return undefined;
  const isFlag = /^--?[A-Za-z][\w-]*$/.test(bare);
  const isSnake = /^[A-Za-z_]\w*_\w+$/.test(bare);
  const isPath =
    /^[A-Za-z_]\w*(?:(?:\.|::)[A-Za-z_]\w*)+$/.test(bare) && !/^(?:[A-Z]\w*\.(?:js|io|NET|net)|e\.g|i\.e)$/.test(bare);
  const isCamel = /^[a-z]+[A-Z]\w*$/.test(bare);
  const isErrorCode = /^[A-Z]{1,5}-?\d{3,5}$/.test(bare);
  return isFlag || isSnake || isPath || isCamel || isErrorCode ? bare : undefined;
}

const optionsMax = 12;

/** Returns the options in a line such as `-c, --color[=WHEN]` or `--[no-]pager`, each as typed by users. */
export function optionNames(text: string): string[] {
  const names = new Set<string>();
  const line = text.slice(0, 500).replace(/\\/g, '');
  for (const match of line.matchAll(/(?:^|[\s,|/([`*]|\bor\b)(--?(?:\[no-?\])?[A-Za-z0-9?@#][\w.+#-]*)/g)) {
    const name = match[1] as string;
    const optional = /^--\[no-?\](.+)$/.exec(name);
    if (optional) names.add(`--${optional[1]}`).add(`--no-${optional[1]}`);
    else names.add(name.replace(/(?<![.-])[.-]+$/, ''));
  }
  return [...names].slice(0, optionsMax);
}
