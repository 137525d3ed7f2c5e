import { sql } from 'kysely'
import type { OpenCtx } from '#kit/server/context.ts'

/** What calls itself a machine: crawlers, makers of previews, watchers, libraries. */
const machine =
  /bot\b|bot[/;) ]|crawl|spider|slurp|preview|scan|monitor|uptime|pingdom|lighthouse|headless|phantom|facebookexternalhit|whatsapp|telegram|skype|slack|discord|embed|feed|fetch|curl|wget|python|java\/|go-http|okhttp|axios|node|ruby|perl|libwww|httpclient/i

export const isMachine = (agent: string): boolean => agent.trim() === '' || machine.test(agent)

/**
 * Counts that a link was opened, for its day alone; of whom is never known. Links nobody has, and machines,
 * count nothing.
 */
export async function countView(ctx: OpenCtx, { data }: { data: string }) {
  if (!isMachine(ctx.agent))
    await sql`insert into affiliate_views as v (company_id, link_id, day)
      select l.company_id, l.id, ${ctx.today} from affiliate_links l
      where l.code = ${data.trim().toLowerCase()} and l.archived_at is null
      on conflict (company_id, link_id, day) do update set count = v.count + 1`.execute(ctx.tx)
  return { done: true as const }
}
