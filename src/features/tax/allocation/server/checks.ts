import { sql } from 'kysely'
import { papers } from '#domain/vat/shares.ts'
import { sum, type Agorot } from '#domain/money.ts'
import { needsAllocation } from '#domain/vat/allocation.ts'
import { fail, forbidden } from '#kit/describe/errors.ts'
import { can } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { startJob, type LongJob } from '#kit/server/work/progress.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { thresholdsFor } from '#features/registers/rates/server/index.ts'
import type { NumberCheck, ToVerify } from '../endpoints.ts'
import { lastNine } from '../numbers.ts'
import type { Known } from './authority.ts'
import { authority, needConnection, withTokenOrFail } from './link.ts'

interface Asked {
  supplierTaxId: string
  supplierName: string
  invoiceNumber: string
  day: string
  netAgorot: number
  vatAgorot: number
  number: string
}

/** Amounts are compared to the shekel: suppliers round, and so does the authority. */
const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= 100

function judge(asked: Asked, known: Known): NumberCheck['answer'] {
  if (!known) return 'notFound'
  if (!asked.number) return 'found'
  const same =
    lastNine(known.number) === lastNine(asked.number) &&
    isNear(known.net, asked.netAgorot) &&
    isNear(known.vat, asked.vatAgorot)
  return same ? 'confirmed' : 'differs'
}

/** Asks the authority about one invoice of a supplier and keeps the answer. */
async function check(ctx: Ctx, asked: Asked, expenseId: string | null): Promise<NumberCheck> {
  const { taxId: customerTaxId } = await companyOf(ctx)
  const known = await withTokenOrFail(ctx, async (access) =>
    (await authority(ctx)).verify(access, {
      ...asked,
      customerTaxId,
      net: asked.netAgorot,
      vat: asked.vatAgorot,
    }),
  )
  const answer = judge(asked, known)
  const id = newId()
  await sql`insert into supplier_number_checks (company_id, id, expense_id, supplier_name, supplier_tax_id,
      invoice_number, day, net_agorot, vat_agorot,
      number, answer, found_number, found_net_agorot, found_vat_agorot, found_day, checked_by, checked_at)
    values (${ctx.companyId}, ${id}, ${expenseId}, ${asked.supplierName}, ${asked.supplierTaxId},
      ${asked.invoiceNumber}, ${asked.day},
      ${asked.netAgorot}, ${asked.vatAgorot}, ${asked.number}, ${answer}, ${known?.number ?? ''},
      ${known?.net ?? null}, ${known?.vat ?? null},
      ${known?.day ?? null}, ${ctx.caller.userId}, ${ctx.now})`.execute(ctx.tx)
  await ctx.audit(
    'allocation.verify',
    expenseId ? 'expenses' : 'companies',
    expenseId ?? ctx.companyId,
    undefined,
    { answer },
  )
  return {
    ...asked,
    id,
    answer,
    foundNumber: known ? lastNine(known.number) : '',
    foundDay: known?.day ?? null,
    foundNetAgorot: known?.net ?? null,
    foundVatAgorot: known?.vat ?? null,
    checkedAt: ctx.now.toISOString(),
  }
}

export const verifyNumber = (ctx: Ctx, given: Asked): Promise<NumberCheck> => check(ctx, given, null)

interface ExpenseRow {
  id: string
  paper: keyof typeof papers
  supplierName: string
  supplierTaxId: string | null
  invoiceNumber: string
  day: string
  netAgorot: number
  vatAgorot: number
  recognised: number
  number: string
  answer: NumberCheck['answer'] | null
  foundNumber: string | null
  checkedAt: string | null
}

const expenses = (
  ctx: Ctx,
  condition: ReturnType<typeof sql>,
  most: number,
) => sql<ExpenseRow>`select e.id, e.paper, coalesce(p.name, '') as "supplierName",
    nullif(p.tax_id, '') as "supplierTaxId", e.supplier_number as "invoiceNumber", e.day,
    e.ils_net_agorot as "netAgorot", e.ils_vat_agorot as "vatAgorot",
    e.recognised_vat_agorot as recognised, e.allocation_number as number, c.answer,
    c.found_number as "foundNumber", c.checked_at as "checkedAt"
  from expenses e left join parties p on p.company_id = e.company_id and p.id = e.supplier_id
  left join lateral (select answer, found_number, checked_at from supplier_number_checks c
  where c.company_id = e.company_id and c.expense_id = e.id
    and c.number = e.allocation_number and c.net_agorot = e.ils_net_agorot order by c.checked_at desc limit 1)
    c on true
  where e.company_id = ${ctx.companyId} and e.state not in ('rejected', 'cancelled') and e.ils_vat_agorot > 0
    and ${condition}
  order by e.day desc, e.id desc limit ${most}`

