import { sql } from 'kysely'
import type { ServedResource } from '#kit/server/described/resources.ts'
import { acquirerDeals, acquirerDeposits } from '../settlements.ts'

const terminal = sql`(select coalesce(nullif(x.name, ''), x.gateway) from terminals x
  where x.company_id = t.company_id and x.id = t.terminal_id)`
const pattern = (q: string) => `%${q.replace(/[\\%_]/g, '\\$&')}%`

export const dealList: ServedResource = {
  resource: acquirerDeals,
  noArchive: true,
  compute: {
    day: sql`t.day`,
    terminal,
    uid: sql`nullif(t.uid, '')`,
    last4: sql`nullif(t.last4, '')`,
    toldAgorot: sql`t.told_agorot`,
    ownAgorot: sql`t.own_agorot`,
    differenceAgorot: sql`coalesce(t.told_agorot, 0) - coalesce(t.own_agorot, 0)`,
    note: sql`nullif(t.note, '')`,
    state: sql`t.state`,
  },
  extra: { chargeId: sql`t.charge_id` },
  search: (q) => sql`(t.uid ilike ${pattern(q)} or t.last4 = ${q} or t.note ilike ${pattern(q)})`,
}

export const depositList: ServedResource = {
  resource: acquirerDeposits,
  noArchive: true,
  compute: {
    day: sql`t.day`,
    terminal,
    externalId: sql`t.external_id`,
    netAgorot: sql`t.net_agorot`,
    feeAgorot: sql`t.fee_agorot`,
    feeVatAgorot: sql`t.fee_vat_agorot`,
    matchNumber: sql`(select m.number::text from matches m where m.company_id = t.company_id
        and m.id = t.match_id)`,
    state: sql`t.state`,
  },
  search: (q) => sql`t.external_id ilike ${pattern(q)}`,
}
