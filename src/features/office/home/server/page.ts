import { sql } from 'kysely'
import { yearlyIn } from '#domain/closing/yearly.ts'
import { addDays, addMonths, endOfMonth } from '#domain/day.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { can, seesWhole } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf, smallIn } from '#features/base/companies/server/index.ts'
import { expenseFiguresOf } from '#features/purchases/expenses/server/index.ts'
import { homeFiguresOf, onlyAllowed } from '#features/sales/documents/server/index.ts'
import { signingHomeOf } from '#features/sales/signing/server/index.ts'
import { myDay } from '#features/people/tasks/server/index.ts'
import { chequesInHand } from '#features/sales/payments/server/index.ts'
import {
  ceilingOf,
  turnoverNotices,
  uninvoicedNotice,
  vatAnswerOf,
  vatGateOf,
} from '#features/tax/vat/server/index.ts'
import { smallFiledIn } from '#features/tax/filings/server/index.ts'
import { isolated } from '#kit/server/work/isolated.ts'
import type { HomePart, homePage } from '../endpoints.ts'
import { arrangedTiles, type Tile } from '../tiles.ts'
import { yours } from './yours.ts'

type Page = OutputOf<typeof homePage>

const when = <T>(may: boolean, ask: () => Promise<T>): Promise<T | null> =>
  may ? ask() : Promise.resolve(null)

/**
 * Parts that are worked out of the books, each separately: one that fails is named and left out, and the page is shown. The
 * parts share one transaction, which a statement that failed ends for all of them.
 */
function parts(ctx: Ctx) {
  const unavailable: HomePart[] = []
  const part = async <T>(name: HomePart, may: boolean, ask: () => Promise<T>): Promise<T | null> => {
    if (!may) return null
    const one = await isolated(ctx.app, `${name} of the home page`, ask, { company: ctx.companyId })
    if (one.failed) unavailable.push(name)
    return one.failed ? null : one.value
  }
  return { part, unavailable }
}

/**
 * Everything of the home page, loaded side by side; each part by its right. People who may see no amounts get none
 * that derive from the books.
 */
export async function page(ctx: Ctx): Promise<Page> {
  const { caller } = ctx
  const company = await companyOf(ctx)
  const whole = seesWhole(caller)
  const mayVat = whole && chargesVat(company.kind) && can(caller, 'vat.see')
  const seesSums = whole && !caller.hideTotalPrices
  const documents = can(caller, 'documents.see')
  const { part, unavailable } = parts(ctx)
  const known = part('documents', documents, () => homeFiguresOf(ctx))
  const answered = part('vatAhead', seesSums && documents && chargesVat(company.kind), () => vatAnswerOf(ctx))
  const [
    tiles,
    figures,
    expenses,
    ahead,
    gate,
    own,
    signing,
    cheques,
    refused,
    failed,
    tasks,
    turnover,
    uninvoiced,
  ] = await Promise.all([
    tilesOf(ctx),
    known,
    part('expenses', can(caller, 'expenses.see'), () => expenseFiguresOf(ctx)),
    answered,
    // Of the period whose return is due next.
    Promise.all([answered, known]).then(([vat, given]) => {
      const period = (vat ?? given?.vat)?.to.slice(0, 7)
      return part('gate', mayVat && period !== undefined, () => vatGateOf(ctx, { period: period! }))
    }),
    part('yours', seesSums && can(caller, 'reports.accounting'), () => yours(ctx, company.kind)),
    when(can(caller, 'signing.see'), () => signingHomeOf(ctx)),
    when(whole && can(caller, 'payments.see'), () => chequesDue(ctx)),
    when(documents && can(caller, 'allocation.see'), () => count(ctx, refusedNumbers(ctx))),
    when(documents && whole, () => count(ctx, failedMessages(ctx))),
    when(can(caller, 'tasks.see'), () => myDay(ctx)),
    part('turnover', seesSums && documents, () => turnoverNotices(ctx, ctx.today)),
    part('uninvoiced', mayVat && documents, () => uninvoicedNotice(ctx)),
  ])
  return {
    tiles,
    documents: figures,
    expenses,
    vatAheadAgorot: ahead?.agorot ?? null,
    vat: ahead && { from: ahead.from, to: ahead.to, dueDay: ahead.dueDay },
    gate: gate && { riskCount: gate.riskCount, atRiskAgorot: gate.atRiskAgorot, isFiled: gate.isFiled },
    yours: own,
    signing:
      signing && signing.waiting + signing.done > 0
        ? { waiting: signing.waiting, late: signing.late, done: signing.done }
        : null,
    cheques,
    turnover: (turnover ?? []).map(({ duty, state, year, turnover: agorot, limit, open }) => ({
      duty,
      state,
      year,
      turnoverAgorot: agorot,
      limitAgorot: limit,
      open,
    })),
    kind: company.kind,
    ceiling: seesSums && documents ? ((await ceilingOf(ctx, company)) ?? null) : null,
    statement: seesSums && documents ? await statementOf(ctx, company) : null,
    uninvoiced: uninvoiced && {
      count: uninvoiced.count,
      dueDay: uninvoiced.dueDay,
      ...(seesSums ? { agorot: uninvoiced.agorot } : {}),
    },
    refusedNumbers: refused ?? 0,
    failedMessages: failed ?? 0,
    unavailable: unavailable.toSorted(),
    tasks,
  }
}

