import { sql } from 'kysely'
import { implement } from '#kit/server/contract/implement.ts'
import { oneRow } from '#kit/server/data/lists.ts'
import { serveResource, type ServedResource } from '#kit/server/described/resources.ts'
import { resendMessage } from '../endpoints.ts'
import { readableKinds } from '../kinds.ts'
import { messages } from '../messages.ts'
import '../rules.ts'
import './limit.ts'
import { resend } from './resend.ts'

const served: ServedResource = {
  resource: messages,
  // The texts hold the links by which their receivers sign, pay and book.
  secret: true,
  verbs: ['list', 'get', 'export'],
  noArchive: true,
  // A message is for people who may see its content: its text has amounts, and its attachments are sent along when it
  // is sent again.
  only: ({ caller }) => {
    const kinds = readableKinds(caller)
    const ofType = sql`d.type = any(${caller.docsAllow}::int[])`
    return [
      ...(kinds ? [sql<boolean>`t.kind = any(${kinds}::text[])`] : []),
      ...(caller.docsAllow.length
        ? [
            sql<boolean>`(t.document_id is null
                or exists (select 1 from documents d where d.company_id = t.company_id
                and d.id = t.document_id and ${ofType}))`,
            sql<boolean>`not exists (select 1 from letters l join documents d on d.company_id = l.company_id
                and d.id = l.document_id
              where l.company_id = t.company_id and l.id = t.letter_id and not ${ofType})`,
          ]
        : []),
    ]
  },
  keptFrom: ({ caller }) => (caller.hideTotalPrices ? ['subject', 'body'] : []),
  compute: {
    attachments: sql`(select string_agg(a->>'name', ', ') from jsonb_array_elements(t.attachments) a)`,
  },
  refNames: {
    documentId: sql`(select d.number::text from documents d where d.company_id = t.company_id
        and d.id = t.document_id)`,
    letterId: sql`(select l.title from letters l where l.company_id = t.company_id and l.id = t.letter_id
        and not l.names_sums)`,
    outsideId: sql`(select o.name from outside_documents o where o.company_id = t.company_id
        and o.id = t.outside_id)`,
  },
  search: (q, { caller }) => {
    const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
    return caller.hideTotalPrices
      ? sql`t.recipient ilike ${pattern}`
      : sql`(t.recipient ilike ${pattern} or t.subject ilike ${pattern})`
  },
}

export const implementations = [
  ...serveResource(served),
  implement(resendMessage, async (ctx, given) => {
    // What a person may not see the person may not send.
    await oneRow(ctx, served, given.id)
    return resend(ctx, given)
  }),
]
