/** How often every repository is looked at when no one reports pushes. */
export const checkEveryMs = 5 * 60_000;
