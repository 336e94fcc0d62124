export interface StackFrame {
  function: string;
  filename: string;
  lineno: number;
  colno: number;
  in_app: boolean;
}

/** `at name (file:1:2)` of Node and Chromium, or `name@file:1:2` of Firefox and Safari. */
const lines =
  /^\s*(?:at (?:async )?(?:(?<name>.+?) \()?(?<file>[^()\s]+?):(?<line>\d+):(?<column>\d+)\)?|(?<name2>[^@\s]*)@(?<file2>\S+?):(?<line2>\d+):(?<column2>\d+))\s*$/;

/** The calls of a stack, the outermost first, as the Sentry protocol wants them. Lines that name no place are left out. */
export function framesOf(stack: string): StackFrame[] {
  const frames: StackFrame[] = [];
  for (const text of stack.split('\n')) {
    const found = lines.exec(text)?.groups;
    if (!found) continue;
    const filename = found.file ?? found.file2 ?? '';
    frames.push({
      function: found.name || found.name2 || '?',
      filename,
      lineno: Number(found.line ?? found.line2),
      colno: Number(found.column ?? found.column2),
      in_app: !/node_modules|^node:/.test(filename),
    });
  }
  return frames.reverse();
}
