import { sql } from 'kysely'
import { parseDecimal4 } from '../../../domain/quantity.ts'
import { fail, Failure } from '../../../kit/describe/errors.ts'
import type { Ctx } from '../../../kit/server/context.ts'
import { companyOf } from '../../companies/server/index.ts'
import { successors, typeById } from '../types/index.ts'
import { keepDraft } from './keep.ts'
import { contentOf, load, loadLines, plainDecimal, type StoredDocument } from './load.ts'
import { prepare, type Content } from './prepare.ts'

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
 * Makes a draft of a later kind from one or several documents, whole or by line and quantity. What the draft takes is taken when it is
 * issued; until then it may change, and somebody else may be quicker.
 */
export async function convert(ctx: Ctx, { id, type, with: more = [], lines: chosen }: Conversion): Promise<string> {
  const sources = await Promise.all([id, ...more].map((one) => load(ctx, one)))
  const [first] = sources as [StoredDocument, ...StoredDocument[]]
  const company = await companyOf(ctx)
  const target = typeById(type)
  for (const source of sources) {
    if (source.status === 'draft') throw fail('documents.stillDraft')
    const from = typeById(source.type)
    const may = target && from && successors(from.name, company.kind).some((t) => t.name === target.name)
    if (!may || source.status === 'cancelled' || source.customer_id !== first.customer_id || source.currency !== first.currency)
      throw fail('documents.cannotConvert', { number: source.number ?? 0 })
  }
  const takesMoney = target!.parts.includes('closes')
  const lines = takesMoney
    ? []
    : (await Promise.all(sources.map((source, i) => linesLeft(ctx, source, i === 0 ? chosen : undefined)))).flat()
  if (!takesMoney && !lines.length) throw fail('documents.nothingLeft', { number: first.number ?? 0 })
  const content: Content = {
    ...contentOf(first, []),
    type,
    sourceId: id,
    date: undefined,
    dueDate: null,
    dueTerms: first.due_terms,
    validUntil: null,
    clientKey: undefined,
    handNumber: undefined,
    payments: [],
    lines,
    discount: sources.length === 1 ? contentOf(first, []).discount : null,
    // Money is asked for what each has open, or still asks.
    closes: takesMoney
      ? sources
          .map((s) => ({ documentId: s.id, amountAgorot: s.asked_agorot || s.open_in_currency_agorot }))
          .filter((c) => c.amountAgorot > 0)
      : [],
  }
  // A discount by sum belongs to the whole; a part of the lines takes its part of it.
  if (content.discount && 'agorot' in content.discount && chosen) content.discount = null
  const made = await keepDraft(ctx, await prepare(ctx, content))
  await ctx.audit('documents.convert', 'documents', made, undefined, { from: sources.map((s) => s.id), type: target!.name })
  return made
}

/** The lines of a document as lines of the next one, each with what is left of it or what was asked for. */
async function linesLeft(ctx: Ctx, source: StoredDocument, chosen: Conversion['lines']): Promise<Content['lines']> {
  const lines = await loadLines(ctx, source.id)
  const { rows } = await sql<{
    line: number
    left_: string
  }>`select line, left_::text from left_of_lines(${ctx.companyId}, ${source.id})`.execute(ctx.tx)
  const left = new Map(rows.map((r) => [r.line, r.left_]))
  const content = contentOf(source, lines)
  return lines.flatMap((l, i) => {
    const wanted = chosen ? chosen.find((c) => c.line === l.line)?.quantity : left.get(l.line)
    if (wanted === undefined || parseDecimal4(wanted) === 0) return []
    if (decimals(wanted) > decimals(left.get(l.line) ?? '0')) {
      const path = `lines.${chosen ? chosen.findIndex((c) => c.line === l.line) : i}.quantity`
      throw new Failure('kit.badInput', {}, [{ path, code: 'documents.takesTooMuch', params: { line: l.line } }])
    }
    const quantity = plainDecimal(wanted)
    return [{ ...content.lines[i]!, quantity, source: { documentId: source.id, line: l.line, quantity } }]
  })
}

const decimals = (text: string): number => parseDecimal4(text) ?? 0
