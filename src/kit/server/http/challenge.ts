import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { startsWithZeros } from '#domain/leads/proof.ts'
import type { App } from '../context.ts'

/** Some four thousand hashes: a tenth of a second for a page, a day of processor for a million letters. */
export const usualBits = 12

/** A challenge that is older proves nothing. */
export const shownHours = 24

const signed = (app: App, page: string, text: string): string =>
  createHmac('sha256', app.secrets.mac).update(`${page}:${text}`).digest('base64url').slice(0, 27)

/**
 * When a page for strangers was shown and how much work it asks for, signed for that page; `page` is its kind
 * and its key.
 */
export const challengeFor = (app: App, page: string, now: Date, bits: number): string => {
  const text = `${now.getTime().toString(36)}.${bits}.${randomBytes(9).toString('base64url')}`
  return `${text}.${signed(app, page, text)}`
}

export interface Shown {
  seconds: number
  bits: number
  /** Of this one showing, for the person who takes each once. */
  nonce: string
}

/** What a challenge says; undefined of one that is not ours, or of another page. */
export function readChallenge(app: App, page: string, challenge: string, now: Date): Shown | undefined {
  const [at = '', bits = '', nonce = '', sign = '', ...more] = challenge.split('.')
  const wanted = Buffer.from(signed(app, page, `${at}.${bits}.${nonce}`))
  const given = Buffer.from(sign)
  if (more.length || wanted.length !== given.length || !timingSafeEqual(wanted, given)) return undefined
  return { seconds: (now.getTime() - Number.parseInt(at, 36)) / 1000, bits: Number(bits), nonce }
}

/** So many zero bits at the beginning of the hash. */
export function isProof(challenge: string, proof: string, bits: number): boolean {
  if (!/^\d{1,15}$/.test(proof)) return false
  return startsWithZeros(createHash('sha256').update(`${challenge}:${proof}`).digest(), bits)
}

/** Whether the work was done for a page that was shown not too long ago. */
export const isProved = (shown: Shown | undefined, challenge: string, proof: string): boolean =>
  shown !== undefined && shown.seconds < shownHours * 3600 && isProof(challenge, proof, shown.bits)
