import { sql } from 'kysely'
import type { z } from 'zod'
import { normaliseIban } from '../../../domain/iban.ts'
import { failField } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { oneRow } from '../../../kit/server/lists.ts'
import { bankFields, type Supplier } from '../suppliers.ts'
import type { changeBank as endpoint } from '../endpoints.ts'
import { sameAccount, settleBank, type BankDetails } from './bank.ts'
import { knowsBank, served } from './served.ts'

/**
 * Where a supplier is paid. An account that takes the place of a known one is typed twice, is logged with what was there before, and is
 * warned of for a while: money that went to the wrong account does not come back.
 */
export async function changeBank(ctx: Ctx, { id, again, ...given }: z.output<typeof endpoint.input>): Promise<Supplier> {
  const before = await oneRow<Supplier>(ctx, served, id)
  const old = Object.fromEntries(bankFields.map((name) => [name, before[name] ?? null])) as unknown as BankDetails
  const details = settleBank(given)
  const moved = !sameAccount(old, details)
  const replaced = moved && knowsBank(before)
  if (replaced) checkAgain(details, again)
  await sql`update parties set bank_code = ${details.bankCode}, bank_branch = ${details.bankBranch}, bank_account = ${details.bankAccount},
    bank_account_name = ${details.bankAccountName}, iban = ${details.iban}, updated_at = now()
    ${replaced ? sql`, bank_changed_at = ${ctx.now.toISOString()}, bank_changed_by = ${ctx.caller.userId}` : sql``}
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  const changed = bankFields.filter((name) => old[name] !== details[name])
  const pick = (of: BankDetails) => Object.fromEntries(changed.map((name) => [name, of[name]]))
  if (changed.length) await ctx.audit('suppliers.bank', 'suppliers', id, pick(old), pick(details))
  return oneRow<Supplier>(ctx, served, id)
}

function checkAgain({ bankAccount, iban }: BankDetails, again: string | null): void {
  // An account that is taken away sends no money anywhere.
  if (!bankAccount && !iban) return
  const digits = again?.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
  const right = bankAccount ? digits === bankAccount : normaliseIban(again ?? '') === iban
  if (!right) throw failField('again', 'fields.bankAgain')
}
