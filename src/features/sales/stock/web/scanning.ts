import { endOfMonth } from '#domain/day.ts'

/**
 * What a code of the trade says: a GS1-128 has item, batch, expiry and serial number in one; any other is
 * itself.
 */
export function readCode(code: string): { code: string; batch?: string; expires?: string; serial?: string } {
  const plain = code.replace(/^\]C1/, '')
  if (!/^(01\d{14})/.test(plain)) return { code: plain }
  const said: { code: string; batch?: string; expires?: string; serial?: string } = {
    code: plain.slice(2, 16).replace(/^0/, ''),
  }
  let rest = plain.slice(16)
  while (rest) {
    const expiry = /^17(\d{2})(\d{2})(\d{2})/.exec(rest)
    if (expiry) {
      const month = `20${expiry[1]}-${expiry[2]}`
      // Without a day it is good until the month ends.
      said.expires = expiry[3] === '00' ? endOfMonth(`${month}-01`) : `${month}-${expiry[3]}`
      rest = rest.slice(8)
      continue
    }
    // Batch and serial run until a separator or the end.
    const open = /^(10|21)([^\u001d]{1,20})\u001d?/.exec(rest)
    if (!open) break
    if (open[1] === '10') said.batch = open[2]!
    else said.serial = open[2]!
    rest = rest.slice(open[0].length)
  }
  return said
}

/**
 * The things that the readings of one scan are of, each once, the likeliest first: one is what was scanned,
 * of two only the person who scanned can say which.
 */
export function meantBy<T>(readings: readonly string[], find: (code: string) => T | undefined): T[] {
  return [...new Set(readings.map((one) => find(one)))].filter((one) => one !== undefined)
}
