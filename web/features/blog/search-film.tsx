/** A search on the home page, recorded from the product itself by scripts/record-search-video.mjs. */
export function SearchFilm() {
  return (
    <figure>
      <video
        controls
        preload="none"
        playsInline
        muted
        width="1120"
        height="700"
        poster="/film/search.webp"
        aria-label="A search on the home page"
        className="h-auto w-full rounded-xl border border-line"
      >
        <source src="/film/search.webm" type="video/webm" />
        <track kind="captions" src="/film/search.vtt" srcLang="en" label="English" default />
        <a href="/film/search.webm">The film, 22 seconds without sound</a>
      </video>
      <figcaption className="mt-2 text-faint text-sm leading-5">
        A search on the home page of an installation that has indexed 18 packages of documentation. 22 seconds, no
        sound, nothing cut.
      </figcaption>
    </figure>
  );
}
