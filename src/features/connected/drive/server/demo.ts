import { sql } from 'kysely'
import { newId, type Ctx } from '#kit/server/context.ts'
import { isInvoice, isIssued } from '#kit/server/data/documentFacts.ts'
import { encrypt } from '#kit/server/rights/vault.ts'

/** A drive with what was copied of the last documents, one of which is still on its way. */
export async function showDrive(ctx: Ctx): Promise<void> {
  const id = newId()
  await sql`insert into drive_targets (company_id, id, kind, name, place, secret_sealed, what, state,
      last_done_at, created_by)
    values (${ctx.companyId}, ${id}, 'webdav', 'ענן המשרד',
      ${JSON.stringify({ address: 'https://files.example.com/pinkas/' })}::jsonb,
      ${encrypt(ctx.app.secrets.vault, Buffer.from(JSON.stringify({ user: 'office', password: 'not a real one' })))}, '{documents,expenses}', 'off', ${ctx.now}, ${ctx.caller.userId})`.execute(
    ctx.tx,
  )
  await sql`insert into drive_copies (company_id, target_id, entity, entity_id, state, path, size_bytes,
      tries, error, done_at)
    select company_id, ${id}, 'documents', id, case when n = 1 then 'failed' else 'done' end,
      to_char(day, 'YYYY/MM') || '/' || number || '.pdf', 48211 + n * 137,
      case when n = 1 then 8 else 1 end, case when n = 1 then 'HTTP 503' else '' end, case
      when n > 1 then now() end
    from (select *, row_number() over (order by day desc, id desc) as n from documents
    where company_id = ${ctx.companyId} and ${isIssued()} and ${isInvoice()}) d where n <= 12`.execute(ctx.tx)
}
