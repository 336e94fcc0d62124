/** Beside the other texts of accounts, for the frame of every page, which does without those. */
export const verifiedText = 'Your email has been verified successfully!';
