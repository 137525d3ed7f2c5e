import { sql } from 'kysely'
import { type Day } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { chargesVat } from '#domain/documents/kinds.ts'
import { knownIndex, type MonthIndex } from '#domain/standingOrders/indices.ts'
import {
  linkedPrice,
  monthlyOf,
  partPrice,
  ratioOf,
  reductionOf,
  type Known,
  type LinkedTo,
  type Ratio,
  type Reduction,
} from '#domain/standingOrders/price.ts'
import { endOf, turnsOf, type Turn } from '#domain/standingOrders/schedule.ts'
import { fillWords } from '#domain/standingOrders/words.ts'
import type { Agorot } from '#domain/money.ts'
import { Failure, fail } from '#kit/describe/errors.ts'
import type { Ctx, Language } from '#kit/server/context.ts'
import { say } from '#kit/server/words.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { ratesOn } from '#features/registers/rates/server/index.ts'
import { rateFor, workOut, type Settled } from '#features/sales/documents/workOut.ts'
import type { Coming } from '../endpoints.ts'
import { benefitOf, planOf, versionOn, type StoredOrder, type Version } from './order.ts'

/** What determines the amounts of an order besides itself, read once for all its charges. */
export interface Facts {
  settled: Omit<Settled, 'vatRateBp'>
  language: Language
  /** How many charges there are; null without an end. */
  of: number | null
  endDay: Day | null
  /** The index or rate that is known on a day. */
  known: (day: Day) => Known | undefined
}

