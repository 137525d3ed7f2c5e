import { startsWithZeros } from '#domain/leads/proof.ts'

/** Whether a text's hash begins with so many zero bits. */
async function leads(text: string, bits: number): Promise<boolean> {
  return startsWithZeros(
    new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))),
    bits,
  )
}

const most = 2 ** 22

/**
 * The work a form does while it is filled in; nothing where the browser has no such hash (a page without
 * TLS).
 */
export async function work(challenge: string, bits: number): Promise<string> {
  if (bits === 0) return '0'
  if (!globalThis.crypto?.subtle) return ''
  for (let n = 0; n < most; n++) if (await leads(`${challenge}:${n}`, bits)) return String(n)
  return ''
}
