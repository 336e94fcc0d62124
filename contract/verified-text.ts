/** Separate from the other account texts because the frame of every page needs only this one. */
export const verifiedText = 'Your email has been verified successfully!';
