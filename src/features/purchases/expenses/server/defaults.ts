import { sql } from 'kysely'
import type { VatShare } from '#domain/vat/shares.ts'
import { splitByLargestRemainder } from '#domain/money.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { supplierDefaults as call } from '../endpoints.ts'
import { groupOf } from '#features/registers/parties/server/index.ts'
import { checkSupplier } from './suppliers.ts'

/** What a rule of the business says a bill is. */
export interface Coded {
  ruleId: string
  rule: string
  typeId: string
  vatShare: VatShare | null
  projectId: string | null
}
type Coder = (ctx: Ctx, bill: { supplierId: string | null; text: string }) => Promise<Coded | null>
const coders: Coder[] = []

/** Another feature that knows what bills are before they are looked at. */
export const registerCoding = (coder: Coder): void => void coders.push(coder)

/** What the first of them that knows a bill says it is. */
export async function codedBy(
  ctx: Ctx,
  bill: { supplierId: string | null; text: string },
): Promise<Coded | null> {
  for (const coder of coders) {
    const found = await coder(ctx, bill)
    if (found) return found
  }
  return null
}

/**
 * The usual coding of a supplier's bills: by a rule of the business, as the last one was split, else by the type on
 * the supplier card. `text` is the text of this bill, as far as it is known.
 */
export async function supplierDefaults(
  ctx: Ctx,
  supplierId: string,
  text = '',
): Promise<OutputOf<typeof call>> {
  const usual = await learned(ctx, supplierId)
  const coded = await codedBy(ctx, { supplierId, text })
  if (!coded) return { ...usual, rule: null }
  const { ruleId, rule, typeId, vatShare, projectId } = coded
  return {
    ...usual,
    lines: [{ typeId, vatShare, projectId, shareBp: 10_000 }],
    rule: { id: ruleId, name: rule },
  }
}

/** What the supplier's last bill, expected bills, or card suggest. */
async function learned(ctx: Ctx, supplierId: string): Promise<Omit<OutputOf<typeof call>, 'rule'>> {
  await checkSupplier(ctx, supplierId)
  const { rows: last } = await sql<{
    id: string
    means: 'bank'
    paper: 'taxInvoice'
    total: number
    vat: number
  }>`
    select id, means, paper, ils_total_agorot as total, vat_agorot as vat from expenses
    where company_id = ${ctx.companyId} and supplier_id in ${groupOf(ctx, supplierId)}
    and state not in ('rejected', 'cancelled') and total_agorot > 0 order by (state = 'approved') desc,
    day desc, id desc limit 1`.execute(ctx.tx)
  const { rows: recurring } = await sql<{
    id: string
    name: string
    nextDay: string
    totalAgorot: number
    typeId: string
    means: 'bank'
  }>`
    select r.id, r.name, r.total_agorot as "totalAgorot", r.type_id as "typeId", r.means,
      awaited_day(r) as "nextDay"
    from recurring_expenses r where r.company_id = ${ctx.companyId} and r.supplier_id = ${supplierId}
      and r.archived_at is null and awaited_day(r) is not null order by "nextDay" limit 1`.execute(ctx.tx)
  const next = recurring[0]
  const common = {
    // Other people's amounts are for people who may see them.
    lastTotalAgorot: can(ctx.caller, 'expenses.see') ? (last[0]?.total ?? null) : null,
    recurring: next
      ? { id: next.id, name: next.name, nextDay: next.nextDay, totalAgorot: next.totalAgorot }
      : null,
  }
  if (last[0]) {
    const { rows: lines } = await sql<{
      typeId: string
      vatShare: 'full'
      net: number
    }>`select l.type_id as "typeId", l.vat_share as "vatShare", abs(l.net_agorot) as net
      from expense_lines l join expense_types t on t.company_id = l.company_id and t.id = l.type_id
      where l.company_id = ${ctx.companyId} and l.expense_id = ${last[0].id} and t.archived_at is null
      order by l.line`.execute(ctx.tx)
    if (lines.length) {
      const shares = splitByLargestRemainder(
        10_000,
        lines.map((l) => l.net),
      )
      return {
        lines: lines.map((l, i) => ({
          typeId: l.typeId,
          vatShare: l.vatShare,
          projectId: null,
          shareBp: shares[i]!,
        })),
        means: last[0].means,
        paper: last[0].paper,
        hasVat: last[0].vat !== 0,
        ...common,
      }
    }
  }
  const { rows: card } = await sql<{
    typeId: string | null
  }>`select p.expense_type_id as "typeId" from parties p where p.company_id = ${ctx.companyId}
      and p.id = ${supplierId}`.execute(ctx.tx)
  const typeId = next?.typeId ?? card[0]?.typeId
  return {
    lines: typeId ? [{ typeId, vatShare: null, projectId: null, shareBp: 10_000 }] : [],
    means: next?.means ?? 'onCredit',
    paper: 'taxInvoice',
    hasVat: true,
    ...common,
  }
}
