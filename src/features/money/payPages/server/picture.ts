import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import type { Ctx } from '#kit/server/context.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { imageKind, imageSize } from '#kit/server/paper/image.ts'
import type { PageAnswer } from '../endpoints.ts'
import { pageOf, showPage } from './store.ts'

const smallest = 40
const largest = 4000

export async function setPicture(
  ctx: Ctx,
  { id, image }: { id: string; image: string },
): Promise<PageAnswer> {
  await pageOf(ctx, id, true)
  const bytes = Buffer.from(image.replace(/^data:image\/\w+;base64,/, ''), 'base64')
  const kind = imageKind(bytes)
  const size = imageSize(bytes)
  if (
    !kind ||
    !size ||
    bytes.length > 2_800_000 ||
    [size.width, size.height].some((side) => side < smallest || side > largest)
  )
    throw fail('payPages.badImage', { smallest, largest })
  await sql`insert into pay_page_pictures (company_id, page_id, mime, bytes)
    values (${ctx.companyId}, ${id}, ${kind === 'png' ? 'image/png' : 'image/jpeg'}, ${bytes})
    on conflict (company_id, page_id) do update set mime = excluded.mime, bytes = excluded.bytes,
      updated_at = now()`.execute(ctx.tx)
  await ctx.audit('payPages.setPicture', 'payPages', id)
  return showPage(ctx, id)
}

export async function dropPicture(ctx: Ctx, id: string): Promise<PageAnswer> {
  await pageOf(ctx, id, true)
  await sql`delete from pay_page_pictures where company_id = ${ctx.companyId} and page_id = ${id}`.execute(
    ctx.tx,
  )
  await ctx.audit('payPages.dropPicture', 'payPages', id)
  return showPage(ctx, id)
}

export async function getPicture(ctx: Ctx, id: string): Promise<FileAnswer> {
  const { rows } = await sql<{ mime: string; bytes: Buffer }>`select mime, bytes from pay_page_pictures
    where company_id = ${ctx.companyId} and page_id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { ...rows[0], name: rows[0].mime === 'image/png' ? 'picture.png' : 'picture.jpg', inline: true }
}
