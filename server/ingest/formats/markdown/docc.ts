import { fenceStart, indentOf, isFenceEnd, outdent } from './lines.ts';

const directive = /^\s*@([A-Z][A-Za-z]+)\s*(\([^\n]*\))?\s*(\{)?\s*(\}?)\s*$/;
/** Their blocks steer how a page is made. */
const silent = /^(?:Metadata|Options|Comment|Redirected|DeprecationSummary)$/;
/** Everything that DocC knows beside them; other words behind the sign are Swift's own. */
const shown =
  /^(?:Row|Column|TabNavigator|Tab|Links|Small|Image|Video|Snippet|Tutorial|Article|Chapter|Intro|Section|ContentAndMedia|Steps?|Code|Stack|Volume|Resources|Tutorials|Assessments|MultipleChoice|Choice|Justification|XcodeRequirement|PageImage|CallToAction)$/;

/**
 * The lines of a page without the directives of Swift's DocC: what rows, columns and tabs hold stays, with the title of each; settings of
 * the page go. Code in fences stays as it is.
 */
export function withoutDoccDirectives(lines: string[]): string[] {
  if (!lines.some((line) => isDirective(line) && directive.exec(line)?.[3] !== undefined)) return lines;
  const out: string[] = [];
  const open: { isSilent: boolean; indent: number }[] = [];
  let fence: string | undefined;
  for (const written of lines) {
    const loss = open.length === 0 ? 0 : (open.at(-1)?.indent ?? 0) + 2;
    const line = outdent(written, loss);
    if (fence === undefined) fence = fenceStart(line)?.mark;
    else if (isFenceEnd(line, fence)) fence = undefined;
    const isSilent = open.some((one) => one.isSilent);
    if (fence === undefined && open.length > 0 && written.trim() === '}') open.pop();
    else if (fence === undefined && isDirective(written)) {
      const [, name = '', given = '', brace, close] = directive.exec(written) ?? [];
      const title = /(?:^\(|\b(?:title|name|alt):\s*)"([^"]*)"/.exec(given)?.[1];
      if (!isSilent && !silent.test(name) && title !== undefined) out.push('', `**${title}**`, '');
      if (brace !== undefined && close === '') open.push({ isSilent: silent.test(name), indent: indentOf(written) });
    } else if (!isSilent) out.push(line);
  }
  return out;
}

function isDirective(line: string): boolean {
  const name = directive.exec(line)?.[1] ?? '';
  return silent.test(name) || shown.test(name);
}
