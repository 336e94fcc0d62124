/** A text that makes parsers slow, as the list of them says it: pieces, each so many times; `4n` is four times the size. */
export interface Pump {
  id: string;
  class: string;
  name: string;
  parts?: [text: string, times: number | string][] | undefined;
}

/** Empty for those that the list describes in words. */
export function textOfPump({ parts = [] }: Pick<Pump, 'parts'>, size: number): string {
  const count = (times: number | string) =>
    typeof times === 'number' ? times : size * (Number.parseInt(times, 10) || 1);
  return parts.map(([text, times]) => text.repeat(count(times))).join('');
}
