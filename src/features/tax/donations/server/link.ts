import { sql } from 'kysely'
import type { App, Ctx } from '#kit/server/context.ts'
import { authorityLink } from '#features/tax/allocation/server/index.ts'
import type { Connection } from '../endpoints.ts'
import type { DonationsAuthority } from './authority.ts'
import { realDonations } from './real.ts'
import { donationsSimulator } from './simulator.ts'

const doorOf = (
  { settings: { donations } }: Pick<App, 'settings'>,
  isTest: boolean,
): DonationsAuthority | undefined =>
  isTest
    ? donationsSimulator
    : donations.mode === 'off'
      ? undefined
      : donations.mode === 'simulator'
        ? donationsSimulator
        : realDonations(donations)

/** The business at Donations Israel. */
export const link = authorityLink({
  service: 'donations',
  feature: 'donations',
  path: '/taxdonation',
  doorOf,
  onConnected: ['donations.askWaiting'],
})

export async function connectionOf(ctx: Ctx): Promise<Connection> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from donation_reports
    where company_id = ${ctx.companyId} and state in ('waiting', 'away')`.execute(ctx.tx)
  return { ...(await link.stateOf(ctx)), waiting: rows[0]!.waiting }
}
