import { sql } from 'kysely'
import { fail } from '#kit/describe/errors.ts'
import { newId, type Ctx } from '#kit/server/context.ts'
import type { Tx } from '#kit/server/data/db.ts'
import type { FileAnswer } from '#kit/server/contract/implement.ts'
import { kindOf, named } from '#features/base/files/server/index.ts'
import { mostTicketFiles, type Ticket } from '../endpoints.ts'

/** The files that were added to a ticket, in the order they came. */
export async function filesIn(tx: Tx, companyId: string, ticketId: string): Promise<Ticket['files']> {
  const { rows } = await sql<
    Ticket['files'][number]
  >`select id, name, mime, length(bytes) as size from ticket_files
    where company_id = ${companyId} and ticket_id = ${ticketId} order by created_at, id`.execute(tx)
  return rows
}

/** Keeps a file of a ticket as it is; what it is its bytes say, and nothing a browser could run is taken. */
export async function addFile(
  ctx: Ctx,
  ticketId: string,
  given: { name: string; bytes: Uint8Array },
): Promise<void> {
  const { rows } = await sql<{
    state: string
    files: number
  }>`select state, (select count(*)::int from ticket_files f
      where f.company_id = t.company_id and f.ticket_id = t.id) as files
    from tickets t where company_id = ${ctx.companyId} and id = ${ticketId} for update`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  if (rows[0].state === 'closed') throw fail('support.isClosed')
  if (rows[0].files >= mostTicketFiles) throw fail('support.tooManyFiles', { most: mostTicketFiles })
  const bytes = Buffer.from(given.bytes)
  const kind = bytes.length ? kindOf(bytes, given.name) : undefined
  if (!kind) throw fail('support.badFile')
  await sql`insert into ticket_files (company_id, ticket_id, id, name, mime, bytes)
    values (${ctx.companyId}, ${ticketId}, ${newId()}, ${named(given.name, kind.extension)}, ${kind.mime},
      ${bytes})`.execute(ctx.tx)
}

/** The bytes of one; always saved and never shown by the browser, wherever it came from. */
export async function fileIn(ctx: Ctx, ticketId: string, id: string): Promise<FileAnswer> {
  const { rows } = await sql<{
    bytes: Buffer
    mime: string
    name: string
  }>`select bytes, mime, name from ticket_files
    where company_id = ${ctx.companyId} and ticket_id = ${ticketId} and id = ${id}`.execute(ctx.tx)
  if (!rows[0]) throw fail('kit.notFound')
  return { ...rows[0], inline: false }
}
