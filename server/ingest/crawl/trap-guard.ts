import { parameterName, pathOf, segmentsOf } from './page-address.ts';

/** Why an address is considered one of endlessly many. */
export type TrapReason = 'path-too-deep' | 'repeated-segments' | 'too-many-variants' | 'calendar';

const pathDepthMax = 20;
const segmentRepeatsMax = 3;
// A single parameter may be a page number; several are filters, whose combinations repeat the same content.
const singleParameterVariantsMax = 200;
const manyParameterVariantsMax = 30;
const datedPagesMax = 200;
/** Parameters that identify a page on sites without readable addresses. */
const identityParameters = /^(id|p|page_id|title|topic|article|name|doc|path|view|file|node)$/i;

/** Refuses addresses from endless series (crawler traps). Counts accepted addresses, so call it once per address. */
export class TrapGuard {
  readonly #variantsByShape = new Map<string, number>();
  readonly #datedPagesByShape = new Map<string, number>();

  /** Returns the reason to skip a normalised address, or undefined, in which case the address is counted. */
  refusalOf(address: string): TrapReason | undefined {
    const segments = segmentsOf(address);
    if (segments.length > pathDepthMax) return 'path-too-deep';
    if (hasRepeats(segments)) return 'repeated-segments';
    const dated = datedShape(segments);
    if (dated !== undefined && !this.#countBelow(this.#datedPagesByShape, dated, datedPagesMax)) return 'calendar';
    const query = address.indexOf('?');
    if (query < 0) return undefined;
    const names = address
      .slice(query + 1)
      .split('&')
      .map(parameterName);
    if (names.length === 1 && identityParameters.test(names[0] ?? '')) return undefined;
    const limit = names.length === 1 ? singleParameterVariantsMax : manyParameterVariantsMax;
    const shape = `${pathOf(address)}?${names.length === 1 ? names[0] : '*'}`;
    return this.#countBelow(this.#variantsByShape, shape, limit) ? undefined : 'too-many-variants';
  }

  #countBelow(counts: Map<string, number>, key: string, limit: number): boolean {
    const count = (counts.get(key) ?? 0) + 1;
    if (count > limit) return false;
    counts.set(key, count);
    return true;
  }
}

function hasRepeats(segments: readonly string[]): boolean {
  if (segments.length <= segmentRepeatsMax) return false;
  const counts = new Map<string, number>();
  for (const segment of segments) {
    if (segment === '') continue;
    const count = (counts.get(segment) ?? 0) + 1;
    if (count > segmentRepeatsMax) return true;
    counts.set(segment, count);
  }
  return false;
}

/** Returns the path before the numbers if two adjacent segments are numbers, as in `/2024/05/`. */
function datedShape(segments: readonly string[]): string | undefined {
  const isNumber = segments.map((segment) => /^\d+$/.test(segment));
  if (!isNumber.some((is, i) => is && isNumber[i + 1])) return undefined;
  const first = isNumber.indexOf(true);
  return segments.slice(0, first).join('/');
}
