import { sql } from 'kysely'
import type { z } from 'zod'
import { documentTypes } from '#domain/documents/kinds.ts'
import { formatMoney } from '#domain/format.ts'
import { splitByLargestRemainder } from '#domain/money.ts'
import { toText } from '#domain/quantity.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isLive } from '#kit/server/data/documentFacts.ts'
import { say } from '#kit/server/words.ts'
import {
  fixedBy,
  issuePrepared,
  loadDocument,
  loadLines,
  prepareDocument,
  type StoredDocument,
} from '#features/sales/documents/server/index.ts'
import type * as calls from '../endpoints.ts'
import type { Ground } from '../rules.ts'

interface Said {
  invoice_id: string
  ground: Ground
  steps: string
  /** What later payments were charged, in the currency of the invoice. */
  recovered: number
}

/** A write-off by its credit invoice, and what was paid since. */
async function writeOffOf(ctx: Ctx, id: string, lock = false) {
  const credit = await loadDocument(ctx, id, lock)
  const { rows } = await sql<Said>`select b.invoice_id, b.ground, b.steps,
      coalesce((select sum(d.total_agorot - d.credited_agorot) from bad_debts r
        join documents d on d.company_id = r.company_id and d.id = r.document_id and ${isLive('d')}
        where r.company_id = b.company_id and r.recovers_id = b.document_id), 0)::bigint as recovered
    from bad_debts b where b.company_id = ${ctx.companyId} and b.document_id = ${id}
      and b.ground is not null`.execute(ctx.tx)
  const said = rows[0]
  if (!said) throw fail('badDebts.notWrittenOff')
  return { credit, said, left: credit.total_agorot - said.recovered }
}

export async function standing(
  ctx: Ctx,
  { id }: z.output<typeof calls.standingOfDebt.input>,
): Promise<z.output<typeof calls.standingOfDebt.output>> {
  const { credit, said, left } = await writeOffOf(ctx, id)
  const invoice = await loadDocument(ctx, said.invoice_id)
  return {
    invoice: { id: invoice.id, type: invoice.type, number: invoice.number! },
    currency: credit.currency,
    day: credit.day,
    ground: said.ground,
    steps: said.steps,
    writtenOffAgorot: credit.total_agorot,
    recoveredAgorot: said.recovered,
    leftAgorot: left,
  }
}

/** What was paid, over the classes of VAT of the credit invoice in proportion. */
async function linesOf(ctx: Ctx, credit: StoredDocument, agorot: number, description: string) {
  const classes = new Map<string, number>()
  for (const line of await loadLines(ctx, credit.id))
    classes.set(line.vat_class, (classes.get(line.vat_class) ?? 0) + line.total_agorot)
  const parts = splitByLargestRemainder(agorot, [...classes.values()])
  return [...classes.keys()].flatMap((vatClass, i) =>
    parts[i]
      ? [
          {
            description,
            quantity: '1',
            unitPrice: toText(parts[i] * 100),
            vatKind:
              vatClass === 'standard' ? (2 as const) : vatClass === 'zero' ? (1 as const) : (4 as const),
          },
        ]
      : [],
  )
}

/**
 * A debt that was written off is paid after all, in whole or in part: a tax invoice charges the amount again, at the rate
 * of the first invoice, and takes the expense back. The receipt of the payment closes it.
 */
export async function recover(
  ctx: Ctx,
  given: z.output<typeof calls.recoverDebt.input>,
): Promise<z.output<typeof calls.recoverDebt.output>> {
  const { credit, said, left } = await writeOffOf(ctx, given.id, true)
  if (left <= 0) throw fail('badDebts.allRecovered')
  const agorot = given.agorot ?? left
  if (agorot > left)
    throw new Failure('kit.badInput', {}, [
      {
        path: 'agorot',
        code: 'badDebts.aboveWrittenOff',
        params: { left: formatMoney(left) },
      },
    ])
  const date = given.date ?? ctx.today
  if (date < credit.day)
    throw new Failure('kit.badInput', {}, [
      { path: 'date', code: 'badDebts.beforeWriteOff', params: { day: credit.day } },
    ])
  const invoice = await loadDocument(ctx, said.invoice_id)
  const description = say(invoice.language, 'badDebts.paidLine', { number: invoice.number! })
  const prepared = await prepareDocument(
    ctx,
    {
      type: documentTypes.taxInvoice.id,
      customerId: credit.customer_id!,
      date,
      dueDate: date,
      language: credit.language,
      currency: credit.currency,
      projectId: credit.project_id,
      agentId: credit.agent_id,
      rounding: 'none',
      lines: await linesOf(ctx, credit, agorot, description),
    },
    { ...fixedBy(invoice), isBadDebt: true, exactly: agorot },
  )
  const issued = await issuePrepared(ctx, prepared)
  await sql`insert into bad_debts (company_id, document_id, invoice_id, recovers_id, created_by)
    values (${ctx.companyId}, ${issued.id}, ${invoice.id}, ${credit.id},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('badDebts.recover', 'documents', invoice.id, undefined, {
    documentId: issued.id,
    totalAgorot: agorot,
  })
  return { id: issued.id, type: documentTypes.taxInvoice.id, number: issued.number }
}
