import { sql } from 'kysely'
import type { z } from 'zod'
import { normaliseIban } from '#domain/iban.ts'
import { failField } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import type { BankDetails } from '#features/registers/parties/bank.ts'
import { bankOf, sameAccount, settleBank } from '#features/registers/parties/server/index.ts'
import type { changeBank as endpoint } from '../endpoints.ts'
import { bankFields, type Supplier } from '../suppliers.ts'
import { knowsBank, served } from './served.ts'

/**
 * Where a supplier is paid. An account that takes the place of a known one is typed twice, is logged with
 * what was there before, and is warned of for a while: money that went to the wrong account does not come
 * back.
 */
export async function changeBank(
  ctx: Ctx,
  { id, again, ...given }: z.output<typeof endpoint.input>,
): Promise<Supplier> {
  const before = await oneRow<Supplier>(ctx, served, id)
  const details = settleBank(given)
  if (!sameAccount(bankOf(before), details) && knowsBank(before)) checkAgain(details, again)
  await writeBank(ctx, before, details)
  return oneRow<Supplier>(ctx, served, id)
}

/** Writes where a supplier is paid; what takes the place of a known account is warned of from now on. */
export async function writeBank(ctx: Ctx, before: Supplier, details: BankDetails): Promise<void> {
  const old = bankOf(before)
  const replaced = !sameAccount(old, details) && knowsBank(before)
  await sql`update parties set bank_code = ${details.bankCode}, bank_branch = ${details.bankBranch},
      bank_account = ${details.bankAccount},
    bank_account_name = ${details.bankAccountName}, iban = ${details.iban}, updated_at = now()
    ${
      replaced
        ? sql`, bank_changed_at = ${ctx.now.toISOString()},
        bank_changed_by = ${ctx.caller.userId}`
        : sql``
    }
    where company_id = ${ctx.companyId} and id = ${before.id}`.execute(ctx.tx)
  const changed = bankFields.filter((name) => old[name] !== details[name])
  const pick = (of: BankDetails) => Object.fromEntries(changed.map((name) => [name, of[name]]))
  if (changed.length) await ctx.audit('suppliers.bank', 'suppliers', before.id, pick(old), pick(details))
}

function checkAgain({ bankAccount, iban }: BankDetails, again: string | null): void {
  // An account that is taken away sends no money anywhere.
  if (!bankAccount && !iban) return
  const digits = again?.replace(/\D/g, '').replace(/^0+(?=\d)/, '')
  const right = bankAccount ? digits === bankAccount : normaliseIban(again ?? '') === iban
  if (!right) throw failField('again', 'fields.bankAgain')
}
