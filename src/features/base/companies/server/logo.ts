import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { imageKind, imageSize } from '#kit/server/paper/image.ts'

const smallest = 10
const largest = 2000

export async function setLogo(ctx: Ctx, { image }: { image: string }) {
  const bytes = Buffer.from(image.replace(/^data:image\/\w+;base64,/, ''), 'base64')
  const kind = imageKind(bytes)
  const size = imageSize(bytes)
  if (
    !kind ||
    !size ||
    bytes.length > 2_000_000 ||
    [size.width, size.height].some((side) => side < smallest || side > largest)
  )
    throw fail('companies.badImage', { smallest, largest })
  await sql`insert into logos (company_id, mime, bytes)
    values (${ctx.companyId}, ${kind === 'png' ? 'image/png' : 'image/jpeg'}, ${bytes})
    on conflict (company_id) do update set mime = excluded.mime, bytes = excluded.bytes,
      updated_at = now()`.execute(ctx.tx)
  await ctx.audit('companies.setLogo', 'companies', ctx.companyId)
  return { done: true as const }
}

export async function dropLogo(ctx: Ctx) {
  await sql`delete from logos where company_id = ${ctx.companyId}`.execute(ctx.tx)
  await ctx.audit('companies.dropLogo', 'companies', ctx.companyId)
  return { done: true as const }
}

export async function logoOf(
  ctx: Ctx,
): Promise<{ mime: 'image/jpeg' | 'image/png'; bytes: Buffer } | undefined> {
  const { rows } = await sql<{
    mime: 'image/jpeg' | 'image/png'
    bytes: Buffer
  }>`select mime, bytes from logos where company_id = ${ctx.companyId}`.execute(ctx.tx)
  return rows[0]
}

export async function getLogo(ctx: Ctx): Promise<FileAnswer> {
  const logo = await logoOf(ctx)
  if (!logo) throw fail('kit.notFound')
  return { ...logo, name: logo.mime === 'image/png' ? 'logo.png' : 'logo.jpg', inline: true }
}
