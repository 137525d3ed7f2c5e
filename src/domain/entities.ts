/** Named characters of HTML and XML that text from outside programs holds most; a reader adds those of its format. */
export const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
}
