import type { App, Ctx } from '../context.ts'

const known = new Map<string, boolean>()
const mostKnown = 10_000

/**
 * Whether a business is for trying programs out: nothing that was made in it may leave. It is so from its
 * first moment and stays so, which is why the answer is remembered.
 */
export async function isTestBusiness(app: Pick<App, 'db'>, companyId: string): Promise<boolean> {
  const there = known.get(companyId)
  if (there !== undefined) return there
  const { rows } = await app.db.pool.query<{ test: boolean }>({
    name: 'is-test-business',
    text: 'select test_of is not null as test from companies where id = $1',
    values: [companyId],
  })
  if (!rows[0]) return false
  if (known.size >= mostKnown) known.clear()
  known.set(companyId, rows[0].test)
  return rows[0].test
}

export const inTestBusiness = ({ app, companyId }: Pick<Ctx, 'app' | 'companyId'>): Promise<boolean> =>
  isTestBusiness(app, companyId)
