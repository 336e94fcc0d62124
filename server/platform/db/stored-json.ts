/**
 * Returns what a column of JSON holds, and `otherwise` where it is damaged: one row must not keep the others from being read.
 * `lectern doctor --deep` names such rows.
 */
export function storedJson<Held>(text: string, otherwise: Held): Held {
  try {
    return JSON.parse(text) as Held;
  } catch {
    return otherwise;
  }
}