/** The indices of a business, or rates of the dollar: what `known` is asked of. */
export async function knownOf(
  ctx: Ctx,
  linked: LinkedTo,
  day: Day,
): Promise<(day: Day) => Known | undefined> {
  if (linked === 'none') return () => undefined
  if (linked === 'usd') {
    const [rate] = await ratesOn(ctx, day, 'USD')
    return () => rate && { value: rate.rate, of: rate.day }
  }
  const { rows } =
    await sql<MonthIndex>`select month, trim_scale(value)::text as value, trim_scale(coefficient)::text as
        coefficient
    from price_indices where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return (on) => knownIndex(rows, on)
}

export async function factsOf(ctx: Ctx, order: StoredOrder, on: Day = ctx.today): Promise<Facts> {
  const company = await companyOf(ctx)
  const { rows } = await sql<{
    zeroRate: boolean
    language: Language
  }>`select zero_rate as "zeroRate", language from parties
    where company_id = ${ctx.companyId} and id = ${order.customer_id}`.execute(ctx.tx)
  const plan = planOf(order)
  let of: number | null = order.times
  if (of === null && order.until_day !== null) {
    of = 0
    for (const _ of turnsOf(plan)) of++
  }
  return {
    settled: {
      kind: company.kind,
      zeroRate: rows[0]?.zeroRate ?? false,
      defaultVatKind: company.defaultVatKind,
      rounding: company.rounding,
    },
    language: order.language ?? rows[0]?.language ?? company.language,
    of,
    endDay: endOf(plan),
    known: await knownOf(ctx, order.linked, on),
  }
}

/** One charge worked out: what its paper says, and what it comes to. */
export interface WorkedTurn {
  turn: Turn
  lines: {
    itemId: string | null
    description: string
    details: string
    quantity: string
    unitPrice: string
    vatKind: number | undefined
  }[]
  discount: { agorot: number } | { basisPoints: number } | undefined
  reduced: Reduction | ''
  notes: string
  notesBelow: string
  netAgorot: Agorot
  vatAgorot: Agorot
  totalAgorot: Agorot
  /** What each line comes to before VAT, after what is taken off. */
  lineNets: Agorot[]
  /** Of a whole period of it, before VAT, in a month. */
  monthlyAgorot: Agorot
  link: { base: string; baseOf: Day; known: string; knownOf: Day; bp: number } | null
}

/**
 * The ratio of the prices of a version on a day; refuses where the index is not known, because a guess would
 * be printed.
 */
function linkOn(
  order: StoredOrder,
  version: Version,
  day: Day,
  facts: Facts,
): { ratio: Ratio; link: NonNullable<WorkedTurn['link']> } | undefined {
  if (order.linked === 'none') return undefined
  const known = facts.known(day)
  if (!known || version.baseValue === null || version.baseOf === null) throw fail('standingOrders.noIndex')
  const base = { value: version.baseValue, of: version.baseOf }
  const ratio = ratioOf({ base, falls: order.link_falls }, known)
  const bp = Number(((ratio.up - ratio.down) * 10_000n) / ratio.down)
  return { ratio, link: { base: base.value, baseOf: base.of, known: known.value, knownOf: known.of, bp } }
}

/** Works a charge out as its paper will be, by the rate of VAT of the day it is made on. */
export function workTurn(
  order: StoredOrder,
  version: Version,
  turn: Turn,
  facts: Facts,
  madeOn: Day = turn.day,
): WorkedTurn {
  const { language } = facts
  const linked = linkOn(order, version, madeOn, facts)
  const settled: Settled = { ...facts.settled, vatRateBp: rateFor(facts.settled.kind, madeOn) }
  const priceOf = (price: string) => (linked ? linkedPrice(price, linked.ratio) : price)
  const whole = version.lines.map((line) => ({
    quantity: line.quantity,
    unitPrice: priceOf(line.unitPrice),
    vatKind: line.vatKind,
  }))
  const usual = worked({ lines: whole }, settled)
  const reduction = reductionOf(turn, benefitOf(order), usual.subtotal)
  const isFirst = reduction?.kind === 'first'
  const part = isFirst ? null : turn.part
  const lines = version.lines.map((line, i) => {
    const said = fillWords(line.description, { ...turn, of: facts.of }, language)
    return {
      itemId: line.itemId ?? null,
      description: (part
        ? `${said} (${say(language, 'standingOrders.paper.part', { days: part.days, of: part.of })})`
        : said
      ).slice(0, 500),
      details: fillWords(line.details ?? '', { ...turn, of: facts.of }, language),
      quantity: line.quantity,
      unitPrice: part ? partPrice(whole[i]!.unitPrice, part) : whole[i]!.unitPrice,
      vatKind: line.vatKind,
    }
  })
  const totals = worked({ lines, ...(reduction ? { discount: reduction.discount } : {}) }, settled)
  // What a whole period is worth, for the figures of recurring revenue: a part of one is no fall.
  const wholeNet =
    part || isFirst
      ? worked({ lines: whole, ...(reduction ? { discount: reduction.discount } : {}) }, settled).net
      : totals.net
  const netOf = (net: number, total: number) => (chargesVat(settled.kind) ? net : total)
  const link = linked?.link ?? null
  return {
    turn,
    lines,
    discount: reduction?.discount,
    reduced: reduction?.kind ?? '',
    notes: [
      fillWords(order.notes, { ...turn, of: facts.of }, language),
      // The law wants the last day of a fixed term on every invoice of it.
      order.party_kind === 'consumer' && facts.endDay
        ? say(language, 'standingOrders.paper.endsOn', { day: formatDay(facts.endDay) })
        : '',
    ]
      .filter(Boolean)
      .join('\n'),
    notesBelow: link ? ruleOf(order, link, language) : '',
    netAgorot: netOf(totals.net, totals.total),
    vatAgorot: totals.vat,
    totalAgorot: totals.total,
    lineNets: totals.lines.map(({ net }) => net),
    monthlyAgorot: monthlyOf(netOf(wholeNet, totals.total), order.every_n, order.unit),
    link,
  }
}

/** The rule of a linked sum in the customer's words, with both indices, as it is printed. */
function ruleOf(
  order: StoredOrder,
  { base, baseOf, known, knownOf }: NonNullable<WorkedTurn['link']>,
  language: Language,
): string {
  const days =
    order.linked === 'cpi'
      ? {
          baseOf: baseOf.slice(0, 7).split('-').toReversed().join('/'),
          knownOf: knownOf.slice(0, 7).split('-').toReversed().join('/'),
        }
      : { baseOf: formatDay(baseOf), knownOf: formatDay(knownOf) }
  return say(language, `standingOrders.paper.${order.linked}${order.link_falls ? 'Falls' : ''}`, {
    base,
    known,
    ...days,
  })
}

function worked(content: Parameters<typeof workOut>[0], settled: Settled) {
  try {
    return workOut(content, settled)
  } catch (e) {
    if (e instanceof RangeError)
      throw new Failure('kit.badInput', {}, [{ path: 'lines', code: 'fields.range' }])
    throw e
  }
}

/** A charge to come, with what it was worked out from. */
export interface Ahead {
  coming: Coming
  version: Version
  lineNets: Agorot[]
}

/** The charges to come as they will be, by what is known today. */
export const comingOf = async (...asked: Parameters<typeof aheadOf>): Promise<Coming[]> =>
  (await aheadOf(...asked)).map(({ coming }) => coming)

/** The same with the lines each is made of. */
export async function aheadOf(
  ctx: Ctx,
  order: StoredOrder,
  versions: readonly Version[],
  from: Day | null,
  most: number,
  last?: Day,
): Promise<Ahead[]> {
  if (from === null) return []
  const facts = await factsOf(ctx, order)
  const ahead: Ahead[] = []
  const unshifted = turnsOf({ ...planOf(order), shift: 'none' })
  for (const turn of turnsOf(planOf(order))) {
    const plain = unshifted.next().value
    if (ahead.length >= most || (last !== undefined && turn.from > last)) break
    if (turn.from < from) continue
    const version = versionOn(versions, turn.from)
    const one = workTurn(order, version, turn, facts)
    const coming: Coming = {
      no: turn.no,
      from: turn.from,
      to: turn.to,
      day: turn.day,
      plannedDay: plain?.day ?? turn.day,
      partDays: one.reduced === 'first' ? null : (turn.part?.days ?? null),
      partOf: one.reduced === 'first' ? null : (turn.part?.of ?? null),
      reduced: one.reduced,
      netAgorot: one.netAgorot,
      vatAgorot: one.vatAgorot,
      totalAgorot: one.totalAgorot,
      description: one.lines[0]?.description ?? '',
      linkBp: one.link?.bp ?? null,
    }
    ahead.push({ coming, version, lineNets: one.lineNets })
  }
  return ahead
}
