import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '../../../domain/day.ts'
import { accountOfIban, normaliseIban } from '../../../domain/iban.ts'
import { failField } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { BANK_WARNING_DAYS } from '../suppliers.ts'

export interface BankDetails {
  bankCode: number | null
  bankBranch: string | null
  bankAccount: string | null
  bankAccountName: string | null
  /** Of an account abroad. */
  iban: string | null
}

const plain = (text: string | null) => text?.replace(/[\s\-/.\u200e\u200f]/g, '') || null

/**
 * Details as they are kept: digits only, an Israeli IBAN as bank, branch and account. Refuses what can be no account; a wrong check digit
 * is none of the reasons, for the rules of the banks are not public.
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
    else if (!account) Object.assign(details, { bankCode: israeli.bank, bankBranch: israeli.branch, bankAccount: israeli.account })
    else if (israeli.bank !== details.bankCode || Number(israeli.branch) !== Number(branch) || israeli.account !== account)
      throw failField('iban', 'fields.ibanDiffers')
    if (israeli && (israeli.bank > 99 || israeli.account.length > 9)) throw failField('iban', 'fields.iban')
  }
  if (details.bankCode !== null && (details.bankCode < 1 || details.bankCode > 99)) throw failField('bankCode', 'fields.choice')
  const parts = [details.bankCode, details.bankBranch, details.bankAccount]
  if (parts.some((part) => part !== null) && parts.some((part) => part === null))
    throw failField(details.bankCode === null ? 'bankCode' : details.bankBranch === null ? 'bankBranch' : 'bankAccount', 'fields.bankParts')
  return details
}

/** Two ways of writing one account are one account. */
export const sameAccount = (a: BankDetails, b: BankDetails): boolean =>
  a.bankCode === b.bankCode && Number(a.bankBranch) === Number(b.bankBranch) && a.bankAccount === b.bankAccount && a.iban === b.iban

export interface BankChange {
  changedAt: string
  changedBy: string | null
}

/**
 * Whether a supplier is paid elsewhere than he was some weeks ago; for every screen that pays him. A letter that gives a new account in a
 * supplier's name is the commonest fraud there is.
 */
export async function bankChangeOf(ctx: Ctx, supplierId: string): Promise<BankChange | null> {
  const { rows } = await sql<{
    changedAt: string
    changedBy: string | null
  }>`select p.bank_changed_at as "changedAt", u.full_name as "changedBy"
    from parties p left join users u on u.id = p.bank_changed_by
    where p.company_id = ${ctx.companyId} and p.role = 'supplier' and p.id = ${supplierId} and p.bank_changed_at is not null`.execute(
    ctx.tx,
  )
  const [found] = rows
  return found && dayInJerusalem(new Date(found.changedAt)) > addDays(ctx.today, -BANK_WARNING_DAYS) ? found : null
}
