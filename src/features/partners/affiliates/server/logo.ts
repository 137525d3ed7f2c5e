import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { forgetBrands } from '#kit/server/outside/brands.ts'
import type { Ctx, OpenCtx } from '#kit/server/context.ts'
import { readIn } from '#kit/server/work/threads/read.ts'
import { asSystem } from '#kit/server/data/db.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { beOperator } from './operator.ts'
import type { readers } from './readers.ts'

const keep = async (
  ctx: Ctx,
  domain: string,
  picture: { width: number; height: number; bytes: Uint8Array } | undefined,
): Promise<void> => {
  // Brands belong to the installation and lie outside of every business.
  await asSystem(ctx.app.db, async (tx) => {
    const { rows } = await sql`update brands set logo = ${
      picture
        ? `/api/user/brandlogo?domain=${encodeURIComponent(domain)}&of=${ctx.now.getTime().toString(36)}`
        : ''
    }, icon_logo = '' where domain = ${domain} and is_dealer returning 1`.execute(tx)
    if (!rows.length) throw fail('kit.notFound')
    if (picture)
      await sql`insert into brand_logos (domain, width, height, bytes)
        values (${domain}, ${picture.width}, ${picture.height}, ${Buffer.from(picture.bytes)})
        on conflict (domain) do update set width = excluded.width, height = excluded.height,
          bytes = excluded.bytes, updated_at = now()`.execute(tx)
    else await sql`delete from brand_logos where domain = ${domain}`.execute(tx)
  })
  forgetBrands(ctx.app)
}

export async function setBrandLogo(ctx: Ctx, { domain, bytes }: { domain: string; bytes: Uint8Array }) {
  beOperator(ctx)
  await keep(ctx, domain, await readIn<typeof readers>()('affiliates.logo', { bytes }))
  await ctx.audit('affiliates.brandLogo', 'affiliates', null, undefined, { domain })
  return { done: true as const }
}

export async function dropBrandLogo(ctx: Ctx, { domain }: { domain: string }) {
  beOperator(ctx)
  await keep(ctx, domain, undefined)
  await ctx.audit('affiliates.brandLogo', 'affiliates', null, undefined, { domain })
  return { done: true as const }
}

/** For the person who opens the domain, before anybody logs in. */
export async function brandLogo(ctx: OpenCtx, { domain }: { domain: string }): Promise<FileAnswer> {
  const { rows } = await sql<{
    bytes: Buffer
  }>`select l.bytes from brand_logos l join brands b on b.domain = l.domain
    where b.domain = ${domain.toLowerCase()} and b.is_dealer`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { bytes: rows[0].bytes, mime: 'image/png', name: 'logo.png', inline: true }
}
