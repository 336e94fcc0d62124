/** Codings the web build writes beside its text files, best first. */
const codings = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const;

export type StaticCoding = (typeof codings)[number];

/**
 * The codings that a request takes, best first: by the weight it gives them, else by size. Empty when it takes none of
 * them, or does not say.
 */
export function acceptedCodings(acceptEncoding: string | null): StaticCoding[] {
  const weights = new Map<string, number>();
  for (const part of (acceptEncoding ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    // What is not a number accepts nothing: plain bytes are always understood.
    if (name !== '') weights.set(name, weight === undefined ? 1 : Number(weight) || 0);
  }
  const weightOf = ({ name }: StaticCoding) => weights.get(name) ?? weights.get('*') ?? 0;
  return codings.filter((coding) => weightOf(coding) > 0).sort((a, b) => weightOf(b) - weightOf(a));
}
