import { FileText } from 'lucide-react'
import { statusFacts } from '#domain/documents/facts.ts'
import { formatDay, formatMoney, currencySign } from '#domain/format.ts'
import { call } from '#kit/web/calls/call.ts'
import { callsOf } from '#kit/web/screens/resources.ts'
import type { Found } from '#kit/web/shell/registry.ts'
import { makeWords } from '#kit/web/words/words.tsx'
import { wordingNow } from '#kit/web/words/wording.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { documents, type DocumentRow } from '../../documents.ts'
import { editorPath, pagePath } from '../../types/index.ts'
import { documentName } from '../words.ts'

/** Documents for the palette, newest first. */
export async function findDocuments(query: string, signal: AbortSignal): Promise<Found[]> {
  const { rows } = await call(callsOf(documents).list, { q: query, size: 10 }, { signal, quiet: true })
  const { lang, dic } = wordingNow()
  const t = makeWords(lang, dic ?? {})
  return (rows as unknown as DocumentRow[]).slice(0, 6).map((row) => ({
    key: row.id,
    label: `${documentName(t, row.type, row.number, row.label)}${row.customerIdName ? ` · ${row.customerIdName}` : ''}`,
    icon: FileText,
    hint:
      row.totalAgorot === null
        ? formatDay(row.day)
        : `${formatDay(row.day)} · ${currencySign(row.currency)}${formatMoney(row.totalAgorot)}`,
    href:
      statusFacts(row.status).isDraft && mayDo(session(), 'documents.draft')
        ? editorPath(row.type, row.id)
        : pagePath(row.type, row.id),
  }))
}
