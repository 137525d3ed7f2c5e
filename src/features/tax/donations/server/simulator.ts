import { createHash } from 'node:crypto'
import { isTaxId } from '#domain/taxId.ts'
import {
  AuthorityAway,
  isGoodToken,
  simulatedLogin,
  TokenRefused,
} from '#features/tax/allocation/server/index.ts'
import type { Answer, Cancellation, Donation, DonationsAuthority } from './authority.ts'

/*
 * A stand-in for Donations Israel. It fails on purpose: a sum ending in 460 shekels is not approved, one
 * ending in 503 finds it away. Its numbers are worked out of what is asked, so that several processes answer
 * alike and a call repeated brings the same number.
 */

/** For tests: nothing answers while `outage` is set; the calls received. */
export const simulatedDonations = {
  outage: false,
  calls: [] as { call: 'report' | 'cancel'; key: string; donorId?: string }[],
}

const numberFor = (key: string): string =>
  Array.from(createHash('sha256').update(key).digest().subarray(0, 10), (byte, i) =>
    i === 0 ? 1 + (byte % 9) : byte % 10,
  ).join('')

function judged(access: string, about: Donation | Cancellation): Answer {
  if (simulatedDonations.outage) throw new AuthorityAway('HTTP 503')
  if (!isGoodToken('access', access)) throw new TokenRefused('HTTP 401')
  const shekels = Math.trunc(about.agorot / 100) % 1000
  if (shekels === 503) throw new AuthorityAway('HTTP 503')
  if (shekels === 460) return { state: 'refused', code: '460', message: 'הדיווח לא אושר' }
  if (about.agorot <= 0) return { state: 'refused', code: '422', message: 'סכום התרומה אינו תקין' }
  if ('donorId' in about && about.donorId && !isTaxId(about.donorId))
    return { state: 'refused', code: '432', message: 'מספר הזהות של התורם אינו תקין' }
  return { state: 'granted', number: numberFor(about.key) }
}

export const donationsSimulator: DonationsAuthority = {
  ...simulatedLogin,
  report: async (access, donation) => {
    simulatedDonations.calls.push({ call: 'report', key: donation.key, donorId: donation.donorId })
    return judged(access, donation)
  },
  cancel: async (access, cancellation) => {
    simulatedDonations.calls.push({ call: 'cancel', key: cancellation.key })
    return judged(access, cancellation)
  },
}
