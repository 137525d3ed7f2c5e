import { FilePlus2, FolderKanban } from 'lucide-react'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { dress } from '#kit/web/screens/dress.ts'
import { useWords } from '#kit/web/words.tsx'
import { projects, type Project } from '../projects.ts'

export function StatePill({ state }: { state: Project['state'] }) {
  const t = useWords()
  return <StatusPill tone={state === 'closed' ? 'plain' : 'done'}>{t(`projects.state.${state ?? 'open'}`)}</StatusPill>
}

/** A new document of a project, for its customer. */
export const newDocumentPath = (row: { id: string; customerId?: string | null }): string =>
  `/invoice/InvoiceDocument?project=${row.id}${row.customerId ? `&customer=${row.customerId}` : ''}`

dress(projects, {
  icon: FolderKanban,
  cells: { state: ({ value }: { value: Project['state'] }) => <StatePill state={value} /> },
  columns: { name: { width: 'trim' }, number: { width: 'fit' }, state: { phone: 'state' } },
  isOff: (row) => row.state === 'closed',
  actions: (row, t) =>
    row.state === 'closed' ? [] : [{ key: 'document', label: t('documents.new'), icon: FilePlus2, href: newDocumentPath(row) }],
  views: (t) => [
    { key: 'open', label: t('projects.views.open'), query: { 'state.in': 'open' } },
    { key: 'closed', label: t('projects.views.closed'), query: { 'state.in': 'closed' } },
  ],
})
