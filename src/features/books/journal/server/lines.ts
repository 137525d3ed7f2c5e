import { sql } from 'kysely'
import type { z } from 'zod'
import { Failure, fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { createBatch as createCall, keepLines as keepCall } from '../endpoints.ts'
import { faultsAt, lockBatch, newBatch } from './batches.ts'

type Given = z.output<typeof keepCall.input>['put']

const refs = [
  ['kindId', 'movement_kinds'],
  ['debitAccountId', 'accounts'],
  ['creditAccountId', 'accounts'],
  ['vatCodeId', 'vat_codes'],
  ['projectId', 'projects'],
] as const

/** Refuses what this business has not, at the cell: asked once per table, however many lines come. */
async function checkRefs(ctx: Ctx, put: Given): Promise<void> {
  for (const [field, table] of refs) {
    const asked = [...new Set(put.flatMap((line) => line[field] ?? []))]
    if (asked.length === 0) continue
    const { rows } = await sql<{
      id: string
    }>`select id from ${sql.table(table)} where company_id = ${ctx.companyId}
        and id = any(${asked}::uuid[])`.execute(ctx.tx)
    const known = new Set(rows.map(({ id }) => id))
    const at = put.findIndex((line) => line[field] !== null && !known.has(line[field]))
    if (at >= 0) throw new Failure('kit.badInput', {}, [{ path: `put.${at}.${field}`, code: 'fields.ref' }])
  }
}

/** Shekels are no other currency. */
const inCurrency = ({ currency, foreignAgorot }: Pick<Given[number], 'currency' | 'foreignAgorot'>) =>
  currency === 'ILS' ? { currency: null, foreign_agorot: null } : { currency, foreign_agorot: foreignAgorot }

async function write(ctx: Ctx, batchId: string, put: Given): Promise<string[]> {
  if (put.length === 0) return []
  await checkRefs(ctx, put)
  const rows = put.map((line) => ({
    company_id: ctx.companyId,
    id: line.id ?? newId(),
    batch_id: batchId,
    position: line.position,
    kind_id: line.kindId,
    day: line.day,
    value_day: line.valueDay,
    reference: line.reference,
    details: line.details,
    debit_account_id: line.debitAccountId,
    credit_account_id: line.creditAccountId,
    amount_agorot: line.amountAgorot,
    vat_code_id: line.vatCodeId,
    vat_agorot: line.vatAgorot,
    project_id: line.projectId,
    ...inCurrency(line),
  }))
  await sql`insert into journal_lines (company_id, id, batch_id, position, kind_id, day, value_day, reference,
      details, debit_account_id, credit_account_id,
      amount_agorot, vat_code_id, vat_agorot, project_id, currency, foreign_agorot)
    select company_id, id, batch_id, position, kind_id, day, value_day, reference, details, debit_account_id,
      credit_account_id, amount_agorot, vat_code_id, vat_agorot,
      project_id, currency, foreign_agorot
    from jsonb_populate_recordset(null::journal_lines, ${JSON.stringify(rows)}::jsonb)
    on conflict (company_id, id) do update set batch_id = excluded.batch_id, position = excluded.position,
      kind_id = excluded.kind_id, day = excluded.day,
      value_day = excluded.value_day, reference = excluded.reference, details = excluded.details,
      debit_account_id = excluded.debit_account_id,
      credit_account_id = excluded.credit_account_id, amount_agorot = excluded.amount_agorot,
      vat_code_id = excluded.vat_code_id,
      vat_agorot = excluded.vat_agorot, project_id = excluded.project_id, currency = excluded.currency,
      foreign_agorot = excluded.foreign_agorot, updated_at = now()`.execute(ctx.tx)
  return rows.map(({ id }) => id)
}

/** Keeps what was typed, sound or not: it is judged when the batch is checked. */
export async function keepLines(
  ctx: Ctx,
  { id, name, put, drop }: z.output<typeof keepCall.input>,
): Promise<z.input<typeof keepCall.output>> {
  const batch = await lockBatch(ctx, id)
  if (batch.state === 'posted' || batch.state === 'dropped') throw fail('journal.closed')
  const ids = await write(ctx, id, put)
  if (drop.length)
    await sql`delete from journal_lines where company_id = ${ctx.companyId} and batch_id = ${id}
        and id = any(${drop}::uuid[])`.execute(ctx.tx)
  await sql`update journal_batches set state = 'open', checked_by = null, checked_at = null,
      updated_at = now(), name = coalesce(${name ?? null}, name)
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  return { ids, state: 'open', faults: await faultsAt(ctx, { id, kind: batch.kind, state: 'open' }) }
}

export async function createBatch(
  ctx: Ctx,
  { name, lines }: z.output<typeof createCall.input>,
): Promise<string> {
  const { id } = await newBatch(ctx, { kind: 'typed', name })
  await write(ctx, id, lines)
  return id
}

/** Puts a batch away that never came into the books; its lines stay to be looked at. */
export async function dropBatch(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  const batch = await lockBatch(ctx, id)
  if (batch.state === 'posted' || batch.state === 'dropped') throw fail('journal.closed')
  await sql`update journal_batches set state = 'dropped', updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('journal.drop', 'journal_batches', id, undefined, { number: batch.number })
  return { done: true }
}