const counts = (row: ExpenseRow, thresholdOn: (day: string) => Agorot | undefined): boolean => {
  const { mayNeedAllocation } = papers[row.paper]
  return (
    (mayNeedAllocation && row.number !== '') ||
    needsAllocation(
      {
        documentAllows: mayNeedAllocation,
        day: row.day,
        net: row.netAgorot,
        vat: row.vatAgorot,
        customerIsDealer: true,
      },
      thresholdOn,
    )
  )
}

/** The result for an expense; an answer counts while number and amount are those of the request. */
function standingOf(row: ExpenseRow): ToVerify['standing'] {
  if (row.answer) return row.answer
  if (!row.number && row.supplierTaxId && row.invoiceNumber) return 'missingNumber'
  if (!row.supplierTaxId) return 'noTaxId'
  return row.invoiceNumber ? 'unchecked' : 'noInvoiceNumber'
}

const mostListed = 500
/** Of these the authority did not confirm that the VAT may be deducted. */
const atRisk: ReadonlySet<ToVerify['standing']> = new Set(['missingNumber', 'differs', 'notFound'])

export async function listToVerify(ctx: Ctx, { from, to }: { from: string; to: string }) {
  const thresholdOn = await thresholdsFor(ctx)
  // Below what holds at the end of the period none is needed, and none is written as a rule: thresholds only
  // go down.
  const { rows } = await expenses(
    ctx,
    sql`e.day between ${from} and ${to}
        and (e.allocation_number <> '' or e.ils_net_agorot > ${thresholdOn(to) ?? 0})`,
    mostListed + 1,
  ).execute(ctx.tx)
  const counted = rows.slice(0, mostListed).filter((row) => counts(row, thresholdOn))
  const shown = counted.map((row): ToVerify => ({
    expenseId: row.id,
    supplierName: row.supplierName,
    supplierTaxId: row.supplierTaxId,
    invoiceNumber: row.invoiceNumber,
    day: row.day,
    netAgorot: row.netAgorot,
    vatAgorot: row.vatAgorot,
    number: row.number && lastNine(row.number),
    standing: standingOf(row),
    foundNumber: row.foundNumber ? lastNine(row.foundNumber) : '',
    checkedAt: row.checkedAt,
  }))
  const risky = counted.filter((row) => atRisk.has(standingOf(row)))
  return {
    rows: shown,
    atRiskAgorot: sum(risky.map((row) => row.recognised)),
    more: rows.length > mostListed,
  }
}

export async function verifyExpenses(ctx: Ctx, { ids }: { ids: string[] }): Promise<{ jobId: string }> {
  if (!can(ctx.caller, 'expenses.see')) throw forbidden({ rule: 'expenses.see' })
  await needConnection(ctx)
  const { rows } = await expenses(ctx, sql`e.id = any(${ids}::uuid[])`, ids.length).execute(ctx.tx)
  const asked = rows.filter((row) => row.supplierTaxId && row.invoiceNumber)
  if (!asked.length) throw fail(rows.length ? 'allocation.nothingToAsk' : 'kit.notFound')
  return {
    jobId: await startJob(
      ctx,
      'allocation.verify',
      { ids: asked.map((row) => row.id) },
      { count: asked.length, href: '/invoice/israeltaxverify' },
    ),
  }
}

export const verifying: LongJob = {
  rule: 'allocation.change',
  work: async (run) => {
    const ids = run.payload.ids as string[]
    const tally = (run.position as { at: number; confirmed: number } | undefined) ?? { at: 0, confirmed: 0 }
    let { confirmed } = tally
    for (let at = tally.at; at < ids.length; at++)
      confirmed = await run.step(
        async (ctx) => {
          const { rows } = await expenses(ctx, sql`e.id = ${ids[at]!}`, 1).execute(ctx.tx)
          const row = rows[0]
          if (!row?.supplierTaxId || !row.invoiceNumber) return confirmed
          const { supplierTaxId, supplierName, invoiceNumber, day, netAgorot, vatAgorot, number } = row
          const { answer } = await check(
            ctx,
            { supplierTaxId, supplierName, invoiceNumber, day, netAgorot, vatAgorot, number },
            row.id,
          )
          return confirmed + (answer === 'confirmed' ? 1 : 0)
        },
        (made) => ({ position: { at: at + 1, confirmed: made }, done: at + 1, total: ids.length }),
      )
    return { confirmed, checked: ids.length }
  },
}
