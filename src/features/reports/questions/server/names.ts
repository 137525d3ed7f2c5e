import { sql } from 'kysely'
import { fold } from '#domain/fold.ts'
import { readAnswer } from '#domain/questions/answers.ts'
import { factNamed, firstQuestion, type DimensionName, type Question } from '#domain/questions/model.ts'
import { understand, type Named, type Unread } from '#domain/questions/understand.ts'
import { formsOf } from '#domain/questions/vocabulary.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { Understood } from '../endpoints.ts'
import { placed } from '../readings.ts'
import { mayAskAbout } from '../rights.ts'
import { filterNames } from './run.ts'

interface Known {
  id: string
  name: string
}

const most = 30

const party = (role: 'customer' | 'supplier') => async (ctx: Ctx, text: string) => {
  const pattern = fold(text).replace(/[\\%_]/g, '\\$&')
  const found =
    role === 'customer' ? sql`select search_customers(${pattern})` : sql`select search_suppliers(${pattern})`
  // One who was merged into another is that one.
  const { rows } =
    await sql<Known>`select distinct s.id, s.name from parties p join parties s on s.company_id = p.company_id
        and s.id = coalesce(p.merged_into, p.id)
    where p.company_id = ${ctx.companyId} and p.id in (${found}) limit ${most}`.execute(ctx.tx)
  return rows
}

const fewOf =
  (table: 'agents' | 'projects' | 'categories' | 'customer_types' | 'customer_statuses') =>
  async (ctx: Ctx) => {
    const { rows } =
      await sql<Known>`select id, name from ${sql.raw(table)} where company_id = ${ctx.companyId}
        order by name limit 2000`.execute(ctx.tx)
    return rows
  }

/** Where the records of a dimension are looked for by a name; those that are few are looked through. */
const lookUp: Partial<Record<DimensionName, (ctx: Ctx, text: string) => Promise<Known[]>>> = {
  customer: party('customer'),
  supplier: party('supplier'),
  item: async (ctx, text) => {
    const { rows } = await sql<Known>`select id, name from items where company_id = ${ctx.companyId}
      and id in (select search_items(${fold(text).replace(/[\\%_]/g, '\\$&')})) limit ${most}`.execute(ctx.tx)
    return rows
  },
  agent: fewOf('agents'),
  project: fewOf('projects'),
  category: fewOf('categories'),
  customerType: fewOf('customer_types'),
  customerStatus: fewOf('customer_statuses'),
  account: async (ctx) => {
    const { rows } =
      await sql<Known>`select id, name from accounts where company_id = ${ctx.companyId} limit 5000`.execute(
        ctx.tx,
      )
    return rows
  },
  city: async (ctx) => {
    const { rows } = await sql<Known>`select distinct city as id, city as name from parties
      where company_id = ${ctx.companyId} and role = 'customer' and city <> '' limit 2000`.execute(ctx.tx)
    return rows
  },
}

/**
 * Records whose whole name this is; of one whose sort was said, the only one that has it in its name will do.
 */
async function matching(
  ctx: Ctx,
  dimension: DimensionName,
  text: string,
  mayBePart: boolean,
): Promise<Known[]> {
  const wanted = fold(text)
  if (wanted === '') return []
  const found = (await lookUp[dimension]?.(ctx, text)) ?? []
  const exact = found.filter(({ name }) => fold(name) === wanted)
  if (exact.length || !mayBePart) return exact
  return found.filter(({ name }) => ` ${fold(name)} `.includes(` ${wanted} `))
}

/**
 * A question in words: one of those that owners ask, when every word of it was read; else rows, measures and filters.
 * Where a word was not read in either way, the nearest questions come with it, and none is chosen.
 */
