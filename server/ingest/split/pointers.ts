const label = /^[*_]*(?:(?:click|see|read|go) )?(?:here|(?:this|that)(?: [\p{L}\d.’'-]{1,20}){1,2})[*_.,]*$/iu;
const lead = /\b(?:this|the following)(?: [\w-]{1,20})? (?:page|article|document|guide|post|tutorial|link)s?: ?$/i;
const labelCharsMax = 60;
/** So much of what stands before a link says whether it points. */
export const leadCharsMax = 60;

/** Returns true if a text only points by its link ("here", "this page: …"): no search for its words finds what it leads to. */
export function isPointer(text: string, before: string): boolean {
  if (text.length <= labelCharsMax && label.test(text.trim())) return true;
  return lead.test(before.slice(-leadCharsMax));
}
