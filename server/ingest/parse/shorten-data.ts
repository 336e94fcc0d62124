/** Longer data is a picture or a sound, not an example of an address. */
const dataCharsMax = 1000;
const dataAddress = new RegExp(
  `(data:[\\w/+.-]{1,80}(?:;[\\w=.-]{1,40}){0,4};base64,)[\\w+/=%]{${dataCharsMax},}`,
  'g',
);

/** Takes files out of the addresses that hold them (`data:image/png;base64,…`): megabytes of letters that say nothing. */
export function shortenData(text: string): string {
  return text.includes(';base64,') ? text.replace(dataAddress, '$1…') : text;
}
