import { percentDecoded } from '#contract/lenient.ts';
import { type Fields, fieldsOf, isFields } from '../parsed-data.ts';

/** Maximum length of a chain of references; longer chains are circular. */
const stepsMax = 16;

/** An API description that resolves references to its own parts. It never reads anything else. */
export class Description {
  readonly root: Fields;
  /** True for Swagger 2.0, the predecessor of OpenAPI 3. */
  readonly isSwagger: boolean;

  constructor(root: Fields) {
    this.root = root;
    this.isSwagger = root.swagger !== undefined && root.openapi === undefined;
  }

  /** Returns the object that a reference within the document points to; empty if it is missing or external. */
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

/** Returns the last part of a reference, which names its target. */
export function referenceName(reference: string): string {
  return percentDecoded(reference.slice(reference.lastIndexOf('/') + 1)).replaceAll('~1', '/');
}
