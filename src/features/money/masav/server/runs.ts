import { sql } from 'kysely'
import { buildMasav, problemsOf, type MasavFile } from '#domain/filings/masav/file.ts'
import { sum } from '#domain/money.ts'
import { Failure, fail, forbidden, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { enterPayment } from '#features/purchases/expenses/server/index.ts'
import { postAll, type Entry } from '#features/base/ledger/server/index.ts'
import { sendSupplierPayment } from '#features/purchases/supplierPayments/server/index.ts'
import type { Chosen, Run, RunAnswer, RunDirection } from '../endpoints.ts'
import { debitProposals, withSums } from './proposals.ts'

export interface MasavSettings {
  institution: string
  sender: string
  code: 'A' | 'B'
}

export async function settingsOf(ctx: Ctx): Promise<MasavSettings | null> {
  const { rows } = await sql<MasavSettings>`select institution, sender, code from masav_settings
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0] ?? null
}

/** A line as it goes into the file and stays in the run. */
interface Line {
  partyId: string
  taxId: string | null
  name: string
  bank: string
  branch: string
  account: string
  amountAgorot: number
  reference: string
  supplierPaymentId?: string
  documentId?: string
}

/**
 * Writes the file and keeps it with its lines. What the centre would refuse is refused here, at the line it
 * is about.
 */
async function keepRun(
  ctx: Ctx,
  direction: RunDirection,
  payDay: string,
  linesOf: (number: number) => readonly Line[],
): Promise<{ id: string }> {
  const settings = await settingsOf(ctx)
  if (!settings) throw fail('masav.noSettings')
  const { name } = await companyOf(ctx)
  const { rows } = await sql<{
    number: number
  }>`select next_number(${ctx.companyId}, ${`masav.${direction}`}, ${ctx.today}) as number`.execute(ctx.tx)
  const { number } = rows[0]!
  const lines = linesOf(number)
  const file: MasavFile = {
    direction,
    ...settings,
    name,
    payDay,
    madeOn: ctx.today,
    // Three columns: it only tells apart the files of one day.
    serial: ((number - 1) % 999) + 1,
    payments: lines.map((l) => ({ ...l, taxId: l.taxId ?? '' })),
  }
  const problems = problemsOf(file)
  const own = problems.find((p) => p.field === 'payDay')
  if (own) throw failField('payDay', `masav.problem.${own.code}`)
  if (problems.length > 0)
    throw new Failure(
      'masav.refused',
      {},
      problems.slice(0, 50).map(({ row, field, code }) => ({
        path: row === undefined ? field : `lines.${row}.${field}`,
        code: `masav.problem.${code}`,
      })),
    )
  const id = newId()
  const total = sum(lines.map((l) => l.amountAgorot))
  await sql`insert into masav_runs (company_id, id, number, direction, pay_day, made_on, lines, total_agorot,
      bytes, created_by)
    values (${ctx.companyId}, ${id}, ${number}, ${direction}, ${payDay}, ${ctx.today}, ${lines.length},
      ${total}, ${Buffer.from(buildMasav(file))}, ${ctx.caller.userId})`.execute(ctx.tx)
  await sql`insert into masav_lines (company_id, run_id, line, party_id, name, bank, branch, account,
      amount_agorot, reference, supplier_payment_id, document_id)
    select ${ctx.companyId}, ${id}, n, (l->>'partyId')::uuid, l->>'name', l->>'bank', l->>'branch',
      l->>'account', (l->>'amountAgorot')::bigint, l->>'reference',
      (l->>'supplierPaymentId')::uuid, (l->>'documentId')::uuid
      from jsonb_array_elements(${JSON.stringify(lines)}::jsonb) with ordinality as t (l, n)`.execute(ctx.tx)
  await ctx.audit(`masav.${direction}`, 'masav', id, undefined, {
    number,
    payDay,
    lines: lines.length,
    totalAgorot: total,
  })
  return { id }
}

/** A supplier payment run: everybody is paid and in the file, or nobody is. */
export async function makeCredits(
  ctx: Ctx,
  { payDay, suppliers, notify }: { payDay: string; suppliers: Chosen; notify: boolean },
): Promise<{ id: string }> {
  if (!(await settingsOf(ctx))) throw fail('masav.noSettings')
  const paid = await withSums(ctx, suppliers)
  const lines: Line[] = []
  const told: string[] = []
  const entries: Entry[] = []
  // In the order of ids, so that two runs never wait for each other crosswise.
  for (const { supplierId, bills } of paid.toSorted((a, b) => (a.supplierId < b.supplierId ? -1 : 1))) {
    const { rows } = await sql<{
      taxId: string | null
      name: string
      email: string | null
      bank: string
      branch: string
      account: string
    }>`select
        tax_id as "taxId", coalesce(nullif(bank_account_name, ''), name) as name, email,
        coalesce(bank_code::text, '') as bank, coalesce(bank_branch, '') as branch,
        coalesce(bank_account, '') as account
      from parties where company_id = ${ctx.companyId} and id = ${supplierId} and role = 'supplier'`.execute(
      ctx.tx,
    )
    const supplier = rows[0]
    if (!supplier) throw fail('kit.notFound')
    if (!supplier.bank || !supplier.branch || !supplier.account)
      throw fail('masav.noBank', { name: supplier.name })
    const { id, number, netAgorot, entry } = await enterPayment(ctx, {
      supplierId,
      bills,
      means: 'bank',
      movesOn: payDay,
    })
    entries.push(entry)
    if (netAgorot <= 0) throw fail('masav.nothingToPay', { name: supplier.name })
    const { email, ...account } = supplier
    lines.push({
      partyId: supplierId,
      ...account,
      amountAgorot: netAgorot,
      reference: String(number),
      supplierPaymentId: id,
    })
    if (notify && email) told.push(id)
  }
  const run = await keepRun(ctx, 'credit', payDay, () => lines)
  for (const id of told) await sendSupplierPayment(ctx, { id })
  await postAll(ctx, entries)
  return run
}

/**
 * Collects open invoices from customers who allowed it. Nothing is in the books yet: receipts come with the
 * money.
 */
export async function makeDebits(
  ctx: Ctx,
  { payDay, documents }: { payDay: string; documents: string[] },
): Promise<{ id: string }> {
  const proposals = await debitProposals(ctx, { only: [...new Set(documents)] })
  if (proposals.length < new Set(documents).size) throw fail('masav.nothingToPay', { name: '' })
  const codes = {
    noBank: 'masav.noBank',
    abroad: 'masav.noBank',
    noMandate: 'masav.noMandate',
    aboveCeiling: 'masav.aboveCeiling',
    nothing: 'masav.nothingToPay',
  } as const
  for (const { hindrance, name } of proposals) if (hindrance) throw fail(codes[hindrance], { name })
  const { rows } = await sql<{
    id: string
    taxId: string | null
    name: string
  }>`select id, tax_id as "taxId", coalesce(nullif(bank_account_name, ''), name) as name
    from parties where company_id = ${ctx.companyId}
      and id = any(${proposals.map((p) => p.customerId)}::uuid[])`.execute(ctx.tx)
  const lineOf = (p: (typeof proposals)[number], i: number, file: number): Line => {
    const customer = rows.find((r) => r.id === p.customerId)!
    // The mandate's number, and behind it the file and the place in it. The same customer owes the same sum
    // month by month: only so is a debit that comes back told from that of the month before.
    const places = [file, i + 1].map((n) => String(n).padStart(4, '0')).join('')
    return {
      partyId: p.customerId,
      taxId: customer.taxId,
      name: customer.name,
      bank: p.bank,
      branch: p.branch,
      account: p.account,
      amountAgorot: p.openAgorot,
      reference: `${p.mandate!.reference}${places}`.slice(-20),
      documentId: p.documentId,
    }
  }
  return keepRun(ctx, 'debit', payDay, (file) => proposals.map((p, i) => lineOf(p, i, file)))
}

const runColumns = sql`r.id, r.number, r.direction, r.pay_day as "payDay", r.made_on as "madeOn", r.lines,
    r.total_agorot as "totalAgorot", r.collected_at as "collectedAt", r.collected_on as "collectedOn",
  r.undone_at as "undoneAt", r.undo_reason as "undoReason",
  (select u.full_name from users u where u.id = r.undone_by) as "undoneBy",
  back.returned, back.sum as "returnedAgorot", (select u.full_name from users u where u.id = r.created_by) as
  "madeBy"`
const runsFrom = sql`masav_runs r cross
  join lateral (select count(*)::int as returned, coalesce(sum(l.amount_agorot), 0)::bigint as sum
  from masav_lines l where l.company_id = r.company_id and l.run_id = r.id and l.returned_on is not null)
    back`

export async function listRuns(ctx: Ctx, direction: RunDirection): Promise<Run[]> {
  const { rows } = await sql<Run>`select ${runColumns} from ${runsFrom} where r.company_id = ${ctx.companyId}
        and r.direction = ${direction}
    order by r.created_at desc, r.id desc limit 500`.execute(ctx.tx)
  return rows
}

export async function runOf(ctx: Ctx, id: string): Promise<RunAnswer> {
  const { rows } = await sql<Run>`select ${runColumns} from ${runsFrom} where r.company_id = ${ctx.companyId}
        and r.id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  const { rows: lines } = await sql<
    RunAnswer['rows'][number]
  >`select line, party_id as "partyId", name, bank, branch, account, amount_agorot as "amountAgorot",
      reference,
      supplier_payment_id as "supplierPaymentId", seen_document(company_id, document_id) as "documentId",
      seen_document(company_id, receipt_id) as "receiptId",
      returned_on as "returnedOn", return_reason as "returnReason"
    from masav_lines where company_id = ${ctx.companyId} and run_id = ${id} order by line`.execute(ctx.tx)
  return { ...rows[0], rows: lines }
}

/**
 * The bytes as they were given out the first time. Nothing but figures, so the person who may see none gets none.
 */
export async function fileOf(ctx: Ctx, id: string, direction: RunDirection) {
  if (ctx.caller.hideTotalPrices) throw forbidden({ sight: 'figures' })
  const { rows } = await sql<{
    number: number
    payDay: string
    bytes: Buffer
    undone: boolean
  }>`select number, pay_day as "payDay", bytes, undone_at is not null as undone from masav_runs
    where company_id = ${ctx.companyId} and id = ${id} and direction = ${direction}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  // What was reversed is owed again: its file, sent by mistake, would pay it twice.
  if (rows[0].undone) throw fail('masav.undone')
  const { number, payDay, bytes } = rows[0]
  return {
    bytes,
    mime: 'application/octet-stream',
    name: `MSV-${direction}-${payDay.replaceAll('-', '')}.${String(((number - 1) % 999) + 1).padStart(3, '0')}`,
  }
}
