import { FileStack, Files, Send, Stamp } from 'lucide-react'
import { statusFacts } from '#domain/documents/facts.ts'
import type { Screen } from '#kit/describe/screen.ts'
import { dressMore } from '#kit/web/screens/dress.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import type { Words } from '#kit/web/words/words.tsx'
import '#features/sales/documents/rules.ts'
import '../rules.ts'
import { openDeed } from './open.tsx'

export const screens: Screen[] = []

const may = (rule: string) => mayDo(session(), rule)
const most = 300

/** Opens the question, unless the choice holds nothing it could be about. */
function ask(t: Words, deed: 'issue' | 'send' | 'bundle' | 'each', rows: readonly AnyRow[]): void {
  const fit = rows.filter((row) => deed === 'each' || (deed === 'issue') === statusFacts(row.status).isDraft)
  if (fit.length > most) return void banner.error(t('documentJobs.tooMany'))
  if (!fit.length)
    return void banner.error(t(deed === 'issue' ? 'documentJobs.onlyDrafts' : 'documentJobs.onlyIssued'))
  openDeed(
    deed,
    fit.map((row) => row.id),
  )
}

dressMore('documents', {
  bulk: (t) => [
    ...(may('documents.issue')
      ? [
          {
            key: 'issue',
            label: t('documentJobs.issue'),
            icon: Stamp,
            run: (rows: AnyRow[]) => ask(t, 'issue', rows),
          },
        ]
      : []),
    ...(may('documents.send')
      ? [
          {
            key: 'send',
            label: t('documentJobs.send'),
            icon: Send,
            run: (rows: AnyRow[]) => ask(t, 'send', rows),
          },
        ]
      : []),
    ...(session()?.HideTotalPrices
      ? []
      : [
          {
            key: 'bundle',
            label: t('documentJobs.bundle'),
            icon: Files,
            run: (rows: AnyRow[]) => ask(t, 'bundle', rows),
          },
        ]),
  ],
})

dressMore('customers', {
  bulk: (t) =>
    may('documents.draft')
      ? [
          {
            key: 'each',
            label: t('documentJobs.each'),
            icon: FileStack,
            run: (rows: AnyRow[]) => ask(t, 'each', rows),
          },
        ]
      : [],
})