export async function readSaid(ctx: Ctx, said: string): Promise<Understood> {
  const { reading, nearest, unread } = readAnswer(said, ctx.today)
  const mayAsk = (question: Question | null) => question === null || mayAskAbout(ctx.caller, question.fact)
  if (reading && mayAsk(reading.question))
    return {
      question: reading.question ?? firstQuestion('income'),
      names: {},
      unread: [],
      any: true,
      reading: placed(reading, ctx.today),
      nearest: [],
    }
  const facts = await readFacts(ctx, said)
  if (facts.any && facts.unread.length === 0) return { ...facts, reading: null, nearest: [] }
  return {
    ...facts,
    unread:
      facts.any || facts.unread.some(({ why }) => why === 'notYours')
        ? facts.unread
        : unread.map((one) => ({ ...one, why: 'unknown' as const })),
    reading: null,
    nearest: nearest.filter((one) => mayAsk(one.question)).map((one) => placed(one, ctx.today)),
  }
}

/**
 * The text of a question, with its names looked up among the records of the business. A name that matches nobody, or
 * several, is reported and not chosen.
 */
async function readFacts(ctx: Ctx, said: string): Promise<Omit<Understood, 'reading' | 'nearest'>> {
  const { question, named, unread, any } = understand(said, ctx.today)
  const left: Unread[] = []
  if (!mayAskAbout(ctx.caller, question.fact)) {
    return {
      question,
      names: {},
      unread: [...unread, { from: 0, to: said.length, text: said, why: 'notYours' }],
      any,
    }
  }
  const dimensions = factNamed(question.fact).dimensions.filter((name) => lookUp[name])
  for (const one of named) await place(one)
  // Unknown words may be a name: as many of them as match one, the longest first.
  for (const run of runsOf(unread, said)) await placeRun(run)
  return {
    question,
    names: await filterNames(ctx, question),
    unread: left.sort((a, b) => a.from - b.from),
    any: any || question.filters.length > 0,
  }

  async function place({ name, dimension, ...stretch }: Named): Promise<void> {
    if (dimension && !dimensions.includes(dimension)) return void left.push({ ...stretch, why: 'notHere' })
    const found: { dimension: DimensionName; known: Known }[] = []
    for (const one of dimension ? [dimension] : dimensions)
      found.push(
        ...(await matching(ctx, one, name, dimension !== null)).map((known) => ({ dimension: one, known })),
      )
    if (found.length !== 1)
      return void left.push({ ...stretch, why: found.length ? 'severalRecords' : 'noRecord' })
    put(question, found[0]!.dimension, found[0]!.known.id)
  }

  async function placeRun(run: Unread[]): Promise<void> {
    for (let at = 0; at < run.length;) {
      let taken = 0
      for (let length = Math.min(6, run.length - at); length > 0 && !taken; length--) {
        if (run[at]!.why !== 'unknown') break
        const text = said.slice(run[at]!.from, run[at + length - 1]!.to)
        const found = await byItself(text)
        if (!found) continue
        put(question, found.dimension, found.known.id)
        taken = length
      }
      if (!taken) left.push(run[at]!)
      at += taken || 1
    }
  }

  async function byItself(text: string): Promise<{ dimension: DimensionName; known: Known } | undefined> {
    // 'לחיפה', 'מכהן': the name without what is written onto it, when it is not a name with it.
    for (const { word } of formsOf(fold(text))) {
      if (word.length < 2) continue
      const found: { dimension: DimensionName; known: Known }[] = []
      for (const dimension of dimensions)
        found.push(...(await matching(ctx, dimension, word, false)).map((known) => ({ dimension, known })))
      if (found.length === 1) return found[0]
      if (found.length > 1) return undefined
    }
    return undefined
  }
}

/** Stretches that stand side by side. */
function runsOf(unread: readonly Unread[], said: string): Unread[][] {
  const runs: Unread[][] = []
  for (const one of unread) {
    const last = runs.at(-1)
    if (last && said.slice(last.at(-1)!.to, one.from).trim() === '') last.push(one)
    else runs.push([one])
  }
  return runs
}

function put(question: Question, dimension: DimensionName, value: string): void {
  const same = question.filters.find((one) => one.kind === 'is' && one.dimension === dimension && !one.not)
  if (same?.kind === 'is') {
    if (!same.values.includes(value)) same.values.push(value)
  } else question.filters.push({ kind: 'is', dimension, values: [value] })
}
