import { headingDepth } from './block-elements.ts';
import type { HtmlElement } from './html-tree.ts';
import { plainText } from './inline.ts';
import type { PageSurvey } from './page-survey.ts';
import type { Subject } from './walk.ts';

const RUST = /^(?:Struct|Enum|Trait|Union|Primitive Type|Type|Type Definition|Module|Crate|Macro|Function)\s+([\w:!]+)/;
const JAVA =
  /^(?:(?:Abstract|Public|Final)\s+)*(?:Class|Interface|Enum|Enum Class|Record|Record Class|Annotation Type|Annotation Interface)\s+([A-Z]\w*)/;

/** The type that a page of rustdoc or javadoc describes, read from its title. */
export function subjectOf(survey: PageSurvey, root: HtmlElement): Subject | undefined {
  const title = survey.headings.find(
    (heading) => headingDepth(heading) <= 2 && heading.textLength > 0 && isBelow(heading, root),
  );
  if (!title) return undefined;
  const text = plainText(title);
  const rust = RUST.exec(text)?.[1];
  if (rust?.includes('::') || (rust && title.hasClass('fqn')))
    return { name: rust.slice(rust.lastIndexOf(':') + 1), separator: '::' };
  const java = JAVA.exec(text)?.[1];
  return java ? { name: java, separator: '.' } : undefined;
}

function isBelow(element: HtmlElement, root: HtmlElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (node === root) return true;
  return false;
}