/** The yearly statement that is due next month, of a business that had books in its year and has not reported it. */
async function statementOf(
  ctx: Ctx,
  { kind }: Pick<Awaited<ReturnType<typeof companyOf>>, 'kind'>,
): Promise<Page['statement']> {
  for (const { duty, year, dueDay } of yearlyIn(
    kind,
    endOfMonth(addMonths(ctx.today, -1)),
    await smallIn(ctx),
  )) {
    if (duty !== 'exemptStatement' && duty !== 'smallStatement') continue
    const isHidden = duty === 'smallStatement' && !can(ctx.caller, 'filings.see')
    if (isHidden || (duty === 'smallStatement' && (await smallFiledIn(ctx, year)))) continue
    const { rows } = await sql<{ had: boolean }>`select exists (select 1 from account_months
      where company_id = ${ctx.companyId} and month between ${`${year}-01-01`} and ${`${year}-12-31`})
        as had`.execute(ctx.tx)
    if (rows[0]!.had) return { duty, year, dueDay }
  }
  return null
}

/** Cheques in the drawer whose day comes within the week. */
async function chequesDue(ctx: Ctx): Promise<Page['cheques']> {
  const { rows } = await sql<{ count: number; sumAgorot: number; firstDay: string | null }>`
    select count(*)::int as count, coalesce(sum(t.ils_agorot), 0)::bigint as "sumAgorot",
      min(t.due_day) as "firstDay"
    from document_payments t join documents d on d.company_id = t.company_id and d.id = t.document_id
    where t.company_id = ${ctx.companyId} and ${chequesInHand}
      and t.due_day <= ${addDays(ctx.today, 7)}`.execute(ctx.tx)
  const { count: many, sumAgorot, firstDay } = rows[0]!
  return firstDay === null ? null : { count: many, sumAgorot, firstDay }
}

const refusedNumbers = (ctx: Ctx) =>
  sql`documents where company_id = ${ctx.companyId}
      and allocation_state = 'refused'${onlyAllowed(ctx, 'type')}`

/** What did not arrive in the last two weeks and was not sent again since. */
const failedMessages = (ctx: Ctx) =>
  sql`messages f where f.company_id = ${ctx.companyId} and f.state = 'failed'
      and f.created_at > ${addDays(ctx.today, -14)}
    and not exists (select 1 from messages n where n.company_id = f.company_id and n.resend_of = f.id)`

async function count(ctx: Ctx, from: ReturnType<typeof sql>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from ${from}`.execute(ctx.tx)
  return rows[0]!.count
}

export async function tilesOf(ctx: Ctx): Promise<Tile[]> {
  const { rows } = await sql<{
    tiles: Tile[]
  }>`select tiles from home_tiles where company_id = ${ctx.companyId}
      and user_id = ${ctx.caller.userId}`.execute(ctx.tx)
  return arrangedTiles(rows[0]?.tiles ?? null)
}
