/** Maximum nesting of conditions; deeper ones count as true. */
const nestingMax = 50;

/**
 * Evaluates conditions with the attributes that the file sets, and removes comments. As in AsciiDoc, attributes set
 * later in the file do not count.
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

/** Returns true if the condition holds: `a,b` needs one of the attributes, `a+b` all of them. */
function isSet(names: ReadonlySet<string>, condition: string): boolean {
  return condition.includes('+')
    ? condition.split('+').every((name) => names.has(name))
    : condition.split(',').some((name) => names.has(name));
}
