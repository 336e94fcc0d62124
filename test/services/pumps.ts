/** A slow-to-parse text, as its list describes it: pieces with repeat counts; `4n` is four times the size. */
export interface Pump {
  id: string;
  class: string;
  name: string;
  parts?: [text: string, times: number | string][] | undefined;
}

/** Returns an empty text for those that the list describes in words. */
export function textOfPump({ parts = [] }: Pick<Pump, 'parts'>, size: number): string {
  const count = (times: number | string) =>
    typeof times === 'number' ? times : size * (Number.parseInt(times, 10) || 1);
  return parts.map(([text, times]) => text.repeat(count(times))).join('');
}
