const shownMax = 5;

/** What was chosen and is not sent, and why. */
export function RefusedFiles({ refused }: { refused: string[] }) {
  if (refused.length === 0) return null;
  return (
    <div role="alert" className="text-danger text-sm">
      <ul className="flex flex-col gap-0.5">
        {refused.slice(0, shownMax).map((sentence) => (
          <li key={sentence} className="wrap-anywhere">
            {sentence}
          </li>
        ))}
      </ul>
      {refused.length > shownMax && <p>{refused.length - shownMax} more were not accepted either.</p>}
    </div>
  );
}
