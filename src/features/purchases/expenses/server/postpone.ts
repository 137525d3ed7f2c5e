import { sql } from 'kysely'
import type { Day } from '#domain/day.ts'
import { credit, debit, entryOf } from '#domain/ledger/entry.ts'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { accountIds, postAll, type Entry } from '#features/base/ledger/server/index.ts'
import { ownAccount } from './accounts.ts'
import { load } from './load.ts'
import { lockOn } from './locks.ts'

/**
 * Puts the claim of a bill's VAT off to a later day, before its period is reported: the VAT leaves its
 * account on the day it stood and comes back on the new one, as it would have been booked had it been claimed
 * there at once.
 */
export async function postponeVat(ctx: Ctx, id: string, vatDay: Day): Promise<void> {
  const e = await load(ctx, id, true)
  if (e.state !== 'approved') throw fail('expenses.notApproved')
  if (await lockOn(ctx, e.vat_day, 'vat')) throw fail('ledger.periodClosed', { day: e.vat_day })
  if (await lockOn(ctx, vatDay, 'vat')) throw fail('ledger.periodClosed', { day: vatDay })
  const accounts = await accountIds(ctx)
  const waiting = await ownAccount(ctx, 'inputVatLater')
  const other = e.recognised_vat_agorot - e.equipment_vat_agorot
  const claimed = [
    debit(accounts.of('inputVat'), other),
    debit(accounts.of('inputVatFixedAssets'), e.equipment_vat_agorot),
  ]
  const left = [
    credit(accounts.of('inputVat'), other),
    credit(accounts.of('inputVatFixedAssets'), e.equipment_vat_agorot),
  ]
  const entries: Entry[] = []
  for (const [day, postings] of [
    [e.vat_day, [...left, debit(waiting, e.recognised_vat_agorot)]],
    [vatDay, [...claimed, credit(waiting, e.recognised_vat_agorot)]],
  ] as const) {
    const entryId = newId()
    entries.push({
      id: entryId,
      day,
      kind: 'vatPostponed',
      reference: e.supplier_number,
      details: e.details,
      postings: entryOf(postings),
    })
    await sql`insert into expense_entries (company_id, entry_id, expense_id)
      values (${ctx.companyId}, ${entryId}, ${id})`.execute(ctx.tx)
  }
  await sql`select set_config('pinkas.postponing', ${id}, true)`.execute(ctx.tx)
  await sql`update expenses set vat_day = ${vatDay}, updated_at = now() where company_id = ${ctx.companyId}
      and id = ${id}`.execute(ctx.tx)
  await ctx.audit('expenses.postponeVat', 'expenses', id, { vatDay: e.vat_day }, { vatDay })
  await postAll(ctx, entries)
}
