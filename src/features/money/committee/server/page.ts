import { sql } from 'kysely'
import type { z } from 'zod'
import { fail } from '#kit/describe/errors.ts'
import { siteOf } from '#kit/server/outside/brands.ts'
import { type Ctx, type OpenCtx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { openPage } from '#kit/server/http/pageKeys.ts'
import { newToken } from '#kit/server/rights/vault.ts'
import { readFile } from '#features/base/files/server/index.ts'
import { companyOf, faceOf, getLogo, registerBusinessPage } from '#features/base/companies/server/index.ts'
import type * as calls from '../endpoints.ts'
import { balanceOf, debtsOf, leviesOf, spentOf } from './grid.ts'
import { houseOf, type House } from './house.ts'

type In<E extends { input: z.ZodType }> = z.output<E['input']>

registerBusinessPage('/vaadpage', {
  owner: (key) =>
    sql`select company_id from committee_buildings where page_key = ${key} and archived_at is null`,
  words: 'committee.pageFace',
  logo: (key) => `/api2/invoice/vaadpage/${key}/logo`,
})

const byKey = <T>(ctx: OpenCtx, key: string, work: (inside: Ctx, house: House) => Promise<T>): Promise<T> =>
  openPage(
    ctx,
    sql<{
      company_id: string
      id: string
    }>`select company_id, id from committee_buildings where page_key = ${key} and archived_at is null`,
    async (inside, { id }) => work(inside, await houseOf(inside, id)),
  )

/**
 * What all tenants may know of their house: amounts and documents, and of debts a number, unless the house decided
 * to show names.
 */
export const page = (ctx: OpenCtx, { key, year }: In<typeof calls.housePage>) =>
  byKey(ctx, key, async (inside, house) => {
    const company = await companyOf(inside)
    const of = year ?? Number(inside.today.slice(0, 4))
    const spent = await spentOf(inside, house.id, of)
    const { rows: came } = await sql<{
      month: string
      agorot: number
    }>`select date_trunc('month', y.day)::date as month, sum(y.agorot)::bigint as agorot
      from committee_payments y
        join committee_flats f on f.company_id = y.company_id and f.id = y.flat_id
      where y.company_id = ${inside.companyId} and f.building_id = ${house.id} and y.cancelled_at is null
        and y.day between ${`${of}-01-01`} and ${`${of}-12-31`} group by 1`.execute(inside.tx)
    const debts = await debtsOf(inside, house.id, inside.today)
    const until = of < Number(inside.today.slice(0, 4)) ? 12 : Number(inside.today.slice(5, 7))
    return {
      ...faceOf(company),
      language: company.language,
      house: house.name,
      address: house.address,
      treasurer: house.treasurer,
      year: of,
      firstYear: Number(house.openedOn.slice(0, 4)),
      balanceAgorot: await balanceOf(inside, house, inside.today),
      reserveAgorot: house.reserveAgorot,
      months: Array.from({ length: until }, (_, i) => {
        const month = `${of}-${String(i + 1).padStart(2, '0')}`
        return {
          month: `${month}-01`,
          cameAgorot: came.find((one) => one.month.startsWith(month))?.agorot ?? 0,
          wentAgorot: spent
            .filter((one) => one.day.startsWith(month))
            .reduce((sum, one) => sum + one.agorot, 0),
        }
      }),
      // Of whom something was bought is not said of private people: what it was is.
      spent: spent.map(({ day, said, type, agorot, files }) => ({ day, said: said || type, agorot, files })),
      levies: (await leviesOf(inside, house.id)).map(({ name, purpose, agorot, paidAgorot, decidedOn }) => ({
        name,
        purpose,
        agorot,
        paidAgorot,
        decidedOn,
      })),
      debts: {
        agorot: debts.reduce((sum, one) => sum + one.agorot, 0),
        flats: new Set(debts.map((one) => one.flatId)).size,
        names: house.namesDecision
          ? debts.map((one) => ({ flat: one.flat, name: one.payer ?? '', agorot: one.agorot }))
          : null,
      },
    }
  })

/** A paper of an expense of this very house, and no other file of the business. */
export const paper = (ctx: OpenCtx, { key, fileId }: In<typeof calls.housePaper>): Promise<FileAnswer> =>
  byKey(ctx, key, async (inside, house) => {
    const { rows } =
      await sql`select 1 from committee_expenses x join expenses e on e.company_id = x.company_id
          and e.id = x.expense_id and e.state not in ('cancelled', 'rejected', 'draft')
        join file_links l on l.company_id = x.company_id and l.entity = 'expenses'
          and l.entity_id = x.expense_id
      where x.company_id = ${inside.companyId} and x.building_id = ${house.id}
        and l.file_id = ${fileId}`.execute(inside.tx)
    if (!rows.length) throw fail('kit.notFound')
    return readFile(inside, fileId)
  })

export const logo = (ctx: OpenCtx, { key }: { key: string }): Promise<FileAnswer> => byKey(ctx, key, getLogo)

export async function setPage(
  ctx: Ctx,
  { id, on, renew, namesDecision }: In<typeof calls.setPage>,
): Promise<{ url: string | null }> {
  const house = await houseOf(ctx, id, true)
  const key = on ? (renew ? newToken() : (house.pageKey ?? newToken())) : null
  await sql`update committee_buildings
    set page_key = ${key}, names_decided_on = ${namesDecision ? ctx.today : null},
      names_decision = ${namesDecision}, updated_at = now()
    where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('committee.setPage', 'committeebuildings', id, undefined, { on, renew, namesDecision })
  return { url: key ? `${siteOf(ctx.app)}/vaadpage/${key}` : null }
}
