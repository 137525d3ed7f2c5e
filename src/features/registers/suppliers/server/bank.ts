import { sql } from 'kysely'
import { addDays, dayInJerusalem } from '#domain/day.ts'
import type { Ctx } from '#kit/server/context.ts'
import { BANK_WARNING_DAYS } from '../suppliers.ts'

export interface BankChange {
  changedAt: string
  changedBy: string | null
}

/**
 * Whether a supplier's bank account changed in the last weeks; for every screen that pays the supplier. A message
 * with a new account in a supplier's name is the most common fraud.
 */
export async function bankChangeOf(ctx: Ctx, supplierId: string): Promise<BankChange | null> {
  const { rows } = await sql<{
    changedAt: string
    changedBy: string | null
  }>`select p.bank_changed_at as "changedAt", u.full_name as "changedBy"
    from parties p left join users u on u.id = p.bank_changed_by
    where p.company_id = ${ctx.companyId} and p.role = 'supplier' and p.id = ${supplierId}
      and p.bank_changed_at is not null`.execute(ctx.tx)
  const [found] = rows
  return found && dayInJerusalem(new Date(found.changedAt)) > addDays(ctx.today, -BANK_WARNING_DAYS)
    ? found
    : null
}
