import { percentDecoded } from '#contract/lenient.ts';
import { type Fields, fieldsOf, isFields } from '../parsed-data.ts';

/** References that lead to references; longer chains are circles. */
const stepsMax = 16;

/** An API description in which references to its own parts can be followed. Nothing outside it is ever read. */
export class Description {
  readonly root: Fields;
  /** Swagger 2.0, the form before OpenAPI 3. */
  readonly isSwagger: boolean;

  constructor(root: Fields) {
    this.root = root;
    this.isSwagger = root.swagger !== undefined && root.openapi === undefined;
  }

  /** The object behind a reference inside the document; one that leads nowhere or outside is empty. */
  resolve(value: unknown): Fields {
    let found = value;
    for (let step = 0; step < stepsMax; step++) {
      const reference = isFields(found) ? found.$ref : undefined;
      if (typeof reference !== 'string') return fieldsOf(found);
      found = this.at(reference);
    }
    return {};
  }

  private at(reference: string): unknown {
    if (!reference.startsWith('#/')) return undefined;
    let found: unknown = this.root;
    for (const part of reference.slice(2).split('/')) {
      const key = percentDecoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
      found = (found as Record<string, unknown>)[key];
    }
    return found;
  }
}

/** Last part of a reference, which names what it leads to. */
export function referenceName(reference: string): string {
  return percentDecoded(reference.slice(reference.lastIndexOf('/') + 1)).replaceAll('~1', '/');
}
