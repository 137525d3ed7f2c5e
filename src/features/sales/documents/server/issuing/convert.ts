import { statusFacts } from '#domain/documents/facts.ts'
import { discountOfPart, joinDiscounts, shareOf, type DiscountedLine } from '#domain/documents/joining.ts'
import { parseDecimal4, toText } from '#domain/quantity.ts'
import { fail, Failure } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import { companyOf } from '#features/base/companies/server/index.ts'
import { standsFor } from '#features/registers/parties/server/index.ts'
import { successors, typeById } from '../../types/index.ts'
import { keepDraft } from '../content/keep.ts'
import { rateAnew } from '../content/exchange.ts'
import { contentOf, discountOf, leftOf, load, loadLines, type StoredDocument } from '../content/load.ts'
import { prepare } from '../content/prepare.ts'
import type { Content } from '../content/shapes.ts'

export interface Conversion {
  id: string
  /** The numeric id of the type to make. */
  type: number
  /** More documents of the same customer and currency that go into the same new one. */
  with?: string[] | undefined
  /** Of the first document: so much of each line; all that is left when absent. */
  lines?: { line: number; quantity: string }[] | undefined
}

/**
 * Makes a draft of a later kind from one or several documents, whole or by line and quantity. What the draft
 * takes is taken when it is issued; until then it may change, and somebody else may be quicker.
 */
export async function convert(
  ctx: Ctx,
  { id, type, with: more = [], lines: chosen }: Conversion,
): Promise<string> {
  const sources = await Promise.all([id, ...more].map((one) => load(ctx, one)))
  const [first] = sources as [StoredDocument, ...StoredDocument[]]
  const company = await companyOf(ctx)
  const target = typeById(type)
  const customers = new Set(await Promise.all(sources.map(({ customer_id: of }) => of && standsFor(ctx, of))))
  for (const source of sources) {
    if (statusFacts(source.status).isDraft) throw fail('documents.stillDraft')
    const from = typeById(source.type)
    const may = target && from && successors(from.name, company.kind).some((t) => t.name === target.name)
    if (
      !may ||
      statusFacts(source.status).isCancelled ||
      customers.size > 1 ||
      source.currency !== first.currency
    )
      throw fail('documents.cannotConvert', { number: source.number ?? 0 })
  }
  const takesMoney = target!.parts.includes('closes')
  const taken = takesMoney
    ? []
    : await Promise.all(
        sources.map((source, i) => linesLeft(ctx, source, i, type, i === 0 ? chosen : undefined)),
      )
  if (!takesMoney && !taken.some(({ isSomething }) => isSomething))
    throw fail('documents.nothingLeft', { number: first.number ?? 0 })
  const joined = joinDiscounts(taken.flatMap(({ parts }) => parts))
  if (joined === 'apart') throw fail('documents.discountsApart')
  const content: Content = {
    ...contentOf(first, []),
    type,
    sourceId: id,
    date: undefined,
    dueDate: null,
    dueTerms: first.due_terms,
    validUntil: null,
    deliverTo: placeOf(sources),
    reason: '',
    clientKey: undefined,
    handNumber: undefined,
    cashException: undefined,
    classException: undefined,
    // What was agreed upon goes along; what was published holds for its own day.
    rate:
      first.rate_source === 'typed' && !takesMoney ? contentOf(first, []).rate : await rateAnew(ctx, first),
    payments: [],
    lines: taken.flatMap(({ lines }) => lines).map((line, i) => ({ ...line, discount: joined.lines[i] })),
    discount: joined.discount,
    // Money is asked for what each has open, or still asks.
    closes: takesMoney
      ? sources
          .map((s) => ({ documentId: s.id, amountAgorot: s.asked_agorot || s.open_in_currency_agorot }))
          .filter((c) => c.amountAgorot > 0)
      : [],
  }
  const made = await keepDraft(ctx, await prepare(ctx, content))
  await ctx.audit('documents.convert', 'documents', made, undefined, {
    from: sources.map((s) => s.id),
    type: target!.name,
  })
  return made
}

/** The place all of them name; of two places none, and where none was named the customer's own may stand. */
function placeOf(sources: readonly StoredDocument[]): Content['deliverTo'] {
  const [place, another] = new Map(sources.map(({ deliver_to: one }) => [JSON.stringify(one), one])).values()
  return another === undefined ? (place ?? undefined) : null
}

type Line = Content['lines'][number]

/**
 * The lines of a document as lines of the next one, each with what is left of it for that one or what was
 * asked for, and with its part of the discount.
 */
async function linesLeft(
  ctx: Ctx,
  source: StoredDocument,
  paper: number,
  type: number,
  chosen: Conversion['lines'],
): Promise<{ lines: Line[]; parts: DiscountedLine[]; isSomething: boolean }> {
  const lines = await loadLines(ctx, source.id)
  const left = await leftOf(ctx, source.id, type)
  const content = contentOf(source, lines)
  const found = lines.flatMap((l, i) => {
    const [whole, rest] = [decimals(l.quantity), decimals(left.get(l.line) ?? '0')]
    const wanted = chosen ? chosen.find((c) => c.line === l.line)?.quantity : left.get(l.line)
    const taken = decimals(wanted ?? '0')
    if (taken === 0 || (!chosen && whole > 0 && taken < 0)) return []
    if (taken > rest) {
      const path = `lines.${chosen ? chosen.findIndex((c) => c.line === l.line) : i}.quantity`
      throw new Failure('kit.badInput', {}, [
        { path, code: 'documents.takesTooMuch', params: { line: l.line } },
      ])
    }
    const quantity = toText(taken)
    const part: DiscountedLine = {
      paper,
      group: `${l.vat_class}${String(l.vat_kind === 2)}`,
      quantity: taken,
      unitPrice: decimals(l.unit_price),
      own: discountOfPart(discountOf(l), { whole, left: rest, taken, unitPrice: decimals(l.unit_price) }),
      documentBp: source.discount_bp,
      // What was taken before had its share; the last part gets what is left of it.
      share: source.discount_sum_agorot ? shareOf(l.discount_share_agorot, whole, rest, taken) : 0,
    }
    const line: Line = {
      ...content.lines[i]!,
      quantity,
      source: { documentId: source.id, line: l.line, quantity: taken > 0 ? quantity : '0' },
    }
    return [{ line, part, taken }]
  })
  return {
    lines: found.map(({ line }) => line),
    parts: found.map(({ part }) => part),
    isSomething: found.some(({ taken }) => taken > 0),
  }
}

const decimals = (text: string): number => parseDecimal4(text) ?? 0
