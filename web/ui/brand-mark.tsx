/** The logo: an open book on a reading stand. The favicon uses the same shapes. */
export function BrandMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" fill="none" aria-hidden className={className}>
      <rect x="1" y="1" width="22" height="22" rx="6" fill="var(--lamp)" />
      <path
        d="M6 7.2c2.4-.9 4.5-.6 6 .9 1.5-1.5 3.6-1.8 6-.9v6.3c-2.4-.9-4.5-.6-6 .9-1.5-1.5-3.6-1.8-6-.9z"
        fill="var(--canvas)"
      />
      <path d="M12 14v4.2M9 18.6h6" stroke="var(--canvas)" strokeWidth="1.8" strokeLinecap="round" />
    </svg>
  );
}
