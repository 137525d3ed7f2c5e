import type { DonationsSettings } from '#kit/server/settings.ts'
import {
  LoginRefused,
  sendToAuthority,
  TokenRefused,
  tokensFor,
} from '#features/tax/allocation/server/index.ts'
import type { Answer, DonationsAuthority } from './authority.ts'

/**
 * The real service. Its interface for reporting was not public when this was written: the addresses come from
 * DONATIONS_ADDRESSES, and the names of fields below are ours until DONATIONS_FIELDS says the authority's.
 * What is known (Execution Instruction 11/2025): a report goes from the first shekel, a cancellation too, a
 * giver without a number is allowed and gets no credit, and the answer is a number.
 */
export function realDonations(settings: DonationsSettings): DonationsAuthority {
  const name = (ours: string): string => settings.fields[ours] ?? ours
  const renamed = (values: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(values).map(([key, value]) => [name(key), value]))

  const call = async (access: string, url: string, values: Record<string, unknown>): Promise<Answer> => {
    const { status, body } = await sendToAuthority(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${access}`,
        'content-type': 'application/json',
        accept: 'application/json',
      },
      body: JSON.stringify(renamed(values)),
    })
    if (status === 401 || status === 403) throw new TokenRefused(`HTTP ${status}`)
    const number = String(body[name('number')] ?? '')
    if (status < 300 && /^[0-9A-Za-z-]{4,30}$/.test(number)) return { state: 'granted', number }
    return {
      state: 'refused',
      code: String(body[name('code')] ?? status).slice(0, 40),
      message: String(body[name('message')] ?? '').slice(0, 500),
    }
  }
  const shekels = (agorot: number) => agorot / 100

  return {
    kind: 'real',
    loginAddress: (state, returnTo) =>
      `${settings.addresses.authorize}?${new URLSearchParams({ response_type: 'code', client_id: settings.clientId, scope: 'scope', redirect_uri: returnTo, state })}`,
    exchange: (code, returnTo) =>
      tokensFor(
        settings.addresses.token,
        settings,
        { grant_type: 'authorization_code', code, redirect_uri: returnTo, scope: 'scope' },
        LoginRefused,
      ),
    renew: (refresh) =>
      tokensFor(
        settings.addresses.token,
        settings,
        { grant_type: 'refresh_token', refresh_token: refresh, scope: 'scope' },
        TokenRefused,
      ),
    report: (access, donation) =>
      call(access, settings.addresses.report, {
        reportId: donation.key,
        institution: donation.institution,
        donorId: donation.donorId || null,
        anonymous: !donation.donorId,
        donorName: donation.donorName,
        amount: shekels(donation.agorot),
        date: donation.day,
        receiptNumber: String(donation.receiptNumber),
      }),
    cancel: (access, cancellation) =>
      call(access, settings.addresses.cancel, {
        reportId: cancellation.key,
        institution: cancellation.institution,
        cancels: cancellation.cancels,
        amount: shekels(cancellation.agorot),
        date: cancellation.day,
        receiptNumber: String(cancellation.receiptNumber),
      }),
  }
}
