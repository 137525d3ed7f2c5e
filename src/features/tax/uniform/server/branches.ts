import { sql } from 'kysely'
import { inCodePage } from '#domain/filings/uniform/charset.ts'
import type { Ctx } from '#kit/server/context.ts'
import { isIssued } from '#kit/server/data/documentFacts.ts'

/** The branch of what names none, in a file of a business with branches. */
const mainBranch = '0'
const longest = 7

/** What the file calls a branch; '' and null are what names none. */
export type BranchOf = (name: string | null) => string

/**
 * The file has seven characters for a branch, and numbers are unique within it: names that begin alike get a number
 * at the end. The order is that of their first documents, so that a branch has the same name in every file.
 */
export async function branchCodes(ctx: Ctx, hasBranches: boolean): Promise<BranchOf> {
  const { rows } = await sql<{
    branch: string
  }>`select branch from documents where company_id = ${ctx.companyId} and ${isIssued()} and branch <> ''
    group by branch order by min(id::text)`.execute(ctx.tx)
  const codes = new Map<string, string>()
  const taken = new Set([mainBranch])
  for (const { branch } of rows) {
    const whole = inCodePage(branch).trim()
    let code = whole.slice(0, longest).trim()
    for (let n = 2; code === '' || taken.has(code); n++)
      code = `${whole.slice(0, longest - 1 - String(n).length)}-${n}`
    taken.add(code)
    codes.set(branch, code)
  }
  return (name) => (name ? (codes.get(name) ?? name.slice(0, longest)) : hasBranches ? mainBranch : '')
}
