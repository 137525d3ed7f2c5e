import { sql } from 'kysely'
import type { z } from 'zod'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import { asSystem } from '#kit/server/data/db.ts'
import { moveSession } from '#features/base/session/server/index.ts'
import type {
  addCompany as add,
  MyCompany,
  myCompanies as list,
  switchCompany as move,
} from '../endpoints.ts'
import { openCompany } from './signUp.ts'

/** More are no mistake of a hand. */
export const mostCompanies = 100

type FindPlans = (
  ctx: Pick<Ctx, 'app'>,
  companyIds: readonly string[],
) => Promise<ReadonlyMap<string, string>>
let plansOf: FindPlans = () => Promise.resolve(new Map())

/** Reports the plan of businesses; registered by the feature that knows who pays for the product. */
export const registerPlans = (how: FindPlans): void => void (plansOf = how)

/** My businesses with what each has of the product. */
export async function companiesWithPlans(ctx: Ctx): Promise<z.output<typeof list.output>> {
  const { rows } = await myCompanies(ctx)
  const plans = await plansOf(
    ctx,
    rows.filter(({ demo }) => !demo).map(({ id }) => id),
  )
  return { rows: rows.map((row) => ({ ...row, plan: plans.get(row.id) ?? null })) }
}

/** A person's businesses lie outside of any one of them: read as the system, by that person's id only. */
const myCompanies = async (ctx: Ctx): Promise<{ rows: Omit<MyCompany, 'plan'>[] }> => ({
  rows: await asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<
      Omit<MyCompany, 'plan'>
    >`select c.id, c.client_number as number, c.name, c.kind, c.tax_id as "taxId", c.demo,
        c.test_of is not null as test,
        m.type_id as "TypeID", m.sub_type_id as "subTypeID", m.seen_at as "usedAt",
        c.id = ${ctx.companyId} as current,
        array(select p.plugin_id::int from company_modules p
        where p.company_id = c.id and (p.ends_on is null or p.ends_on >= ${ctx.today}) order by 1) as modules
      from memberships m join companies c on c.id = m.company_id
      where m.user_id = ${ctx.caller.userId} and m.blocked_at is null and m.removed_at is null
      order by c.name, c.id`.execute(tx)
    return rows
  }),
})

/** Creates a further business of a person; the person owns it, whatever their role in the first. */
export async function addCompany(ctx: Ctx, given: z.output<typeof add.input>): Promise<{ id: string }> {
  const { caller } = ctx
  const known = await myCompanies(ctx)
  if (known.rows.length >= mostCompanies) throw fail('companies.tooMany', { most: mostCompanies })
  if (known.rows.some((one) => one.taxId === given.taxId && one.TypeID === 4))
    throw failField('taxId', 'companies.alreadyMine')
  const id = await asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql<{
      email: string
      phone: string
    }>`select email, phone from users where id = ${caller.userId}`.execute(tx)
    const made = await openCompany(
      { tx },
      { ...given, ...rows[0]!, language: caller.language },
      caller.userId,
    )
    await sql`insert into audit_log (company_id, id, user_id, address, action, entity, entity_id, after)
      values (${made}, ${newId()}, ${caller.userId}, ${ctx.address}, 'companies.signUp', 'companies', ${made},
        ${JSON.stringify({ name: given.name })})`.execute(tx)
    return made
  })
  setImmediate(ctx.app.nudge)
  return { id }
}

/** Works in another business from now on; a stranger's is not there. */
export async function switchCompany(ctx: Ctx, { id }: { id: string }): Promise<z.input<typeof move.output>> {
  const session = await asSystem(ctx.app.db, (tx) =>
    moveSession(tx, ctx.caller.sessionId, ctx.caller.userId, id),
  )
  if (!session) throw fail('kit.notFound')
  return session
}
