import { fieldsOf, listOf, textOf } from '../parsed-data.ts';

/** Outputs show what the code does; beyond this they are data. */
const linesMax = 30;
const charsMax = 2000;

/** What the outputs of a cell say as text, cut to their start: printed lines, values, the name and message of an error. */
export function outputText(outputs: readonly unknown[]): string {
  const parts: string[] = [];
  let chars = 0;
  for (const output of outputs) {
    if (chars > charsMax) break;
    const part = textOfOutput(output);
    if (part.trim() === '') continue;
    parts.push(part.slice(0, 4 * charsMax).replace(/\n$/, ''));
    chars += part.length;
  }
  return shortened(clean(parts.join('\n')));
}

function textOfOutput(value: unknown): string {
  const output = fieldsOf(value);
  switch (output.output_type) {
    case 'stream':
      // Progress bars and warnings of libraries go there.
      return (output.name ?? output.stream) === 'stderr' ? '' : joined(output.text);
    case 'execute_result':
    case 'display_data':
    case 'pyout': {
      const text = joined(fieldsOf(output.data)['text/plain'] ?? output.text);
      // Objects that only say where they are in memory, and what stands for a picture.
      return /^<[^<>]*>$/.test(text.trim()) ? '' : text;
    }
    case 'error':
    case 'pyerr':
      return `${textOf(output.ename)}: ${textOf(output.evalue)}`;
    default:
      return '';
  }
}

function joined(value: unknown): string {
  return Array.isArray(value) ? listOf(value).map(textOf).join('') : textOf(value);
}

/** Without terminal colours, and with a line that was written over as it stood last. */
function clean(text: string): string {
  const escape = String.fromCharCode(27);
  const plain = text.includes(escape)
    ? text.replaceAll(new RegExp(`${escape}\\[[0-9;?]{0,20}[A-Za-z]`, 'g'), '')
    : text;
  return plain
    .split(/\r?\n/)
    .map((line) => line.slice(line.lastIndexOf('\r') + 1).trimEnd())
    .join('\n')
    .trimEnd();
}

function shortened(text: string): string {
  const lines = text.slice(0, charsMax).split('\n');
  const isCut = text.length > charsMax || lines.length > linesMax;
  return isCut ? `${lines.slice(0, linesMax).join('\n')}\n…` : text;
}
