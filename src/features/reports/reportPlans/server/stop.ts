import { sql } from 'kysely'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import type { OpenCtx } from '#kit/server/context.ts'
import { insideOf, rowOfKey } from '#kit/server/http/pageKeys.ts'
import { companyOf, faceOf } from '#features/base/companies/server/index.ts'
import type { stopFace } from '../endpoints.ts'

/** The report that the link of an email unsubscribes from. It shows its title and none of its content. */
const rowOf = (ctx: OpenCtx, key: string) =>
  rowOfKey(
    ctx,
    sql<{
      company_id: string
      id: string
      plan_id: string
      title: string
      language: string
      stopped: boolean
    }>`select r.company_id, r.id, r.plan_id, p.title,
        coalesce(u.language, a.language) as language, r.stopped_at is not null as stopped
      from report_plan_people r join report_plans p on p.company_id = r.company_id and p.id = r.plan_id left
      join users u on u.id = r.user_id
        left join accountants a on a.company_id = r.company_id and a.id = r.accountant_id
        where r.stop_key = ${key}`,
  )

export async function faceOfStop(ctx: OpenCtx, key: string): Promise<OutputOf<typeof stopFace>> {
  const { company_id, title, language, stopped } = await rowOf(ctx, key)
  const business = await insideOf(ctx, company_id, async (inside) => faceOf(await companyOf(inside)))
  return { ...business, title, language, hasStopped: stopped }
}

export async function stopBy(
  ctx: OpenCtx,
  key: string,
  stopped: boolean,
): Promise<OutputOf<typeof stopFace>> {
  const row = await rowOf(ctx, key)
  return insideOf(ctx, row.company_id, async (inside) => {
    await sql`update report_plan_people set stopped_at = case when ${stopped} then coalesce(stopped_at, now())
        end
      where company_id = ${row.company_id} and id = ${row.id}`.execute(inside.tx)
    await inside.audit(
      stopped ? 'reportPlans.stop' : 'reportPlans.goOn',
      'report_plans',
      row.plan_id,
      undefined,
      { title: row.title },
    )
    return {
      ...faceOf(await companyOf(inside)),
      title: row.title,
      language: row.language,
      hasStopped: stopped,
    }
  })
}
