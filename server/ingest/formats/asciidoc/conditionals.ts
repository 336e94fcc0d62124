/** Nested conditions; deeper ones are read as if they held. */
const nestingMax = 50;

/**
 * Lines that remain when conditions are decided by the attributes set in the file itself, without comments. Attributes set later in
 * the file do not count, as in AsciiDoc.
 */
export function decideConditions(lines: readonly string[]): string[] {
  const kept: string[] = [];
  const names = new Set<string>();
  const open: boolean[] = [];
  let verbatim = '';
  for (const line of lines) {
    const isKept = open.at(-1) ?? true;
    const directive = /^(ifdef|ifndef|ifeval|endif)::([^[]{0,200})\[(.*)\]\s*$/.exec(line);
    if (directive) {
      const [, kind, condition = '', content = ''] = directive;
      const holds = kind === 'ifeval' || isSet(names, condition) === (kind === 'ifdef');
      if (kind === 'endif') open.pop();
      else if (content !== '' && kind !== 'ifeval') {
        if (isKept && holds) kept.push(content);
      } else if (open.length < nestingMax) open.push(isKept && holds);
      continue;
    }
    if (!isKept) continue;
    if (/^\/{4,}\s*$/.test(line) && (verbatim === '' || verbatim === line)) {
      verbatim = verbatim === '' ? line : '';
      continue;
    }
    if (verbatim !== '') continue;
    const attribute = /^:(!?)([\w-]+)(!?):(?:\s|$)/.exec(line);
    if (attribute && attribute[1] === '' && attribute[3] === '') names.add(attribute[2] as string);
    else if (attribute) names.delete(attribute[2] as string);
    kept.push(line);
  }
  return kept;
}

/** `a,b`: one of them is set; `a+b`: all of them are. */
function isSet(names: ReadonlySet<string>, condition: string): boolean {
  return condition.includes('+')
    ? condition.split('+').every((name) => names.has(name))
    : condition.split(',').some((name) => names.has(name));
}
