import { sql } from 'kysely'
import { serveResource } from '../../../kit/server/resources.ts'
import { messages } from '../messages.ts'

export const implementations = serveResource({
  resource: messages,
  verbs: ['list', 'get', 'export'],
  noArchive: true,
  refNames: { documentId: sql`(select d.number::text from documents d where d.company_id = t.company_id and d.id = t.document_id)` },
  search: (q) => sql`(t.recipient ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`} or t.subject ilike ${`%${q.replace(/[\\%_]/g, '\\$&')}%`})`,
})
