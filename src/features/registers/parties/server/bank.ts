import { accountOfIban, normaliseIban } from '#domain/iban.ts'
import { failField } from '#kit/describe/errors.ts'
import { bankFields, type BankDetails } from '../bank.ts'

const plain = (text: string | null) => text?.replace(/[\s\-/.\u200e\u200f]/g, '') || null

/**
 * Details as they are kept: digits only, an Israeli IBAN as bank, branch and account. Refuses what can be no
 * account; a wrong check digit is none of the reasons, for the rules of the banks are not public.
 */
export function settleBank(given: BankDetails): BankDetails {
  const branch = plain(given.bankBranch)
  const account = plain(given.bankAccount)?.replace(/^0+(?=\d)/, '') ?? null
  if (branch && !/^\d{1,3}$/.test(branch)) throw failField('bankBranch', 'fields.bankBranch')
  if (account && !/^\d{1,9}$/.test(account)) throw failField('bankAccount', 'fields.bankAccount')
  const details: BankDetails = {
    ...given,
    bankBranch: branch,
    bankAccount: account,
    bankAccountName: given.bankAccountName?.trim() || null,
    iban: null,
  }
  if (given.iban) {
    const iban = normaliseIban(given.iban)
    if (!iban) throw failField('iban', 'fields.iban')
    const israeli = accountOfIban(iban)
    if (!israeli) details.iban = iban
    else if (!account)
      Object.assign(details, {
        bankCode: israeli.bank,
        bankBranch: israeli.branch,
        bankAccount: israeli.account,
      })
    else if (
      israeli.bank !== details.bankCode ||
      Number(israeli.branch) !== Number(branch) ||
      israeli.account !== account
    )
      throw failField('iban', 'fields.ibanDiffers')
    if (israeli && (israeli.bank > 99 || israeli.account.length > 9)) throw failField('iban', 'fields.iban')
  }
  if (details.bankCode !== null && (details.bankCode < 1 || details.bankCode > 99))
    throw failField('bankCode', 'fields.choice')
  const parts = [details.bankCode, details.bankBranch, details.bankAccount]
  if (parts.some((part) => part !== null) && parts.some((part) => part === null))
    throw failField(
      details.bankCode === null ? 'bankCode' : details.bankBranch === null ? 'bankBranch' : 'bankAccount',
      'fields.bankParts',
    )
  return details
}

/** Two ways of writing one account are one account. */
export const sameAccount = (a: BankDetails, b: BankDetails): boolean =>
  a.bankCode === b.bankCode &&
  Number(a.bankBranch) === Number(b.bankBranch) &&
  a.bankAccount === b.bankAccount &&
  a.iban === b.iban

export const bankOf = (values: Record<string, unknown>): BankDetails =>
  Object.fromEntries(bankFields.map((name) => [name, values[name] ?? null])) as unknown as BankDetails

/** The details as they will be kept once some of them are saved; nothing when none is among the values. */
export const settledBank = (
  values: Record<string, unknown>,
  before: Record<string, unknown> | undefined,
): BankDetails | undefined =>
  bankFields.some((name) => name in values) ? settleBank(bankOf({ ...before, ...values })) : undefined

/** Whose account stays when records become one: the chosen one's, or that of the first who has any. */
export function bankStays<T extends Record<string, unknown> & { id: string }>(
  all: readonly T[],
  chosen: string | undefined,
): T | undefined {
  if (!chosen) return all.find((one) => one.bankAccount || one.iban)
  const source = all.find(({ id }) => id === chosen)
  if (!source) throw failField('from.bank', 'fields.choice')
  return source
}
