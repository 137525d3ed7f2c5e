import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/context.ts'
import { registerMailbox, type Letter } from '#kit/server/outside/mailboxes.ts'
import { hear } from './served.ts'

const letters = 'abcdefghijklmnopqrstuvwxyz234567'
/** 130 bits: nobody comes upon another's address. */
export const newMailToken = (): string => [...randomBytes(26)].map((byte) => letters[byte & 31]).join('')

interface SettingsRow {
  mail_token: string | null
  mail_on: boolean
  archive_months: number | null
}

export async function settingsOf(ctx: Ctx) {
  const { rows } = await sql<SettingsRow>`select mail_token, mail_on, archive_months from contact_settings
      where company_id = ${ctx.companyId}`.execute(ctx.tx)
  const { mailIn } = ctx.app.settings
  return {
    address: rows[0]?.mail_token ? `${rows[0].mail_token}@${mailIn.domain}` : null,
    mailOn: rows[0]?.mail_on ?? false,
    receiving: mailIn.port !== undefined,
    archiveMonths: rows[0]?.archive_months ?? null,
  }
}

export async function changeSettings(
  ctx: Ctx,
  given: { mailOn?: boolean | undefined; renew: boolean; archiveMonths?: number | null | undefined },
) {
  const before = await settingsOf(ctx)
  const on = given.mailOn ?? before.mailOn
  const token = given.renew || (on && !before.address) ? newMailToken() : null
  const months = given.archiveMonths === undefined ? before.archiveMonths : given.archiveMonths
  await sql`insert into contact_settings (company_id, mail_token, mail_on, archive_months)
    values (${ctx.companyId}, ${token}, ${on}, ${months})
    on conflict (company_id) do update
    set mail_token = coalesce(excluded.mail_token, contact_settings.mail_token), mail_on = excluded.mail_on,
      archive_months = excluded.archive_months`.execute(ctx.tx)
  // The address stays out of the log: the person who has it can write into the business's book.
  await ctx.audit(
    'interactions.settings',
    'companies',
    ctx.companyId,
    { mailOn: before.mailOn, archiveMonths: before.archiveMonths },
    { mailOn: on, renew: given.renew, archiveMonths: months },
  )
  return settingsOf(ctx)
}

/** From whom a letter is: of one that somebody of the business forwarded, whom it quotes. */
export async function writerOf(
  ctx: Ctx,
  letter: Letter,
): Promise<{ address: string; name: string; isOurs: boolean }> {
  const { rows } = await sql`select 1 from memberships m join users u on u.id = m.user_id
      where m.company_id = ${ctx.companyId} and m.removed_at is null
        and u.email = ${letter.from.address} and u.email_verified_at is not null`.execute(ctx.tx)
  const isOurs = rows.length > 0
  // "From: Dana <dana@example.com>", in the languages mail programs forward in.
  const quoted =
    /^[ \t>*]*(?:from|מאת|от|de|من)[ \t]*:[ \t*]*([^\n<]{0,200})<([^\s<>@]{1,64}@[^\s<>@]{1,255})>/imu.exec(
      letter.text.slice(0, 5000),
    )
  if (isOurs && quoted)
    return { address: quoted[2]!.toLowerCase(), name: quoted[1]!.replace(/["*]/g, '').trim(), isOurs: false }
  return { ...letter.from, isOurs }
}

/** The owner of this address: a customer, one of their contacts, or an open lead. */
export async function whoHas(
  ctx: Ctx,
  address: string,
): Promise<{ customerId: string | null; leadId: string | null }> {
  const { rows } = await sql<{ customerId: string | null; leadId: string | null }>`
    select * from (
      select coalesce(p.merged_into, p.id) as "customerId", null::uuid as "leadId", 0 as n, p.created_at
      from parties p
        where p.company_id = ${ctx.companyId} and p.role = 'customer' and p.email = ${address}
      union all select c.party_id, null, 1, c.created_at from customer_contacts c
      where c.company_id = ${ctx.companyId} and c.email = ${address} and c.archived_at is null
      union all select l.customer_id, l.id, 2, l.created_at from leads l where l.company_id = ${ctx.companyId}
        and l.email = ${address} and l.archived_at is null
    ) found order by n, created_at desc limit 1`.execute(ctx.tx)
  return rows[0] ?? { customerId: null, leadId: null }
}

registerMailbox({
  companyOf: async (app, token) => {
    const { rows } = await sql<{
      id: string
    }>`select company_id as id from contact_settings where mail_token = ${token} and mail_on`.execute(
      app.db.kysely,
    )
    return rows[0]?.id
  },
  // Filed under its sender; an email from an unknown sender is listed without a customer, for a person to file.
  take: async (ctx, _token, letter) => {
    const writer = await writerOf(ctx, letter)
    const { customerId, leadId } = await whoHas(ctx, writer.address)
    await hear(ctx, {
      customerId,
      leadId,
      channel: 'mail',
      direction: writer.isOurs ? 'out' : 'in',
      text: [letter.subject, letter.text].filter(Boolean).join('\n\n'),
      sender: writer.name ? `${writer.name} <${writer.address}>` : writer.address,
      messageId: letter.messageId ?? null,
    })
  },
})
