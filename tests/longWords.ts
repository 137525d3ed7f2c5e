/** Words without a place to break, of each script and width, by what they look like. */
export const longWords: readonly (readonly [string, string])[] = Object.entries({
  serials: 'SN:A1B2C3D4E5,A1B2C3D4E6,A1B2C3D4E7,A1B2C3D4E8,A1B2C3D4E9,A1B2C3D4F0,A1B2C3D4F1',
  hebrew: 'משרדהארכיטקטיםוהמהנדסיםשלהצפוןוהשרוןבעירבוןמוגבל'.repeat(2),
  arabic: 'مستشفياتالجليلالغربيوالكرملوالساحلالشماليالمحدودة'.repeat(2),
  russian: 'Превысокомногорассмотрительствующийрентгеноэлектрокардиографический',
  latin: 'DonaudampfschifffahrtsgesellschaftskapitaenswitwenUndWaisenversicherungsanstalt',
  wide: 'WWWWWWWWWWMMMMMMMMMM@@@@@@@@@@WWWWWWWWWWMMMMMMMMMM',
  address: 'accounts.payable+invoices2026@very-long-subdomain.of-a-large-company.example',
  link: 'https://example.com/a/very/long/path/without/any/end?with=query&and=more#and-a-fragment',
  mixed: 'אבגדהוזחטיכלABCDEFGHIJ1234567890אבגדהוזחטיכלABCDEFGHIJ1234567890',
})

/** Fields of a paper that people type, and how long each may be. */
const most: Readonly<Record<string, number>> = {
  name: 200,
  text: 200,
  contact: 200,
  email: 100,
  website: 100,
  reason: 200,
  details: 100,
  body: 200,
  title: 100,
  address: 200,
  deliverTo: 200,
  notesBelow: 200,
  notesAbove: 200,
  sources: 60,
  bankDetails: 200,
  slipGoodbye: 200,
  nameInLanguage: 200,
  by: 100,
  customerReference: 60,
  terms: 60,
  document: 60,
  value: 60,
  sku: 50,
  verifyLink: 40,
  account: 34,
  label: 30,
  phone: 30,
  till: 30,
  number: 20,
  unit: 20,
  brand: 20,
  cancelledBy: 20,
}

/** The same paper with `word` in each field that people type, and its amounts `times` as large. */
export function stretched<T>(source: T, word: string, times = 1, key = ''): T {
  if (typeof source === 'string') return (key in most ? word.slice(0, most[key]) : source) as T
  if (typeof source === 'number')
    return (/amount|total|base|vat$|credited|received/i.test(key) ? source * times : source) as T
  if (Array.isArray(source)) return source.map((one: unknown) => stretched(one, word, times, key)) as T
  if (source === null || typeof source !== 'object' || source instanceof Date || source instanceof Uint8Array)
    return source
  return Object.fromEntries(
    Object.entries(source).map(([name, value]) => [name, stretched(value as unknown, word, times, name)]),
  ) as T
}
