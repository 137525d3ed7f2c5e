import { sql } from 'kysely'
import { terminalFor } from '#features/money/acquirers/server/index.ts'
import { registerPayDoor } from '#features/sales/signing/server/index.ts'
import { makeLink, urlOf } from './links.ts'

// A field of a signed paper that asks for a payment is paid by a link like any other.
registerPayDoor({
  isOn: async (ctx) => (await terminalFor(ctx)) !== undefined,
  open: async (ctx, { description, agorot, customerId, email, language, expiresOn }) => {
    const { id, url } = await makeLink(ctx, {
      description,
      amountAgorot: agorot,
      customerId,
      email,
      language,
      expiresOn,
    } as never)
    return { id, url }
  },
  find: async (ctx, id) => {
    const { rows } = await sql<{ state: string; key: string; over: boolean }>`select state, page_key as key,
        coalesce(expires_on < ${ctx.today}::date, false) as over
      from payment_links where company_id = ${ctx.companyId} and id = ${id}`.execute(ctx.tx)
    const [link] = rows
    const state = link?.state === 'paid' ? 'paid' : link?.state === 'open' && !link.over ? 'open' : 'over'
    return { state, url: link ? urlOf(ctx, link.key) : '' }
  },
})
