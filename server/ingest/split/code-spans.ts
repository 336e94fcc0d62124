/** Finds the ends of a text's code spans; reads every backtick once, even if many spans are never closed. */
export class CodeSpans {
  private readonly text: string;
  /** Start positions of backtick runs by length, last first. */
  private runs: Map<number, number[]> | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /**
   * Returns the position after the code span that opens at `at` (a backtick), or after the run of backticks if it opens
   * none. Call with increasing positions.
   */
  end(at: number): number {
    let run = 1;
    while (this.text[at + run] === '`') run++;
    this.runs ??= this.allRuns();
    const positions = this.runs.get(run) ?? [];
    while (positions.length > 0 && (positions.at(-1) as number) < at + run) positions.pop();
    return (positions.at(-1) ?? at) + run;
  }

  private allRuns(): Map<number, number[]> {
    const runs = new Map<number, number[]>();
    for (const match of [...this.text.matchAll(/`+/g)].reverse()) {
      const positions = runs.get(match[0].length);
      if (positions) positions.push(match.index);
      else runs.set(match[0].length, [match.index]);
    }
    return runs;
  }
}
