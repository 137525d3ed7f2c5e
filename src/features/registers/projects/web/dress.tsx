import { FilePlus2, FolderKanban, Lock, LockOpen, TrendingUp } from 'lucide-react'
import { can } from '#kit/describe/session.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { callsOf, refreshResource } from '#kit/web/screens/resources.ts'
import { session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, type Words } from '#kit/web/words/words.tsx'
import { projects, type Project } from '../projects.ts'

export function StatePill({ state }: { state: Project['state'] }) {
  const t = useWords()
  return (
    <StatusPill tone={state === 'closed' ? 'plain' : 'done'}>
      {t(`projects.state.${state ?? 'open'}`)}
    </StatusPill>
  )
}

/** A new document of a project, for its customer. */
export const newDocumentPath = (row: { id: string; customerId?: string | null }): string =>
  `/invoice/InvoiceDocument?project=${row.id}${row.customerId ? `&customer=${row.customerId}` : ''}`

/** What was earned on what its documents sold, in its days. */
const profitPath = ({ id, fromDay, toDay }: Pick<Project, 'fromDay' | 'toDay'> & { id: string }): string =>
  `/invoice/reportprofitsales?project=${id}${fromDay ? `&from=${fromDay}` : ''}${toDay ? `&to=${toDay}` : ''}`

const may = (rule: string) => can(session(), rule)

async function turn(id: string, state: 'open' | 'closed', t: Words): Promise<void> {
  try {
    await refreshResource(projects, await call(callsOf(projects).change, { id, state }))
  } catch (e) {
    banner.error(failureText(t, e))
  }
}

dress(projects, {
  icon: FolderKanban,
  cells: { state: ({ value }: { value: Project['state'] }) => <StatePill state={value} /> },
  columns: { name: { width: 'trim' }, number: { width: 'fit' }, state: { phone: 'state' } },
  isOff: (row) => row.state === 'closed',
  actions: (row, t) => [
    ...(may('documents.draft') && row.state !== 'closed' && !row.archivedAt
      ? [{ key: 'document', label: t('documents.new'), icon: FilePlus2, href: newDocumentPath(row) }]
      : []),
    ...(may(projects.allow.change) && !row.archivedAt
      ? [
          row.state === 'closed'
            ? {
                key: 'open',
                label: t('projects.open'),
                icon: LockOpen,
                onPress: () => void turn(row.id, 'open', t),
              }
            : {
                key: 'close',
                label: t('projects.close'),
                icon: Lock,
                onPress: () => void turn(row.id, 'closed', t),
              },
        ]
      : []),
    ...(may('reports.sales')
      ? [{ key: 'profit', label: t('projects.profit'), icon: TrendingUp, href: profitPath(row) }]
      : []),
  ],
  views: (t) => [
    { key: 'open', label: t('projects.views.open'), query: { 'state.in': 'open' } },
    { key: 'closed', label: t('projects.views.closed'), query: { 'state.in': 'closed' } },
  ],
})
