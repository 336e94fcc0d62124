/** How often every repository is looked at when nobody tells of pushes. */
export const checkEveryMs = 5 * 60_000;
