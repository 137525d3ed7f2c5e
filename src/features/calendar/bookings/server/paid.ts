import { sql } from 'kysely'
import { isLive } from '#kit/server/data/documentFacts.ts'

/** Over `b`: its paper is paid. */
export const paperIsPaid = sql`exists (select 1 from documents d where d.company_id = b.company_id
    and d.id = b.document_id and ${isLive('d')}
  and greatest(d.open_agorot, d.asked_agorot) <= 0)`
