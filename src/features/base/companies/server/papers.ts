import { sql } from 'kysely'
import type { z } from 'zod'
import { fail, failField } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { addPaper as add, changePaper as change, CompanyPaper } from '../endpoints.ts'

const entity = 'companyPapers'

export async function listPapers(ctx: Ctx): Promise<{ rows: CompanyPaper[] }> {
  const { rows } =
    await sql<CompanyPaper>`select p.id, p.kind, p.name, p.valid_from as "validFrom", p.valid_to as "validTo",
        p.rate_bp as "rateBp",
      (select count(*)::int from file_links l where l.company_id = p.company_id and l.entity = ${entity}
      and l.entity_id = p.id) as files
    from company_papers p where p.company_id = ${ctx.companyId} order by p.valid_to desc, p.id`.execute(
      ctx.tx,
    )
  return { rows }
}

async function onePaper(ctx: Ctx, id: string): Promise<CompanyPaper> {
  const found = (await listPapers(ctx)).rows.find((row) => row.id === id)
  if (!found) throw fail('kit.notFound')
  return found
}

function check({ kind, validFrom, validTo, rateBp }: z.output<typeof add.input>): number | null {
  if (validTo < validFrom) throw failField('validTo', 'fields.dayOrder')
  if (kind === 'withholding' && rateBp === null) throw failField('rateBp', 'fields.need')
  return kind === 'withholding' ? rateBp : null
}

export async function addPaper(ctx: Ctx, given: z.output<typeof add.input>): Promise<CompanyPaper> {
  const rate = check(given)
  const id = newId()
  await sql`insert into company_papers (company_id, id, kind, name, valid_from, valid_to, rate_bp)
    values (${ctx.companyId}, ${id}, ${given.kind}, ${given.name}, ${given.validFrom}, ${given.validTo},
      ${rate})`.execute(ctx.tx)
  await ctx.audit('companies.addPaper', entity, id, undefined, given)
  return onePaper(ctx, id)
}

export async function changePaper(
  ctx: Ctx,
  { id, ...given }: z.output<typeof change.input>,
): Promise<CompanyPaper> {
  const rate = check(given)
  const before = await onePaper(ctx, id)
  await sql`update company_papers set kind = ${given.kind}, name = ${given.name},
      valid_from = ${given.validFrom}, valid_to = ${given.validTo},
    rate_bp = ${rate}, updated_at = now() where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('companies.changePaper', entity, id, before, given)
  return onePaper(ctx, id)
}

/** The scan stays among the files; what hangs on nothing any more can be removed there. */
export async function dropPaper(ctx: Ctx, { id }: { id: string }) {
  const before = await onePaper(ctx, id)
  await sql`delete from file_links where company_id = ${ctx.companyId} and entity = ${entity}
      and entity_id = ${id}`.execute(ctx.tx)
  await sql`delete from company_papers where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
  await ctx.audit('companies.dropPaper', entity, id, before)
  return { done: true as const }
}
