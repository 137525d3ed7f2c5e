import { sql } from 'kysely'
import { faultsOf, type Question } from '#domain/questions/model.ts'
import { fail } from '#kit/describe/errors.ts'
import { isUnlimited } from '#kit/describe/session.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { OwnReports } from '#kit/server/described/serveReports.ts'
import { questionValue, type Kept } from '../endpoints.ts'
import { isHiddenFrom, mayAskAbout } from '../rights.ts'
import { reportOf } from './asReport.ts'
import { checkQuestion } from './run.ts'

interface Row {
  id: string
  name: string
  asked: unknown
  forEverybody: boolean
  madeById: string
  madeBy: string
  updatedAt: string
}

/**
 * Questions the caller saved, and those shared with everybody; of these only the ones the caller may ask and that
 * show no amounts the caller may not see. One the model no longer knows is left where it is.
 */
async function keptFor(ctx: Ctx, id?: string): Promise<Kept[]> {
  const { rows } =
    await sql<Row>`select q.id, q.name, q.asked, q.for_everybody as "forEverybody", q.made_by as "madeById",
        u.full_name as "madeBy", q.updated_at as "updatedAt"
    from questions q join users u on u.id = q.made_by
    where q.company_id = ${ctx.companyId} and (q.for_everybody or q.made_by = ${ctx.caller.userId})
      ${id ? sql`and q.id = ${id}` : sql``}
    order by lower(q.name), q.id`.execute(ctx.tx)
  return rows.flatMap(({ asked, madeById, ...row }) => {
    const read = questionValue.safeParse(asked)
    if (
      !read.success ||
      faultsOf(read.data).length ||
      !mayAskAbout(ctx.caller, read.data.fact) ||
      isHiddenFrom(ctx.caller, read.data)
    )
      return []
    const isMine = madeById === ctx.caller.userId
    return [{ ...row, question: read.data, isMine, mayChange: isMine || isUnlimited(ctx.caller.rules) }]
  })
}

export const listKept = (ctx: Ctx): Promise<Kept[]> => keptFor(ctx)

async function one(ctx: Ctx, id: string): Promise<Kept> {
  const [found] = await keptFor(ctx, id)
  if (!found) throw fail('kit.notFound')
  return found
}

async function toChange(ctx: Ctx, id: string): Promise<Kept> {
  const found = await one(ctx, id)
  if (!found.mayChange) throw fail('questions.notYours')
  return found
}

export async function keep(
  ctx: Ctx,
  { name, question, forEverybody }: { name: string; question: Question; forEverybody: boolean },
): Promise<Kept> {
  checkQuestion(ctx, question)
  const id = newId()
  await sql`insert into questions (company_id, id, name, asked, for_everybody, made_by)
    values (${ctx.companyId}, ${id}, ${name}, ${JSON.stringify(question)}, ${forEverybody},
      ${ctx.caller.userId})`.execute(ctx.tx)
  await ctx.audit('questions.keep', 'questions', id, undefined, { name, forEverybody })
  return one(ctx, id)
}

export interface Change {
  id: string
  name?: string | undefined
  question?: Question | undefined
  forEverybody?: boolean | undefined
}

export async function change(ctx: Ctx, { id, name, question, forEverybody }: Change): Promise<Kept> {
  const before = await toChange(ctx, id)
  if (question) checkQuestion(ctx, question)
  await sql`update questions set name = ${name ?? before.name},
      asked = ${JSON.stringify(question ?? before.question)},
      for_everybody = ${forEverybody ?? before.forEverybody}, updated_at = now()
      where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit(
    'questions.change',
    'questions',
    id,
    { name: before.name, forEverybody: before.forEverybody },
    { name, forEverybody },
  )
  // After withdrawing a question that somebody else shared with everybody, the caller no longer sees it either.
  const [after] = await keptFor(ctx, id)
  return (
    after ?? {
      ...before,
      name: name ?? before.name,
      question: question ?? before.question,
      forEverybody: false,
      mayChange: false,
    }
  )
}

export async function drop(ctx: Ctx, { id }: { id: string }): Promise<{ done: true }> {
  const before = await toChange(ctx, id)
  await sql`delete from questions where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('questions.drop', 'questions', id, { name: before.name })
  return { done: true }
}

/** The name a kept question has among reports: its id, which no declared report is called. */
const nameOf = (id: string): string => `q${id.replaceAll('-', '')}`
const idOf = (name: string): string | undefined =>
  /^q[0-9a-f]{32}$/.test(name)
    ? name.slice(1).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
    : undefined

const asReport = ({ id, name, question }: Kept) => reportOf(question, { name: nameOf(id), title: name, id })

/** Kept questions stand among the reports, and are opened, mailed and shared as they are. */
export const ownReports: OwnReports = {
  list: async (ctx) => (await keptFor(ctx)).map(asReport),
  find: async (ctx, name) => {
    const id = idOf(name)
    const [found] = id ? await keptFor(ctx, id) : []
    return found && asReport(found)
  },
}
