const googleSection =
  /^(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Returns|Return|Yields|Raises|Attributes|Examples?|Notes?|Warnings?|See Also|References|Methods|Todo|Usage):\s*$/;
const numpySection =
  /^(?:Parameters|Other Parameters|Returns|Yields|Receives|Raises|Warns|Attributes|Methods|Examples?|Notes?|Warnings|See Also|References)$/;

/** A docstring as reStructuredText: sections as Google and NumPy write them become a label and a list. */
export function docstringRst(doc: string): string {
  const lines = doc.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    const google = googleSection.exec(line);
    const isNumpy = numpySection.test(line.trim()) && /^\s*-{3,}\s*$/.test(lines[at + 1] ?? '');
    if (!google && !isNumpy) {
      out.push(line);
      continue;
    }
    const label = google?.[1] ?? line.trim();
    const from = at + (isNumpy ? 2 : 1);
    const end = sectionEnd(lines, from, isNumpy);
    out.push('', `**${label}**`, '');
    const body = outdented(lines.slice(from, end));
    const isList = !/^(?:Examples?|Notes?|Warnings?|See Also|References|Usage|Todo)$/.test(label);
    out.push(...(isList ? listOf(body, isNumpy) : body), '');
    at = end - 1;
  }
  return out.join('\n');
}

function sectionEnd(lines: readonly string[], from: number, isNumpy: boolean): number {
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] as string;
    if (
      isNumpy
        ? /^\s*-{3,}\s*$/.test(lines[at + 1] ?? '') && line.trim() !== ''
        : line.trim() !== '' && !/^\s/.test(line)
    )
      break;
  }
  return at;
}

function outdented(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length);
  const least = indents.reduce((a, b) => Math.min(a, b), 1000);
  return lines.map((line) => line.slice(least === 1000 ? 0 : least));
}

/** Entries start without indentation: `name (type): text`, or `name : type` with the text below. */
function listOf(lines: readonly string[], isNumpy: boolean): string[] {
  const out: string[] = [];
  for (const line of lines) {
    if (line.trim() === '') continue;
    if (/^\s/.test(line)) {
      out.push(`  ${line.trim()}`);
      continue;
    }
    const entry = isNumpy
      ? /^([*\w., ]+?)\s*:\s*(.*)$/.exec(line)
      : /^([*\w.]+)\s*(?:\(([^()]*(?:\([^()]*\))?[^()]*)\))?:\s*(.*)$/.exec(line);
    if (!entry) out.push(`- ${line}`);
    else if (isNumpy) out.push(`- \`\`${entry[1]}\`\` (${entry[2]}):`.replace(' ():', ':'));
    else out.push(`- \`\`${entry[1]}\`\`${entry[2] === undefined ? '' : ` (${entry[2]})`}: ${entry[3]}`);
  }
  return out;
}
