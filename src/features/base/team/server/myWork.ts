import { sql } from 'kysely'
import { labelOf, type PaperLabel } from '#domain/documents/kinds.ts'
import { can } from '#kit/describe/session.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isDraft, isIssued, signed } from '#kit/server/data/documentFacts.ts'
import { deedsOf } from './activity.ts'

interface Paper {
  id: string
  type: number
  number: number
  label: PaperLabel | null
  customer: string
  totalAgorot: number
  currency: string
  at: string
}

const few = 8

/** The worker's page: open drafts, issued documents, other actions. */
export async function myWork(ctx: Ctx) {
  const { userId } = ctx.caller
  const papers = async (draft: boolean): Promise<Paper[]> => {
    if (!can(ctx.caller, 'documents.see')) return []
    const { rows } = await sql<
      Omit<Paper, 'label'> & { subType: number; pro: boolean }
    >`select id, type, sub_type as "subType", pro, coalesce(number, 0) as number,
        coalesce(customer->>'name', '') as customer,
        ${signed('', 'total_agorot')} as "totalAgorot", currency,
        coalesce(issued_at, updated_at) as at
      from documents where company_id = ${ctx.companyId}
        and ${
          draft
            ? sql`${isDraft()}
            and created_by =
            ${userId}`
            : sql`${isIssued()} and series not like '%#opening' and issued_by = ${userId}`
        }
        ${ctx.caller.docsAllow.length ? sql`and type = any(${ctx.caller.docsAllow}::int[])` : sql``}
      order by coalesce(issued_at, updated_at) desc limit ${few}`.execute(ctx.tx)
    return rows.map(({ subType, pro, ...paper }) => ({
      ...paper,
      label: labelOf({ type: paper.type, subType, pro }),
    }))
  }
  const done = await deedsOf(
    ctx,
    userId,
    [sql`split_part(a.action, '.', 1) not in ('session', 'documents')`],
    few,
  )
  return {
    drafts: (await papers(true)).map(({ number: _, ...draft }) => draft),
    issued: await papers(false),
    done: done.map(({ address: _, ...deed }) => deed),
  }
}
