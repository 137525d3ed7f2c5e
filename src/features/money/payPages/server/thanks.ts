import { createHmac } from 'node:crypto'
import type { Ctx } from '#kit/server/context.ts'
import { pageOf, type StoredPage } from './store.ts'

/**
 * What a page signs its address of thanks by: of each page its own, kept nowhere, and the same whenever it is
 * asked for.
 */
const keyOf = ({ app, companyId }: Ctx, pageId: string): string =>
  createHmac('sha256', app.secrets.mac).update(`thanks:${companyId}:${pageId}`).digest('base64url')

/** For the developer of the site that receives the notice. */
export async function thanksKey(ctx: Ctx, { id }: { id: string }): Promise<{ signingKey: string }> {
  await pageOf(ctx, id)
  return { signingKey: keyOf(ctx, id) }
}

/**
 * The address of thanks with what became of a payment: its purchase, state, sum in agorot and the moment in
 * seconds, and under `sig` the HMAC-SHA256 of these four as they stand (`purchase=…&state=…&sum=…&at=…`), in
 * hexadecimal. The payer's own browser carries it: what is not signed by us is not believed.
 */
export function thanksOf(
  ctx: Ctx,
  page: StoredPage,
  told: { purchase: string; state: string; sum: number },
): string {
  const to = new URL(page.thanks_url)
  const said = Object.entries({ ...told, at: Math.floor(ctx.now.getTime() / 1000) })
  for (const [name, value] of said) to.searchParams.set(name, String(value))
  const text = said.map(([name, value]) => `${name}=${value}`).join('&')
  to.searchParams.set('sig', createHmac('sha256', keyOf(ctx, page.id)).update(text).digest('hex'))
  return to.href
}
